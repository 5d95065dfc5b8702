"""What the model is told when its write leaves MEMORY.md big. Chapter index-lint.

What counts is what a session would load: the same text as in chapter index-window, measured before
it is cut. Of a file of more than 100,000 bytes only those are looked at, as they are (LNT-2g).
"""

from __future__ import annotations

import posixpath
from typing import Any

from memassay.spec import constants
from memassay_reference import layout
from memassay_reference.html_comments import strip_comments
from memassay_reference.index_window import strip_frontmatter
from memassay_reference.js_text import format_size, length_units, to_utf8, trim
from memassay_reference.topic_rewrite import Save, save

_SOMEBODY = Save("00000000-0000-4000-8000-000000000000", "2026-11-30T12:00:00.000Z")
"""A session and a time; all that matters is how long they are."""


def index_lint(text: str) -> dict[str, str] | None:
    """Return what is said about an index with this text on disk, or None (LNT-1, LNT-2).

    `level` is `approaching` or `over`; `measure` is `lines` or `size`, the one nearer to its limit;
    `shown`, `limit` and `target` are sizes as the message shows them.
    """
    numbers = constants()
    content = to_utf8(text)
    head = content[: numbers["index_lint_read_bytes"]].decode("utf-8", "replace")
    is_whole = len(content) <= numbers["index_lint_read_bytes"]
    seen = trim(strip_comments(strip_frontmatter(head)) if is_whole else head)
    if not seen:
        return None
    lines, units = seen.count("\n") + 1, length_units(seen)
    max_lines, max_units = numbers["index_max_lines"], numbers["index_max_units"]
    if lines > max_lines or units > max_units:
        level = "over"
    elif lines >= numbers["index_lint_near_lines"] or units >= numbers["index_lint_near_units"]:
        level = "approaching"
    else:
        return None
    if lines * max_units > units * max_lines:
        sizes = [f"{n} lines" for n in (lines, max_lines, numbers["index_lint_target_lines"])]
        measure = "lines"
    else:
        per_kb = numbers["units_per_kb"]
        target = numbers["index_lint_target_units"]
        sizes = [format_size(n, per_kb) for n in (units, max_units, target)]
        measure = "size"
    shown, limit, target = sizes
    return {"level": level, "measure": measure, "shown": shown, "limit": limit, "target": target}


def is_linted(file: str, tool: str, *, enabled: bool = True) -> bool:
    """Return whether a write is followed by a look at the index (LNT-2f).

    It is if memory is on, a tool has written, and what it wrote is the index of the root.
    """
    return enabled and tool != "shell" and posixpath.normpath(file) == layout.INDEX_NAME


def answer(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    """Answer the op `index_lint`."""
    file, tool = args.get("file", layout.INDEX_NAME), args.get("tool", "write")
    if not is_linted(file, tool, enabled=args.get("enabled", True)):
        return {"feedback": None}
    # The header was rewritten before (RWT-1a), which may make the file too long to be read whole.
    return {"feedback": index_lint(save(file, args["text"], tool, _SOMEBODY))}


OPS = {"index_lint": answer}
