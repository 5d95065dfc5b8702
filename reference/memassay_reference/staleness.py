"""The reminder that a memory is old (STL-1, STL-2, STL-3).

It is computed when the Read tool reads a file of the memory directory, from the file's modification
time and nothing else: the frontmatter's `modified` does not count, and reading changes no time.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay.spec import constants
from memassay_reference.js_path import SEPARATOR, is_inside, resolve

if TYPE_CHECKING:
    from collections.abc import Callable

_NOT_SHOWN_AS_LINES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".ipynb"})
"""What the Read tool shows by other means than numbered lines; it carries no reminder (STL-2f)."""


def stale_days(now_ms: float, mtime_ms: float) -> int | None:
    """Return the whole days that a reminder names, or None when there is none (STL-1a).

    One whole day is still quiet, so the first reminder says 2 days; a time to come says nothing.
    """
    days = math.floor((now_ms - mtime_ms) / constants()["staleness_day_ms"])
    return days if days > constants()["staleness_quiet_days"] else None


def read_reminder(
    memory_dir: str, file: str, now_ms: float, *, enabled: bool = True, offset: int = 1
) -> int | None:
    """Return the days that a read of `file` reminds of, or None (STL-2).

    `offset` is the first line that is asked for, counted from 1. Raises `OSError` if the file
    cannot be read.
    """
    if not enabled or not is_inside(file, memory_dir):
        return None
    if os.path.splitext(file)[1].lower() in _NOT_SHOWN_AS_LINES:  # noqa: PTH122 (paths are text)
        return None
    path = Path(resolve(SEPARATOR, file))  # `..` goes as text before the disk is asked (STL-2d)
    if not shows_a_line(path.read_bytes(), offset):
        return None
    mtime_ns = path.stat().st_mtime_ns  # of what the path leads to, not of a link to it (STL-2d)
    return stale_days(now_ms, mtime_ns / 1e6)


def shows_a_line(content: bytes, offset: int) -> bool:
    """Return whether a read from line `offset` on shows anything (STL-2e).

    An empty file (a byte order mark is no content) shows nothing. Otherwise lines are what LF
    separates, so a final LF is followed by one more, empty line; CR and U+2028 separate nothing.
    """
    text = content.removeprefix(b"\xef\xbb\xbf")
    return bool(text) and offset <= text.count(b"\n") + 1


def _staleness(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    return {"days": stale_days(args["now_ms"], args["mtime_ms"])}


def _staleness_read(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    days = read_reminder(
        args["memory_dir"],
        args["file"],
        args["now_ms"],
        enabled=args.get("enabled", True),
        offset=args.get("offset", 1),
    )
    # The reminder always stands before the lines, in the same tool result (STL-2a).
    return {"days": days, "before_content": None if days is None else True}


OPS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {
    "staleness": _staleness,
    "staleness_read": _staleness_read,
}
