"""The rows of a case in parts, for views that can mark a place in a line: no column is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from memassay.report.rows import Role
from memassay.report.visible import columns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memassay.report.rows import Row

_SIDES = {Role.EXPECTED, Role.GOT}


@frozen
class Line:
    """One line: what stands before the first difference, the sign there, and what comes after."""

    text: str
    at: str = ""
    after: str = ""


@frozen
class Part:
    """All lines under one label; the label is empty if the part has none."""

    label: str
    role: Role
    lines: tuple[Line, ...]


def parts(rows: Iterable[Row]) -> tuple[Part, ...]:
    """Return rows by label. The mark below two sides becomes a mark in both of them."""
    found: list[Part] = []
    for row in rows:
        if row.role is Role.MARK:
            at = len(row.text) - 1
            for index in range(max(0, len(found) - len(_SIDES)), len(found)):
                if found[index].role in _SIDES:
                    (line,) = found[index].lines
                    found[index] = evolve(found[index], lines=(split(line.text, at),))
        elif found and not row.label and row.role is found[-1].role:
            found[-1] = evolve(found[-1], lines=(*found[-1].lines, Line(row.text)))
        else:
            found.append(Part(row.label, row.role, (Line(row.text),)))
    return tuple(found)


def split(text: str, column: int) -> Line:
    """Return `text` with the sign that begins at a `column` apart.

    A sign is a character, a number in brackets (`⟨U+200B⟩`), or, of bytes, a pair of digits.
    """
    start = 0
    while start < len(text) and columns(text[:start]) < column:
        start += 1
    while start < len(text) and not columns(text[start]):
        start += 1  # a combining mark belongs to what is before it
    end = start + 1
    if text[start:end] == "⟨":
        end = text.find("⟩", start) + 1 or end
    elif '"' not in text[:2]:
        end = start + len(text[start:].split(" ", 1)[0])
    while end < len(text) and not columns(text[end]):
        end += 1
    return Line(text[:start], text[start:end], text[end:])
