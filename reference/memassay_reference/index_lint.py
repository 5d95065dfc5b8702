"""What the model is told when its write leaves MEMORY.md big. Chapter index-lint.

What counts is what a session would load: the same text as in chapter index-window, measured before
it is cut. Only the file's first 100,000 bytes are looked at (LNT-1g).
"""

from __future__ import annotations

import posixpath
from typing import Any

from memassay.spec import constants
from memassay_reference import layout
from memassay_reference.html_comments import strip_comments
from memassay_reference.index_window import strip_frontmatter
from memassay_reference.js_text import format_size, length_units, to_utf8, trim


def index_lint(text: str) -> dict[str, str] | None:
    """Return what is said about an index that a write left with this text, or None (LNT-1, LNT-2).

    `level` is `approaching` or `over`; `measure` is `lines` or `size`, the one nearer to its limit;
    `shown`, `limit` and `target` are sizes as the message shows them.
    """
    numbers = constants()
    head = to_utf8(text)[: numbers["index_lint_read_bytes"]]
    seen = trim(strip_comments(strip_frontmatter(head.decode("utf-8", "replace"))))
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
    linted = is_linted(file, tool, enabled=args.get("enabled", True))
    return {"feedback": index_lint(args["text"]) if linted else None}


OPS = {"index_lint": answer}
