"""Cases over time: several requests on one directory, with new processes in between.

What a process remembers hides what it has failed to write down. So a case of the op `steps` is not
put to the adapter as it is: each of its steps is a request of its own, and a step that says
`restart` goes to a new process, while the one before is killed without a word. The adapter needs to
know nothing of it; it only answers the ops that the steps ask for.
"""

from __future__ import annotations

import base64
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from memassay.adapter.connection import never
from memassay.adapter.errors import StartError
from memassay.adapter.messages import (
    Errored,
    Fault,
    Request,
    Result,
    Skipped,
    Unsupported,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memassay.adapter.connection import Arrival, Connect, Connection
    from memassay.adapter.messages import Answer, Started

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
    own: Connection | None = None  # the process that the last restart has begun


class SteppingConnection:
    """A connection that takes `steps` too. See `Connection` for what its methods do.

    Steps before the first restart go to the process that answers everything else. One case of
    steps is under way at a time.
    """

    def __init__(self, connect: Connect, profile: str, cancelled: Callable[[], bool]) -> None:
        self._connect = connect
        self._profile = profile
        self._cancelled = cancelled
        self._inner = connect(profile, cancelled)
        self._waiting: deque[Request] = deque()
        self._run: _Run | None = None
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
        run = self._run
        elsewhere = run is not None and run.own is not None
        for number, answer in self._inner.receive(0.0 if elsewhere else timeout_s):
            if run is not None and not elsewhere and number == run.id:
                arrivals += self._take(run, answer)
            else:
                arrivals.append((number, answer))
        if run is not None and run.own is not None and elsewhere:
            for _, answer in run.own.receive(timeout_s):
                arrivals += self._take(run, answer)
        # A fault without an id ends the connection and comes last.
        return sorted(arrivals, key=lambda arrival: arrival[0] is None)

    def silence(self, time_limit_s: float) -> Fault:
        """Return the fault of whoever owes the answer."""
        return self._owing().silence(time_limit_s)

    def stderr_tail(self) -> str | None:
        """Return the end of what that one wrote to stderr."""
        return self._owing().stderr_tail()

    def finish(self) -> Sequence[Arrival]:
        """End every process, politely."""
        self._end_own()
        return self._inner.finish()

    def abort(self) -> None:
        """End every process now."""
        self._end_own()
        self._inner.abort()

    def _owing(self) -> Connection:
        return self._run.own if self._run is not None and self._run.own else self._inner

    def _take(self, run: _Run, answer: Answer) -> list[Arrival]:
        """Note the answer to a step, and go on; an answer that is none ends the case."""
        number = len(run.results) + 1
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
            if step.get("restart"):
                try:
                    self._restart(run)
                except StartError as error:
                    return self._end(run, Fault(error.kind, error.message, error.stderr))
            (run.own or self._inner).send(Request(run.id, step["op"], step["args"]))
            return []
        return self._end(run, Result({"steps": run.results}))

    def _restart(self, run: _Run) -> None:
        if run.own is not None:
            run.own.abort()
            run.own = None
        run.own = self._connect(self._profile, self._cancelled)

    def _end(self, run: _Run, answer: Answer) -> list[Arrival]:
        self._end_own()
        self._run = None
        return [(run.id, answer)]

    def _end_own(self) -> None:
        if self._run is not None and self._run.own is not None:
            self._run.own.abort()
            self._run.own = None


def _put(change: Mapping[str, Any]) -> None:
    """Write or delete a file as somebody outside would: an editor, another program."""
    path = Path(change["file"])
    content = change["content"]
    if content is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        path.write_bytes(content.encode())
    else:
        path.write_bytes(base64.b64decode(content["$bytes"]))
