"""Cases over time: several requests on one directory, with new processes in between.

What a process remembers hides what it has failed to write down. So a case of the op `steps` is not
put to the adapter as it is: each of its steps is a request of its own, and a step that says
`restart` goes to a new process, while the one before is killed without a word. The adapter needs to
know nothing of it; it only answers the ops that the steps ask for.

Steps have a process of their own: the one that answers everything else cannot be killed for their
sake, and what waits in its pipe would have to be answered before every step.
"""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from memassay.adapter.connection import never
from memassay.adapter.errors import StartError
from memassay.adapter.messages import (
    Errored,
    Fault,
    FaultKind,
    Request,
    Result,
    Skipped,
    Unsupported,
)
from memassay.adapter.protocol import shown
from memassay.spec.builders import clock_ms
from memassay.spec.wire import from_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memassay.adapter.connection import Arrival, Connect, Connection
    from memassay.adapter.messages import Answer, Started

_SECOND_NS = 1_000_000_000
_SHARE_S = 0.01  # how long one process is waited for before the other one is looked after

STEPS = "steps"
"""The op that this module answers on behalf of every adapter."""


def in_steps(connect: Connect) -> Connect:
    """Return how to connect to the same implementation so that it also answers `steps`."""

    def connect_stepping(profile: str, cancelled: Callable[[], bool] = never) -> SteppingConnection:
        return SteppingConnection(connect, profile, cancelled)

    return connect_stepping


@define
class _Run:
    """One case on its way through its steps."""

    id: int
    steps: Sequence[Mapping[str, Any]]
    results: list[dict[str, Any]] = field(factory=list)
    first: int = 0  # the number of its first request to the process that is there
    inherits: bool = True  # that process has answered other cases only, and may be on its way out


