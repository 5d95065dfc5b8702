"""Labelled lines: the one layout that every view dresses in its own way."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

NOTHING = "–"
"""What stands in a table for zero and for nothing: easily told from a number, and overlooked."""

LABEL_WIDTH = 11
"""The width of the column of labels, the gap after it included."""


class Role(StrEnum):
    """What a row says, for views that have colours."""

    TEXT = "text"
    INPUT = "input"
    DIFFERENCE = "difference"
    EXPECTED = "expected"
    GOT = "got"
    MARK = "mark"
    NOTE = "note"
    STDERR = "stderr"
    AGAIN = "again"
    PLACE = "place"


@frozen
class Row:
    """One line: a short label, empty if the one above still holds, and a text without breaks."""

    role: Role
    label: str
    text: str


def labelled(role: Role, label: str, texts: Iterable[str]) -> Iterable[Row]:
    """Yield a row for each text, the label before the first one only."""
    for text in texts:
        yield Row(role, label, text)
        label = ""


def plain(rows: Iterable[Row]) -> str:
    """Return rows as plain text, the labels in a column of their own, no line break at the end."""
    return "\n".join(f"{row.label:<{LABEL_WIDTH}}{row.text}".rstrip() for row in rows)
