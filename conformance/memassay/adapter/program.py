"""The on-ramp: `--program 'CMD'` runs one process a case. Slow, and enough for ten minutes.

For each case the words of `CMD` are run (not through a shell) with the name of the op as one more
argument at the end. The program also gets:

* `MEMASSAY_OP`, the same name, and `MEMASSAY_PROFILE`, in its environment;
* the arguments of the op, one JSON object, on its standard input, which then ends.

How it ends is the answer:

| it                      | which means                                                      |
|-------------------------|------------------------------------------------------------------|
| exits 0                 | its standard output is the result, one JSON object               |
| exits 75                | skipped; standard error is the reason                            |
| exits 64                | not supported: it has no such op                                 |
| exits with another N    | the implementation's own error, code `exit-N`, text from stderr  |
| is killed by a signal   | a crash                                                          |

Before the run the program is asked once for `CMD --ops`. If it exits 0 and prints names of ops, one
a line, these are the ops it owes. Otherwise it is held to have every op that the spec knows, less
those for which it exits 64.
"""

from __future__ import annotations

import os
import re
import shlex
import time
from pathlib import PurePath
from typing import TYPE_CHECKING

from memassay.adapter.connection import never
from memassay.adapter.errors import StartError
from memassay.adapter.lines import LINE_LIMIT_BYTES
from memassay.adapter.messages import (
    Errored,
    Fault,
    FaultKind,
    Implementation,
    Result,
    Skipped,
    Started,
    Unsupported,
)
from memassay.adapter.pipe import start_process
from memassay.adapter.protocol import MessageError, encode, parse_object
from memassay.spec.locate import spec_root

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memassay.adapter.connection import Arrival
    from memassay.adapter.messages import Answer, Request
    from memassay.adapter.process import ExitStatus, Process

EXIT_UNSUPPORTED = 64
"""`EX_USAGE`: the program has no such op."""

EXIT_SKIPPED = 75
"""`EX_TEMPFAIL`: the program has the op and cannot answer this case."""

OPS_LIMIT_S = 10.0
"""How long `CMD --ops` may take before the program is held to have every op."""

_SLICE_S = 0.1
_OP_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Program:
    """A command to be run once a case, and what is known of it. Calling it gives a connection."""

    def __init__(self, command: str, *, output_limit_bytes: int = LINE_LIMIT_BYTES) -> None:
        """Split `command` into words as a shell would. Raises `StartError` if it cannot be."""
        try:
            self.command = tuple(shlex.split(command))
        except ValueError as error:
            raise StartError(
                FaultKind.NOT_FOUND,
                f"the command {command!r} cannot be split into words: {error}",
                hint="quote it as for a shell",
            ) from None
        if not self.command:
            raise StartError(FaultKind.NOT_FOUND, "no command was given")
        self._limit = output_limit_bytes
        self._ops: tuple[str, ...] | None = None

    def __call__(self, profile: str, cancelled: Callable[[], bool] = never) -> ProgramConnection:
        """Ask `CMD --ops`, the first time, and return a connection that runs `CMD op`."""
        if self._ops is None:
            self._ops = self._ask_ops(profile, cancelled)
        name = PurePath(self.command[0]).name
        return ProgramConnection(
            self.command, Started(Implementation(name), self._ops), profile, self._limit
        )

    def _ask_ops(self, profile: str, cancelled: Callable[[], bool]) -> tuple[str, ...]:
        run = _Run((*self.command, "--ops"), _environment(None, profile), b"", self._limit)
        deadline = time.monotonic() + OPS_LIMIT_S
        try:
            while not run.ended and time.monotonic() < deadline:
                if cancelled():
                    raise StartError(FaultKind.NO_START, "it was interrupted", self.command)
                run.advance(_SLICE_S)
            names = run.output.decode("utf-8", "replace").split() if run.ended else []
            listed = run.status is not None and run.status.code == 0
        finally:
            run.process.end()
        if listed and names and all(_OP_NAME.fullmatch(name) for name in names):
            return tuple(dict.fromkeys(names))
        return every_op()


