"""The throw-away place that the client lives in, and the list of everything that must go away.

Every sandbox and every process of the witness is on one list from the moment it exists, so that
`remove_everything` leaves nothing behind, whatever happened.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from memassay_claude_code.errors import CannotWitnessError, EndedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""The client's PATH: the same on every machine, and not the caller's."""

_OWN = {
    "ANTHROPIC_API_KEY": "sk-ant-dummy",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
    "PATH": SYSTEM_PATH,
    "TZ": "UTC",
}
_RESERVED_PREFIXES = ("ANTHROPIC_", "AWS_", "LD_", "NODE_", "BUN_")
_ATTEMPTS = 100
_PAUSE_S = 0.01

_lock = threading.RLock()
_ended = threading.Event()
_sandboxes: set[Sandbox] = set()
_processes: dict[int, subprocess.Popen[bytes]] = {}


class Sandbox:
    """A throw-away directory with a home, a work directory and a mount point in it.

    The paths are canonical and short, because they become project keys.
    """

    def __init__(self, place: str | None = None) -> None:
        """Make one below the directory for temporary files, or below `place`."""
        with _lock:
            _refuse_if_ended()
            self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="mw", dir=place)))
            _sandboxes.add(self)
        self.home = self.root / "home"
        self.work = self.root / "work"
        self.mount_point = self.root / "root"
        for path in (self.home, self.work, self.mount_point):
            path.mkdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Delete the directory with everything in it, whatever its modes are."""
        remove_tree(self.root)
        with _lock:
            _sandboxes.discard(self)


def environment(base_url: str, home: str, extra: Mapping[str, str]) -> dict[str, str]:
    """Return the client's whole environment: the witness's own variables and those of the case.

    Raises `CannotWitnessError` if the case wants to set a variable that the witness must hold, or
    one that no process can have.
    """
    own = {**_OWN, "ANTHROPIC_BASE_URL": base_url, "HOME": home}
    for name, value in extra.items():
        if name in own or name.startswith(_RESERVED_PREFIXES):
            raise CannotWitnessError(f"the witness itself must hold the variable {name}")
        if not name or "=" in name or "\0" in name + value or not is_encodable(name + value):
            raise CannotWitnessError(f"no process can have the variable {name!r} with that value")
    return {**own, **extra}


def is_encodable(text: str) -> bool:
    """Return whether a text can be written as UTF-8: half a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def remove_tree(root: Path) -> None:
    """Delete `root` with everything in it, giving itself the permissions that it lacks."""
    for _ in range(_ATTEMPTS):
        # Again if a file was in the way, or came or went meanwhile: a client that was just killed
        # may still be writing, and two threads may be removing.
        with contextlib.suppress(OSError):
            shutil.rmtree(root)
        if not root.exists():
            return
        for directory, _names, _files in os.walk(root):
            with contextlib.suppress(OSError):
                Path(directory).chmod(stat.S_IRWXU)
        time.sleep(_PAUSE_S)


def start(argv: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process as the leader of its own group, on the list of what must be ended."""
    with _lock:
        _refuse_if_ended()
        process = subprocess.Popen(argv, start_new_session=True, **options)
        _processes[process.pid] = process
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with its group, by its id, and wait until it is gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    with _lock:
        _processes.pop(process.pid, None)


def remove_everything() -> None:
    """End every process of the witness and delete every sandbox; none can be made any more."""
    with _lock:
        _ended.set()
        processes, sandboxes = list(_processes.values()), list(_sandboxes)
    for process in processes:
        end(process)
    for sandbox in sandboxes:
        sandbox.remove()


def _refuse_if_ended() -> None:
    if _ended.is_set():
        raise EndedError("the witness is coming to its end")
