"""A prompt as numbered lines: dynamic values as marks, levels of headings, what stands in code.

A mark is the name of a dynamic value between two NULs. No prompt holds a NUL (`read_prompt` refuses
one), so no text can be taken for a mark.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import frozen

from memassay.spec.documents import read_text
from memassay.spec.errors import SpecError, Where

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_MAX_BYTES = 1 << 20
_MARK = re.compile(r"\0([^\0]*)\0")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TICKS = re.compile(r"`+")


@frozen
class Line:
    """One line of a prompt.

    `number` is 1-based, in the file; `level` is that of a Markdown heading, 0 for any other line;
    `fenced` says that the line stands inside a fenced code block.
    """

    number: int
    text: str
    level: int
    fenced: bool


def read_prompt(path: Path) -> str:
    """Return the text of a prompt file.

    A byte order mark and the last line end are no part of it, and every line end is LF. Raises
    `SpecError` if the file cannot be read, is not UTF-8, is empty, holds a NUL or is
    larger than 1 MiB.
    """
    if path.is_file() and path.stat().st_size > _MAX_BYTES:
        raise SpecError(f"is larger than {_MAX_BYTES:,} bytes, which no prompt is", Where(path))
    text = read_text(path).removeprefix("\ufeff").removesuffix("\n")
    if not text.strip():
        raise SpecError("holds no prompt: it is empty", Where(path))
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SpecError("holds a NUL, which no prompt does", Where(path, line))
    return text


def mark(name: str) -> str:
    """Return what stands in a line for the dynamic value `name`."""
    return f"\0{name}\0"


def marks(text: str) -> tuple[str, ...]:
    """Return the names of the dynamic values in a marked text, in their order."""
    return tuple(_MARK.findall(text))


def with_marks(text: str, values: Mapping[str, str]) -> str:
    """Return `text` with every occurrence of every value replaced by the mark of its name.

    `values` maps a name to the literal text. Where one value is part of another, the longer counts.
    """
    if not values:
        return text
    names = {value: name for name, value in values.items()}
    longest_first = sorted(names, key=len, reverse=True)
    return re.sub(
        "|".join(map(re.escape, longest_first)), lambda found: mark(names[found[0]]), text
    )


def split(text: str, values: Mapping[str, str] | None = None) -> list[Line]:
    """Return the lines of a marked text, numbered as in the file.

    `values` are those that the marks stand for: one of several lines makes the numbers jump.
    """
    breaks = {name: value.count("\n") for name, value in (values or {}).items()}
    number, opening, lines = 1, "", []
    for one in text.split("\n"):
        inside = bool(opening)
        opening = _fence_after(one, opening)
        heading = None if inside else _HEADING.match(one)
        level = 0 if heading is None else len(heading[1])
        lines.append(Line(number, one, level, fenced=inside and bool(opening)))
        number += 1 + sum(breaks.get(name, 0) for name in marks(one))
    return lines


def _fence_after(line: str, opening: str) -> str:
    """Return the fence that is open after `line`, given the one open before it; "" for none."""
    found = _FENCE.match(line)
    if found is None:
        return opening
    if not opening:
        return found[1]
    closes = found[1].startswith(opening) and not line[found.end() :].strip()
    return "" if closes else opening


def code_spans(line: Line) -> list[tuple[int, int]]:
    """Return the (start, end) of code in a line: between back-ticks, or all of a fenced line."""
    return [(0, len(line.text))] if line.fenced else list(_spans(line.text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(text)]
    # The next run of each length from the right, so that an unclosed run costs no search.
    following: dict[int, int] = {}
    closing = [-1] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        size = runs[index][1] - runs[index][0]
        closing[index] = following.get(size, -1)
        following[size] = index
    index = 0
    while index < len(runs):
        if closing[index] < 0:
            index += 1
            continue
        yield runs[index][1], runs[closing[index]][0]
        index = closing[index] + 1