class SteppingConnection:
    """A connection that takes `steps` too. See `Connection` for what its methods do.

    One case of steps is under way at a time. Its process is started with the first step, and goes
    on to the next case unless a step asked for another one or it failed.
    """

    def __init__(self, connect: Connect, profile: str, cancelled: Callable[[], bool]) -> None:
        self._connect = connect
        self._profile = profile
        self._cancelled = cancelled
        self._inner = connect(profile, cancelled)
        self._waiting: deque[Request] = deque()
        self._run: _Run | None = None
        self._own: Connection | None = None  # the process that answers steps
        self._number = 0  # of the last request to it
        ops = tuple(sorted({*self._inner.started.ops, STEPS}))
        self.started: Started = evolve(self._inner.started, ops=ops)

    @property
    def max_open(self) -> int:
        """As many as the implementation takes."""
        return self._inner.max_open

    @property
    def backlogged(self) -> bool:
        """Whether the implementation is."""
        return self._inner.backlogged

    def send(self, request: Request) -> None:
        """Pass on a request; keep one of steps for `receive`."""
        if request.op == STEPS:
            self._waiting.append(request)
        else:
            self._inner.send(request)

    def receive(self, timeout_s: float) -> Sequence[Arrival]:
        """Take what came in, and put the next step if the one before has been answered."""
        arrivals: list[Arrival] = []
        if self._run is None and self._waiting:
            request = self._waiting.popleft()
            self._run = _Run(request.id, request.args["steps"])
            arrivals += self._advance(self._run)
        if self._run is not None and self._own is not None:
            for number, answer in self._own.receive(min(timeout_s, _SHARE_S)):
                if self._run is None:
                    break
                if number is None and self._run.inherits:
                    self._end_own()  # what it did before is no fault of this case
                    arrivals += self._advance(self._run)
                elif number is not None and number < self._run.first:
                    # it is for a case that has its answer: told apart, like all that is late
                    return [*arrivals, (None, self._stray(number))]
                else:
                    arrivals += self._take(self._run, self._checked(number, answer))
            timeout_s = 0.0
        # A fault without an id ends the connection and comes last.
        return [*arrivals, *self._inner.receive(0.0 if arrivals else timeout_s)]

    def silence(self, time_limit_s: float) -> Fault:
        """Return the fault of whoever owes the answer."""
        return self._owing().silence(time_limit_s)

    def stderr_tail(self) -> str | None:
        """Return the end of what that one wrote to stderr."""
        return self._owing().stderr_tail()

    def finish(self) -> Sequence[Arrival]:
        """End every process; the one that answers everything else politely."""
        self._end_own()
        return self._inner.finish()

    def abort(self) -> None:
        """End every process now."""
        self._end_own()
        self._inner.abort()

    def _owing(self) -> Connection:
        return self._own if self._run is not None and self._own is not None else self._inner

    def _checked(self, number: int | None, answer: Answer) -> Answer:
        """Return what the process of the steps said, or a fault if that answers no open step."""
        return answer if number is None or number == self._number else self._stray(number)

    def _stray(self, number: int) -> Fault:
        if 0 < number <= self._number:
            return Fault(FaultKind.DUPLICATE, "a second answer to a step")
        words = f"an answer with the id {shown(number)}, which no step had"
        return Fault(FaultKind.WRONG_ID, words)

    def _take(self, run: _Run, answer: Answer) -> list[Arrival]:
        """Note the answer to a step, and go on; an answer that is none ends the case."""
        number = len(run.results) + 1
        run.inherits = False
        if isinstance(answer, Result):
            run.results.append({"result": answer.value})
        elif isinstance(answer, Errored):
            run.results.append({"error": {"code": answer.code, "message": answer.message}})
        elif isinstance(answer, (Skipped, Unsupported)):
            return self._end(run, evolve(answer, reason=f"step {number}: {answer.reason}"))
        else:
            return self._end(run, evolve(answer, message=f"step {number}: {answer.message}"))
        return self._advance(run)

    def _advance(self, run: _Run) -> list[Arrival]:
        """Do what comes next up to a request that must be waited for, or to the end."""
        while len(run.results) < len(run.steps):
            step = run.steps[len(run.results)]
            if "put" in step:
                try:
                    _put(step["put"])
                except OSError as error:  # what stands in the way, the implementation has made
                    return self._end(run, Errored("cannot-put", str(error)))
                run.results.append({"put": True})
                continue
            if step["op"] not in self._inner.started.ops:
                return self._end(run, Unsupported(f"its steps need the op {step['op']}"))
            try:
                self._ask(run, step)
            except StartError as error:
                return self._end(run, Fault(error.kind, error.message, error.stderr))
            return []
        return self._end(run, Result({"steps": run.results}))

    def _ask(self, run: _Run, step: Mapping[str, Any]) -> None:
        """Put one step, to a new process if it says so or there is none."""
        if step.get("restart"):
            self._end_own()
        if self._own is None:
            self._own, self._number = self._connect(self._profile, self._cancelled), 0
            run.first, run.inherits = 1, False
        self._number += 1
        run.first = run.first or self._number
        self._own.send(Request(self._number, step["op"], step["args"]))

    def _end(self, run: _Run, answer: Answer) -> list[Arrival]:
        if self._own is not None and not isinstance(answer, Fault):
            # A second answer follows right behind the first, as a rule, and is this case's fault.
            # That the process ends after its answer is nobody's.
            for number, _ in self._own.receive(0.0):
                if number is None:
                    self._end_own()
                else:
                    answer = self._stray(number)
        if isinstance(answer, Fault):
            self._end_own()
        self._run = None
        return [(run.id, answer)]

    def _end_own(self) -> None:
        if self._own is not None:
            self._own.abort()
            self._own = None


def _put(change: Mapping[str, Any]) -> None:
    """Write or delete a file as somebody outside would: an editor, another program.

    It is changed a second after it was last; a new one, when a case's clock begins to tick. So an
    answer that holds the time is the same in every run.
    """
    path = Path(change["file"])
    content = change["content"]
    if content is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    time_ns = path.stat().st_mtime_ns if path.exists() else clock_ms(None) * 1_000_000
    path.write_bytes(content.encode() if isinstance(content, str) else from_wire(content))
    os.utime(path, ns=(time_ns + _SECOND_NS, time_ns + _SECOND_NS))
