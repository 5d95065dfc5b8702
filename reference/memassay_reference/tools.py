"""The tools of background tasks: which, where their paths begin, and what they may write. BGT-1, 2.

A background task gets the host's own tools, but a restricted set of them. It reads wherever its
parent may; it writes only in the memory directory, and only a file that it has seen.
"""

from __future__ import annotations

import os
from typing import Any

from memassay.spec import constants
from memassay_reference.js_path import is_inside, resolve
from memassay_reference.js_text import to_utf8

TOOLS = frozenset({"bash", "edit", "find", "grep", "read", "write"})
"""All that a background task may call (BGT-1a)."""

WRITERS = frozenset({"edit", "write"})


def access(tool: str, path: str | None, *, cwd: str, memory_dir: str) -> tuple[bool, str | None]:
    """Return whether a background task may use a tool on a path, and the absolute path.

    Relative paths begin at the parent's working directory, and without a path the tool works there
    (BGT-1b). What is written must lie in the memory directory after all links are followed, those
    of the memory directory itself too (BGT-1c).
    """
    if tool not in TOOLS:
        return False, None
    absolute = resolve(cwd, path or ".")  # `..` goes as text, and what is left is what is used
    if tool not in WRITERS:
        return True, absolute
    return is_inside(os.path.realpath(absolute), os.path.realpath(memory_dir)), absolute


def is_cut(content: bytes | str, offset: int = 1, limit: int | None = None) -> bool:
    """Return whether the read tool's own window cuts a read: 2,000 lines or 50 KiB (BGT-2c)."""
    data = to_utf8(content) if isinstance(content, str) else content
    lines = data.split(b"\n")[offset - 1 :]
    shown = lines if limit is None else lines[:limit]
    size = sum(map(len, shown)) + len(shown) - 1
    return len(shown) > constants()["read_max_lines"] or size > constants()["read_max_bytes"]


def sets_baseline(*, offset: int | None, limit: int | None, cut: bool, image: bool) -> bool | None:
    """Return what a read does to the baseline of its file: sets it, revokes it, or (None) neither.

    A read of the whole file sets it, and so does one whose offset and limit were both given; pages
    are not added up (BGT-2a, BGT-2b). One that was cut, or an image, revokes it (BGT-2c).
    """
    if cut or image:
        return False
    whole = offset in {None, 1} and limit is None
    return True if whole or (offset is not None and limit is not None) else None


def _tool_access(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    allowed, path = access(
        args["tool"], args.get("path"), cwd=args["cwd"], memory_dir=args["memory_dir"]
    )
    return {"allowed": allowed, "path": path}


def _tool_read(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    offset, limit = args.get("offset"), args.get("limit")
    cut = is_cut(args["content"], offset or 1, limit)
    return {
        "cut": cut,
        "baseline": bool(sets_baseline(offset=offset, limit=limit, cut=cut, image=False)),
    }


OPS = {"tool_access": _tool_access, "tool_read": _tool_read}
