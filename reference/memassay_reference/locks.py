"""Locks and the time of the last attempt, between real processes (DRM-2, DRM-3).

Both lie in the memory directory. A lock here is the operating system's lock on a file of that name:
it goes with its holder, so one that was killed leaves none behind, whatever file still lies there.
What other implementations write into these files is not stated, and nothing is read from them.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ATTEMPT_FILE = ".last-dream"
"""Where this implementation keeps `lastDreamAt`; a name with a dot is no topic."""

_held: dict[str, int] = {}
"""The locks of this process: path to file descriptor."""


def acquire(memory_dir: str, lock: str) -> bool:
    """Take a lock, and return whether this process holds it now. Never waits."""
    path = os.path.join(memory_dir, lock)  # noqa: PTH118 (paths are text)
    if path in _held:
        return True
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return False
    _held[path] = file
    return True


def release(memory_dir: str, lock: str) -> bool:
    """Leave a lock if this process holds it; the file stays. Return False: it holds it no more."""
    file = _held.pop(os.path.join(memory_dir, lock), None)  # noqa: PTH118 (paths are text)
    if file is not None:
        os.close(file)
    return False


def last_attempt(memory_dir: str) -> int | None:
    """Return the time of the last attempt, in ms since 1970, or None if there was none."""
    try:
        return int((Path(memory_dir) / ATTEMPT_FILE).read_text(encoding="ascii"))
    except FileNotFoundError:
        return None


def swap_attempt(memory_dir: str, expected_ms: int | None, value_ms: int | None) -> int | None:
    """Write a time if the one on disk is still the expected one; return what is there then.

    Reading and writing are one step for other processes: a lock of their own keeps them apart.
    """
    guard = os.open(Path(memory_dir) / f"{ATTEMPT_FILE}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(guard, fcntl.LOCK_EX)
        if last_attempt(memory_dir) == expected_ms:
            _write(Path(memory_dir) / ATTEMPT_FILE, value_ms)
        return last_attempt(memory_dir)
    finally:
        os.close(guard)


def _write(path: Path, value_ms: int | None) -> None:
    if value_ms is None:
        path.unlink(missing_ok=True)
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(str(value_ms), encoding="ascii")
    draft.replace(path)  # a reader sees the old time or the new one, never half of one


def _lock(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    act = acquire if args["do"] == "acquire" else release
    return {"held": act(args["memory_dir"], args["lock"])}


def _dream_attempt(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    directory = args["memory_dir"]
    if args["do"] == "read":
        return {"value_ms": last_attempt(directory)}
    return {"value_ms": swap_attempt(directory, args["expected_ms"], args["value_ms"])}


OPS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {
    "lock": _lock,
    "dream_attempt": _dream_attempt,
}