class ProgramConnection:
    """One process for each request, one after the other. See `Connection` for its methods."""

    max_open = 1

    backlogged = False

    def __init__(
        self, command: Sequence[str], started: Started, profile: str, output_limit_bytes: int
    ) -> None:
        self.started = started
        self._command = tuple(command)
        self._profile = profile
        self._limit = output_limit_bytes
        self._run: _Run | None = None
        self._number = 0
        self._failed: Fault | None = None

    def send(self, request: Request) -> None:
        """Start the process of one request."""
        self._number = request.id
        try:
            self._run = _Run(
                (*self._command, request.op),
                _environment(request.op, self._profile),
                encode(request.args),
                self._limit,
            )
        except StartError as error:
            self._failed = Fault(error.kind, error.message)

    def receive(self, timeout_s: float) -> Sequence[Arrival]:
        """Wait for the process of the request; its end is the answer."""
        if self._failed is not None:
            failed, self._failed = self._failed, None
            return [(self._number, failed)]
        if self._run is None:
            return []
        self._run.advance(timeout_s)
        if not self._run.ended:
            return []
        answer = self._run.answer()
        self.abort()
        return [(self._number, answer)]

    def silence(self, time_limit_s: float) -> Fault:
        """Return `HANG`."""
        return Fault(FaultKind.HANG, f"no end within {time_limit_s:g} s", self.stderr_tail())

    def stderr_tail(self) -> str | None:
        """Return the end of the current process's stderr."""
        return None if self._run is None else self._run.process.stderr_tail()

    def finish(self) -> Sequence[Arrival]:
        """End what is running, if anything is."""
        self.abort()
        return []

    def abort(self) -> None:
        """End what is running, if anything is."""
        if self._run is not None:
            self._run.process.end()
            self._run = None


class _Run:
    """One process from its input to its end. Raises `StartError` if it cannot be started."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], given: bytes, limit_bytes: int
    ) -> None:
        self.process: Process = start_process(command, env=env)
        self.process.write(given)
        self.process.close_stdin()
        self.status: ExitStatus | None = None
        self._limit = limit_bytes
        self._chunks: list[bytes] = []
        self._size = 0

    @property
    def flooded(self) -> bool:
        """Whether it wrote more than is taken."""
        return self._size > self._limit

    @property
    def ended(self) -> bool:
        """Whether nothing more is to be expected of it."""
        return self.flooded or self.status is not None

    @property
    def output(self) -> bytes:
        """What it wrote to stdout."""
        return b"".join(self._chunks)

    def advance(self, timeout_s: float) -> None:
        """Take what it writes, for at most `timeout_s` seconds, and note whether it has ended."""
        if self.process.stdout_ended:
            self.status = self.process.wait(timeout_s)
            return
        self._take(self.process.pump(timeout_s))
        # something that it started may hold its stdout open after its own end
        self.status = self.process.wait(0)
        while self.status is not None and not self.flooded and self._take(self.process.pump(0)):
            pass

    def _take(self, chunk: bytes) -> bytes:
        if chunk:
            self._chunks.append(chunk)
            self._size += len(chunk)
        return chunk

    def answer(self) -> Answer:
        """Return what its end means."""
        said = self.process.stderr_tail()
        if self.flooded or self.status is None:
            return Fault(FaultKind.FLOOD, f"more than {self._limit:,} bytes on stdout", said)
        if self.status.code < 0:
            return Fault(FaultKind.CRASH, f"the process was {self.status}", said)
        if self.status.code != 0:
            return _refusal(self.status.code, (said or "").strip())
        try:
            return Result(parse_object(self.output))
        except MessageError as error:
            return Fault(error.kind, f"it exited 0 and wrote {error}", said)


def _refusal(code: int, message: str) -> Answer:
    if code == EXIT_SKIPPED:
        return Skipped(message or "the program gave no reason")
    if code == EXIT_UNSUPPORTED:
        return Unsupported(message or f"the program exited with {EXIT_UNSUPPORTED}")
    return Errored(f"exit-{code}", message)


def _environment(op: str | None, profile: str) -> Mapping[str, str]:
    env = {**os.environ, "MEMASSAY_PROFILE": profile}
    return env if op is None else {**env, "MEMASSAY_OP": op}


def every_op() -> tuple[str, ...]:
    """Return the name of every op that the spec has a schema for."""
    return tuple(sorted(path.stem for path in (spec_root() / "schema" / "ops").glob("*.json")))
