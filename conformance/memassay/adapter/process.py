"""A child process and its three pipes, moved along by whoever owns it, with no threads.

Everything happens inside `pump`: it waits on all three pipes at once, so a child that does not read
cannot stop us reading it, one that does not write cannot stop us writing, and a flood on stderr is
drained as it comes and forgotten but for its end.

The child leads a session and process group of its own: Ctrl-C in the terminal does not reach it,
and ending the group ends whatever the child itself started.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import select
import signal
import subprocess
import time
import weakref
from collections import deque
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STDERR_TAIL_BYTES = 16 * 1024
"""How much of the end of stderr is kept."""

TERMINATE_S = 1.0
"""How long a child may take to end after SIGTERM before it is killed."""

_PIPE_BYTES = 1024 * 1024  # what a pipe may hold on Linux without further rights
_CHUNK_BYTES = _PIPE_BYTES
_PAUSE_S = 0.05  # the longest nap between two looks at whether the child has ended


@frozen
class ExitStatus:
    """How a process ended: `code` as `subprocess` has it, negative for a signal."""

    code: int

    def __str__(self) -> str:
        """Render as a clause: `exit status 1`, `killed by SIGSEGV`."""
        if self.code >= 0:
            return f"exit status {self.code}"
        try:
            return f"killed by {signal.Signals(-self.code).name}"
        except ValueError:
            return f"killed by signal {-self.code}"


class Process:
    """A running child. Raises `OSError` if the command cannot be started.

    `stdout_ended` and `stdin_broken` tell what the child did to its ends of the pipes.
    """

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str] | None = None) -> None:
        self._popen = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=None if env is None else dict(env),
            start_new_session=True,
        )
        self._finalizer = weakref.finalize(self, _sweep, self._popen)
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe)
        self._poll = select.poll()
        self._poll.register(self._stdin, 0)  # a broken pipe is reported even so
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        for pipe in (self._stdin, self._stdout):
            _widen(pipe)
        self._outgoing: deque[memoryview] = deque()
        self._watching = False
        self._closing = False
        self._said = bytearray()
        self.pending_bytes = 0
        self.stdout_ended = False
        self.stdin_broken = False

    def write(self, data: bytes) -> None:
        """Queue bytes for the child's stdin, and write what the pipe takes at once."""
        if self.stdin_broken or self._closing:
            return
        self._outgoing.append(memoryview(data))
        self.pending_bytes += len(data)
        if len(self._outgoing) == 1:
            self._write_some()

    def close_stdin(self) -> None:
        """Close the child's stdin once everything queued has been written."""
        self._closing = True
        if not self._outgoing:
            self._drop_stdin()

    def pump(self, timeout_s: float) -> bytes:
        """Wait at most `timeout_s` seconds until a pipe moves; return new bytes of stdout."""
        chunk = b""
        for pipe, event in self._poll.poll(math.ceil(timeout_s * 1000)):
            if pipe == self._stdout:
                chunk = _read(pipe) or b""
                if not chunk:
                    self.stdout_ended = True
                    self._poll.unregister(pipe)
            elif pipe == self._stderr:
                self._keep_tail(pipe)
            elif event & ~select.POLLOUT:
                self._break_stdin()
            else:
                self._write_some()
        return chunk

    def wait(self, seconds: float) -> ExitStatus | None:
        """Return how the child ended, or None if it still runs after so long. Drops its stdout."""
        deadline = time.monotonic() + seconds
        pause = 0.001
        while (code := _exit_code(self._popen)) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            self.pump(min(left, pause))
            pause = min(pause * 2, _PAUSE_S)
        return ExitStatus(code)

    def stderr_tail(self) -> str | None:
        """Return the end of what the child wrote to stderr, or None if it wrote nothing."""
        if self._finalizer.alive:
            while self._keep_tail(self._stderr):
                pass
        text = bytes(self._said[-STDERR_TAIL_BYTES:]).decode("utf-8", "replace")
        return text or None

    def end(self) -> None:
        """End the child and its whole group: SIGTERM, a moment, SIGKILL. Nothing is left behind."""
        if not self._finalizer.alive:
            return
        try:
            if _exit_code(self._popen) is None:
                _signal_group(self._popen, signal.SIGTERM)
                self.wait(TERMINATE_S)
            self.stderr_tail()
        finally:
            self._finalizer()

    def _keep_tail(self, pipe: int) -> bool:
        """Take some of stderr; return whether there may be more at once."""
        more = _read(pipe)
        if more is None:
            return False
        if not more:
            with contextlib.suppress(KeyError):
                self._poll.unregister(pipe)
            return False
        self._said += more
        if len(self._said) > 2 * STDERR_TAIL_BYTES:
            del self._said[:-STDERR_TAIL_BYTES]
        return True

    def _write_some(self) -> None:
        """Write what the pipe takes now, and watch for room in it as long as something is left."""
        while self._outgoing:
            first = self._outgoing[0]
            try:
                written = os.write(self._stdin, first)
            except BlockingIOError:
                break
            except BrokenPipeError:
                self._break_stdin()
                return
            self.pending_bytes -= written
            if written < len(first):
                self._outgoing[0] = first[written:]
                break
            self._outgoing.popleft()
        if self._closing and not self._outgoing:
            self._drop_stdin()
        elif bool(self._outgoing) != self._watching:
            self._watching = bool(self._outgoing)
            self._poll.modify(self._stdin, select.POLLOUT if self._watching else 0)

    def _break_stdin(self) -> None:
        self.stdin_broken = True
        self._outgoing.clear()
        self.pending_bytes = 0
        self._drop_stdin()

    def _drop_stdin(self) -> None:
        self._closing = True
        with contextlib.suppress(KeyError):
            self._poll.unregister(self._stdin)
        if self._popen.stdin is not None:
            self._popen.stdin.close()


def _widen(pipe: int) -> None:
    """Let a pipe hold more where it can, so that neither side waits while the other is busy."""
    number = getattr(fcntl, "F_SETPIPE_SZ", None)
    if number is not None:
        with contextlib.suppress(OSError):  # the system's limits are not ours to argue with
            fcntl.fcntl(pipe, number, _PIPE_BYTES)


def _read(pipe: int) -> bytes | None:
    """Return some bytes, none at the end, or None if there are none yet."""
    try:
        return os.read(pipe, _CHUNK_BYTES)
    except BlockingIOError:
        return None


def _exit_code(popen: subprocess.Popen[bytes]) -> int | None:
    """Return how the child ended, or None, without reaping it where the system lets us look.

    An unreaped child keeps its number, so that its group can be ended without hitting anybody who
    got the number since.
    """
    if popen.returncode is not None or not hasattr(os, "waitid"):
        return popen.poll()
    try:
        seen = os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # somebody else reaped it
        return popen.poll()
    if seen is None:
        return None
    return seen.si_status if seen.si_code == os.CLD_EXITED else -seen.si_status


def _signal_group(popen: subprocess.Popen[bytes], number: signal.Signals) -> None:
    # PermissionError is what macOS says of a group of which only zombies are left
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, number)


def _sweep(popen: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the group, reap the child and close our ends of the pipes.

    The child's own end alone is not enough: it may have started others, in the same group.
    """
    _signal_group(popen, signal.SIGKILL)
    popen.wait()
    for pipe in (popen.stdin, popen.stdout, popen.stderr):
        if pipe is not None:
            pipe.close()
