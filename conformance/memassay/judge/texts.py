"""Where two texts first differ, said so that a person finds the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memassay.judge.verdict import Position

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEFORE = 12
_AFTER = 24
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def length_units(text: str) -> int:
    """Return the length of `text` in UTF-16 code units, what JavaScript's `.length` counts."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def line_count(text: str) -> int:
    """Return the number of lines of `text`: LF separates them, and a final LF ends the last one."""
    return text.count("\n") + (not text.endswith("\n") and text != "")


def first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many leading items (code points, bytes) two texts or byte strings share.

    Halves the doubtful part again and again, so the work is linear and done by slices.
    """
    size = min(len(one), len(other))
    if one[:size] == other[:size]:
        return size
    low, high = 0, size  # the first `low` items are shared, the first `high` are not
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


def position(text: str, index: int) -> Position:
    """Return the place of the code point at `index`, counted in UTF-16 code units."""
    shared = text[:index]
    line_start = shared.rfind("\n") + 1
    return Position(
        units=length_units(shared),
        line=shared.count("\n") + 1,
        column=length_units(shared[line_start:]) + 1,
    )


def difference(expected: str, got: str) -> tuple[str, Position]:
    """Return one sentence on how `got` departs from `expected`, and where; the two must differ."""
    index = first_difference(expected, got)
    place = position(expected, index)
    if not got:
        return f"is empty, expected {quote(expected)}", place
    if not expected:
        return f"is {quote(got)}, expected an empty text", place
    where = f"line {place.line:,}, column {place.column:,}"
    if index == len(got):
        problem = f"ends after {place.units:,} units ({where}); expected to follow: "
        return problem + quote(expected[index:]), place
    if index == len(expected):
        problem = f"goes on after {place.units:,} units ({where}), where it should end: "
        return problem + quote(got[index:]), place
    if index == 0 and max(len(expected), len(got)) <= _BEFORE + _AFTER:
        return f"is {quote(got)}, expected {quote(expected)}", place
    problem = f"differs after {place.units:,} equal units ({where}): "
    return f"{problem}expected {around(expected, index)}, got {around(got, index)}", place


def around(text: str, index: int) -> str:
    """Return the part of `text` around `index`, in quotes, with … where something is left out."""
    start, end = max(0, index - _BEFORE), index + _AFTER
    left = "…" if start else ""
    right = "…" if end < len(text) else ""
    return f"{left}{quote(text[start:end], _BEFORE + _AFTER)}{right}"


def quote(text: str, limit: int = 48) -> str:
    """Return `text` in double quotes on one line, its unprintable characters as escapes.

    A text of more than `limit` characters is cut, and its length in units is named.
    """
    start = text[:limit]
    plain = start.isprintable() and '"' not in start and "\\" not in start
    shown = start if plain else "".join(map(_escape, start))
    if len(text) <= limit:
        return f'"{shown}"'
    return f'"{shown}"… ({length_units(text):,} units)'


def _escape(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\u{code:04x}" if char <= "\uffff" else f"\\U{code:08x}"
