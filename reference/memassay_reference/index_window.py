"""How much of MEMORY.md reaches the model. Chapter index-window.

The text passes through a pipeline whose order decides every number (IDX-5): frontmatter goes, HTML
comments go, the ends are trimmed, the limits cut, a warning is appended, and only then is all of it
sanitised. So what is invisible still counts, and what is escaped does not.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from memassay.spec import constants
from memassay_reference import layout
from memassay_reference.html_comments import strip_comments
from memassay_reference.index_backfill import backfill
from memassay_reference.js_text import (
    JS_WHITESPACE,
    format_size,
    last_index_of,
    length_units,
    shorten,
    slice_units,
    slice_whole,
    trim,
)
from memassay_reference.sanitise import sanitise

_FRONTMATTER = re.compile(f"\ufeff?---[{JS_WHITESPACE}]*\n")
_FRONTMATTER_END = "---"
_GAP = "\n\n"
_OTHER_WARNING = {"pi-project-memory": "WARNING: MEMORY.md was truncated"}


class Window(NamedTuple):
    """What reaches the model: the kept text, and the warning that follows it or None."""

    kept: str
    warning: str | None


class _Cut(NamedTuple):
    """The part of a text inside the limits, and how many lines it has left whole."""

    kept: str
    kept_lines: int
    inside_line: bool  # the limit fell inside a line that could not be dropped


def index_window(text: str, profile: str) -> Window:
    """Return the part of a decoded MEMORY.md that reaches the model, and the warning if it is cut.

    The warning is part of what is sanitised, as its preview quotes the index.
    """
    text = trim(strip_comments(strip_frontmatter(text)))
    cut = _cut(text)
    if cut is None:
        return Window(trim(sanitise(text)), None)
    warning = _OTHER_WARNING.get(profile) or _warning(text, cut)
    # Sanitised in one piece, as the client does: a CR at the cut and the LF after it are one break.
    whole = trim(sanitise(cut.kept + _GAP + warning))
    warning = sanitise(warning)
    return Window(whole.removesuffix(warning).removesuffix(_GAP), warning)


def strip_frontmatter(text: str) -> str:
    """Return `text` without the block between a first line `---` and the next `---` (IDX-10)."""
    opening = _FRONTMATTER.match(text)
    if opening is None:
        return text
    end = text.find(_FRONTMATTER_END, opening.end())
    return text if end < 0 else text[end + len(_FRONTMATTER_END) :].lstrip(JS_WHITESPACE)


def _cut(text: str) -> _Cut | None:
    """Cut a trimmed text to both limits, whole lines first (IDX-1 to IDX-4); None if it fits."""
    max_lines, max_units = constants()["index_max_lines"], constants()["index_max_units"]
    kept = text
    if text.count("\n") >= max_lines:
        kept = "\n".join(text.split("\n", max_lines)[:max_lines])
    inside_line = False
    if length_units(kept) > max_units:
        line_end = last_index_of(kept, "\n", max_units)
        inside_line = line_end < 0
        kept = slice_whole(kept, max_units) if inside_line else slice_units(kept, 0, line_end)
    if kept == text:
        return None
    return _Cut(kept, kept.count("\n") + 1, inside_line)


def _warning(text: str, cut: _Cut) -> str:
    """Return the warning that names the limits passed and what was cut (IDX-7a to IDX-7f)."""
    numbers = constants()
    max_lines, max_units = numbers["index_max_lines"], numbers["index_max_units"]
    units_per_kb = numbers["units_per_kb"]
    lines, units = text.count("\n") + 1, length_units(text)
    size, max_size = format_size(units, units_per_kb), format_size(max_units, units_per_kb)
    if lines > max_lines and units > max_units:
        what = f"{lines} lines and {size}"
    elif lines > max_lines:
        what = f"{lines} lines (limit: {max_lines})"
    else:
        what = f"{size} (limit: {max_size}) — index entries are too long"
    return (
        f"> WARNING: MEMORY.md is {what}. Only part of it was loaded: {_loss(text, cut, lines)}."
        f" Keep index entries to one line under ~{numbers['index_entry_advice_units']} chars;"
        " move detail into topic files."
    )


def _loss(text: str, cut: _Cut, lines: int) -> str:
    if cut.inside_line:
        max_units = constants()["index_max_units"]
        return f"everything after the first {max_units} characters of line 1 was cut off"
    first = text[len(cut.kept) + 1 :].split("\n", 1)[0]  # quoted as IDX-7e says
    loss = f"{lines - cut.kept_lines} of {lines} lines were cut off"
    loss += f", starting at line {cut.kept_lines + 1}"
    preview = shorten(trim(first), constants()["index_preview_units"])
    return f'{loss} ("{preview}")' if preview else loss


def read_index(memory_dir: Path, profile: str, *, enabled: bool = True) -> Window:
    """Return the window of the index in a directory, which is backfilled if there is none.

    Never raises for what the file system holds: an index that cannot be read is no index (IDX-11).
    """
    nothing = Window("", None)
    if not enabled:
        return nothing
    path = memory_dir / layout.INDEX_NAME
    with suppress(OSError):
        backfill(memory_dir, profile=profile)
    try:
        if not path.is_file() or path.stat().st_size > constants()["index_max_bytes"]:
            return nothing
        content = path.read_bytes()
    except OSError:
        return nothing
    return index_window(content.decode("utf-8", "replace"), profile)


def _answer_window(args: dict[str, Any], profile: str) -> dict[str, Any]:
    return index_window(args["text"], profile)._asdict()


def _answer_read(args: dict[str, Any], profile: str) -> dict[str, Any]:
    enabled = args.get("enabled", True)
    return read_index(Path(args["memory_dir"]), profile, enabled=enabled)._asdict()


OPS = {"index_window": _answer_window, "index_read": _answer_read}
