"""Plain, quiet tables for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table
from rich.text import Text

from memassay.report.rows import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(*columns: tuple[str, str], rows: Iterable[Sequence[Any]]) -> Table:
    """Return a table without frame. A column is its heading and a kind.

    Kinds: `name` (never broken), `number` (to the right, zero as –), `text` (broken where needed,
    takes the room that is left).
    """
    shown = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )
    for heading, kind in columns:
        shown.add_column(
            heading,
            justify="right" if kind == "number" else "left",
            no_wrap=kind != "text",
            overflow="fold",
            ratio=1 if kind == "text" else None,
        )
    for row in rows:
        shown.add_row(*(cell(value) for value in row))
    return shown


def cell(value: Any) -> Text:
    """Return one value of a table: numbers with separators, nothing as –, yes for true."""
    if isinstance(value, Text):
        return value
    if value is None or value is False or value == 0 or value in ("", [], ()):
        return Text(NOTHING, style="dim")
    if value is True:
        return Text("yes")
    if isinstance(value, int):
        return Text(f"{value:,}")
    if isinstance(value, list | tuple):
        return Text(", ".join(map(str, value)))
    return Text(str(value))
