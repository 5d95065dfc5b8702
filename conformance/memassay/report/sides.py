"""One difference between two values: where it is, and both sides around that place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from memassay.judge.expectation import ABSENT, REST, UNTOUCHED
from memassay.judge.texts import first_difference
from memassay.judge.values import as_bytes
from memassay.report.notation import in_words
from memassay.report.visible import (
    code_point,
    columns,
    counted,
    short,
    visible,
    window,
    window_start,
)

if TYPE_CHECKING:
    from memassay.judge.verdict import Mismatch

_BYTES_BEFORE = 8  # shown before the difference, for orientation
_BYTES_SHOWN = 16
_LIMIT = 120  # characters of any other value
_TOLD = 48  # characters of a text that a sentence about a difference has in full


@frozen
class Sides:
    """Both sides of one difference, each on one line, with nothing invisible in them.

    `where` names the place; `sentence` says all of it in words. `mark` is the column under which
    the sides part, if they can be put one above the other.
    """

    where: str
    one: str
    other: str
    sentence: str
    mark: int | None = None
    told: bool = False
    """Whether the sentence has both sides in full, so that nothing is gained by showing them."""


def sides(mismatch: Mismatch) -> Sides:
    """Return the two sides of a mismatch, each around the place where they part."""
    one, other = mismatch.expected, mismatch.got
    at = _place(mismatch.at)
    if isinstance(one, str) and isinstance(other, str) and mismatch.position is not None:
        return _texts(mismatch, at, one, other)
    data, more = as_bytes(one), as_bytes(other)
    if data is not None and more is not None:
        return _bytes(at, data, more)
    unexpected_error = mismatch.at == "error" and one is None
    told = unexpected_error or one in (UNTOUCHED, ABSENT) or (_is_told(one) and _is_told(other))
    sentence = f"{'the answer' if unexpected_error else at} {mismatch.problem}"
    return Sides(at, in_words(one, _LIMIT), short(other, _LIMIT), sentence, told=told)


def _place(at: str) -> str:
    if at == f"tree:{REST}":
        return "the directory:"
    return visible(at.replace("tree:", "afterwards ", 1) if at.startswith("tree:") else at) or "it"


def _after(count: int, what: str) -> str:
    return f"after {counted(count, f'equal {what}')}" if count else "from the start"


def _is_told(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _TOLD and value.isprintable()
    return value is None or isinstance(value, bool | int | float)


def _texts(mismatch: Mismatch, at: str, one: str, other: str) -> Sides:
    index = first_difference(one, other)
    start = window_start(one, index)
    where = f"{at}, from the start"
    spot = mismatch.position
    if spot is not None and spot.units:
        where = f"{at}, {_after(spot.units, 'unit')} (line {spot.line:,}, column {spot.column:,})"
    return Sides(
        where,
        window(one, index),
        window(other, index),
        where + _alike(one[index : index + 1], other[index : index + 1]),
        mark=columns(visible(one, start, index)) + len('"') + bool(start),
    )


def _alike(one: str, other: str) -> str:
    """Name two characters that might look the same: a Cyrillic letter and a Latin one."""
    if not one or not other or (one + other).isascii():
        return ""
    return f": {code_point(one)} expected, {code_point(other)} got"


def _bytes(at: str, one: bytes, other: bytes) -> Sides:
    index = first_difference(one, other)
    start = max(0, index - _BYTES_BEFORE)
    where = f"{at}, {_after(index, 'byte')}"
    mark = len("… ") * bool(start) + (index - start) * len("00 ")
    return Sides(where, _hex(one, start), _hex(other, start), where, mark=mark)


def _hex(data: bytes, start: int) -> str:
    left = "… " if start else ""
    right = " …" if len(data) > start + _BYTES_SHOWN else ""
    pairs = data[start : start + _BYTES_SHOWN].hex(" ").upper()
    return f"{left}{pairs}{right} ({counted(len(data), 'byte')})".lstrip()
