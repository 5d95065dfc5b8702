"""A long-lived adapter process that speaks the protocol: the usual connection."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay.adapter.connection import never
from memassay.adapter.errors import StartError
from memassay.adapter.lines import LINE_LIMIT_BYTES, LineBuffer
from memassay.adapter.messages import Fault, FaultKind
from memassay.adapter.process import Process
from memassay.adapter.protocol import (
    STOP_LINE,
    MessageError,
    decode_answer,
    decode_started,
    run_line,
    shown,
    start_line,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memassay.adapter.connection import Arrival
    from memassay.adapter.messages import Request, Started

START_LIMIT_S = 30.0
"""How long an adapter may take to answer `start`, unless another limit is given."""

STOP_LIMIT_S = 2.0
"""How long an adapter may take to end after `stop` before it is ended."""

CLOSED_GRACE_S = 0.5
"""How long after closing a pipe an adapter is believed to be on its way out, or still to answer."""

_CLOSED_STDIN = "it closed its stdin and went on running"
_BACKLOG_BYTES = 32 * 1024 * 1024
_SLICE_S = 0.1  # how often a wait looks up to see whether it is still wanted
_MAX_OPEN = 1 << 30

STDOUT_HINT = "stdout is for answers only, one JSON object a line; diagnostics belong on stderr"


class PipeConnection:
    """An adapter process that has answered `start`. See `Connection` for what its methods do."""

    max_open = _MAX_OPEN

    def __init__(
        self,
        command: Sequence[str],
        profile: str,
        *,
        start_limit_s: float = START_LIMIT_S,
        line_limit_bytes: int = LINE_LIMIT_BYTES,
        cancelled: Callable[[], bool] = never,
    ) -> None:
        """Start the command and exchange `start`. Raises `StartError`."""
        self._command = tuple(command)
        self._lines = LineBuffer(line_limit_bytes)
        self._line_limit = line_limit_bytes
        self._broken: Fault | None = None
        self._closed_at: float | None = None
        self._process = start_process(self._command)
        try:
            self.started: Started = self._introduce(profile, start_limit_s, cancelled)
        except BaseException:
            self._process.end()
            raise

    @property
    def backlogged(self) -> bool:
        """Whether the adapter reads more slowly than we write."""
        return self._process.pending_bytes > _BACKLOG_BYTES

    def send(self, request: Request) -> None:
        """Queue one request."""
        self._process.write(run_line(request))

    def receive(self, timeout_s: float) -> Sequence[Arrival]:
        """Return the answers that come in within `timeout_s` seconds."""
        if self._broken is not None:
            return [(None, self._broken)]
        chunk = self._process.pump(timeout_s)
        arrivals: list[Arrival] = []
        for line in self._lines.feed(chunk) if chunk else ():
            number, answer = decode_answer(line)
            if isinstance(answer, Fault):
                answer = self._fault(answer.kind, answer.message)
                self._broken = answer if number is None else None
            arrivals.append((number, answer))
            if self._broken is not None:
                return arrivals
        self._broken = self._breakdown(chunk)
        if self._broken is not None:
            arrivals.append((None, self._broken))
        return arrivals

    def silence(self, time_limit_s: float) -> Fault:
        """Return `HANG`, or `CRASH` if the process is gone and something else holds its pipes."""
        status = self._process.wait(0)
        if status is not None:
            return self._fault(FaultKind.CRASH, f"the process ended ({status})")
        if self._process.stdin_broken:
            return self._fault(FaultKind.CLOSED, _CLOSED_STDIN)
        return self._fault(FaultKind.HANG, f"no answer within {time_limit_s:g} s")

    def stderr_tail(self) -> str | None:
        """Return the end of the adapter's stderr."""
        return self._process.stderr_tail()

    def finish(self) -> Sequence[Arrival]:
        """Send `stop`, give the adapter `STOP_LIMIT_S` to end, and return what still came in."""
        arrivals: list[Arrival] = []
        if self._broken is not None:
            self.abort()
            return arrivals
        self._process.write(STOP_LINE)
        self._process.close_stdin()
        deadline = time.monotonic() + STOP_LIMIT_S
        while not self._process.stdout_ended and (left := deadline - time.monotonic()) > 0:
            chunk = self._process.pump(min(left, _SLICE_S))
            arrivals += [decode_answer(line) for line in self._lines.feed(chunk)]
            if not chunk and self._process.wait(0) is not None:
                break  # something that it started holds its stdout
        self._process.wait(max(0.0, deadline - time.monotonic()))
        self.abort()
        return arrivals

    def abort(self) -> None:
        """End the process and everything it started."""
        self._process.end()

    def _introduce(self, profile: str, limit_s: float, cancelled: Callable[[], bool]) -> Started:
        self._process.write(start_line(profile))
        deadline = time.monotonic() + limit_s
        while True:
            left = deadline - time.monotonic()
            if cancelled():
                raise self._no_start("it was interrupted")
            if left <= 0:
                raise self._no_start(
                    f"it did not answer `start` within {limit_s:g} s",
                    "it must answer as soon as it has read the line, without waiting for more"
                    " input, and flush its stdout",
                )
            chunk = self._process.pump(min(left, _SLICE_S))
            lines = self._lines.feed(chunk) if chunk else []
            if lines:
                break
            fault = self._breakdown(chunk)
            if fault is not None:
                raise self._no_start(f"before it answered `start`, {fault.message}")
        try:
            started = decode_started(lines[0])
        except MessageError as error:
            if error.kind is FaultKind.GARBAGE:
                raise self._no_start(f"it answered `start` with {error}", STDOUT_HINT) from None
            raise self._no_start(
                f"its answer to `start` is refused: {error}",
                "spec/schema/messages/started.schema.json says what belongs there",
            ) from None
        if len(lines) > 1:
            raise self._no_start(f"it said more than it was asked: {shown(lines[1])}", STDOUT_HINT)
        return started

    def _no_start(self, message: str, hint: str | None = None) -> StartError:
        if hint is None:
            hint = "run the command by hand and give it the line: " + (
                start_line("claude-code").decode().rstrip()
            )
        return StartError(FaultKind.NO_START, message, self._command, self.stderr_tail(), hint)

    def _breakdown(self, chunk: bytes) -> Fault | None:
        """Return what keeps the adapter from ever answering again, if anything does."""
        if self._lines.overflowed:
            return self._fault(
                FaultKind.FLOOD, f"a line of more than {self._line_limit:,} bytes on stdout"
            )
        if self._process.stdout_ended:
            return self._ended()
        if self._process.stdin_broken and not chunk:
            # it may still answer what it has read, or be about to end, which is a plainer fault
            self._closed_at = self._closed_at or time.monotonic()
            if time.monotonic() - self._closed_at >= CLOSED_GRACE_S:
                return self._fault(FaultKind.CLOSED, _CLOSED_STDIN)
        return None

    def _ended(self) -> Fault:
        status = self._process.wait(CLOSED_GRACE_S)
        rest = self._lines.rest
        partial = f", in the middle of the line {shown(rest)}" if rest else ""
        if status is None:
            return self._fault(
                FaultKind.CLOSED, f"it closed its stdout{partial} and went on running"
            )
        return self._fault(FaultKind.CRASH, f"the process ended ({status}){partial}")

    def _fault(self, kind: FaultKind, message: str) -> Fault:
        return Fault(kind, message, self.stderr_tail())


def start_process(command: Sequence[str], **options: Any) -> Process:
    """Start a command. Raises `StartError` if the system cannot."""
    try:
        return Process(command, **options)
    except FileNotFoundError:
        if Path(command[0]).exists():
            message = f"the interpreter that {shown(command[0])} names in its first line is missing"
            hint = "install it, or put another in front of the script"
        else:
            message = f"there is no command {shown(command[0])}"
            hint = "is it installed, and in PATH?"
    except PermissionError:
        message, hint = f"{shown(command[0])} may not be executed", "try chmod +x"
    except IndexError:
        message, hint = "no command was given", "write it after `--`"
    except (OSError, ValueError) as error:
        message = f"{shown(command[0])} cannot be executed: {error}"
        hint = "a script needs `#!` and its interpreter in the first line"
    raise StartError(FaultKind.NOT_FOUND, message, tuple(command), hint=hint)
