"""Labelled rows as something rich can draw: labels dim, texts folded beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from memassay.report.rows import LABEL_WIDTH, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from memassay.report.rows import Row

STYLES = {
    Role.EXPECTED: "green",
    Role.GOT: "red",
    Role.MARK: "bold",
    Role.NOTE: "yellow",
    Role.STDERR: "dim",
    Role.AGAIN: "cyan",
    Role.PLACE: "dim",
}
"""How the texts of rows look; a role that is not here looks like any text."""


def grid(rows: Iterable[Row], indent: int = 2) -> RenderableType:
    """Return rows with their labels in a column, indented."""
    shown = Table.grid(padding=0)
    shown.add_column(width=LABEL_WIDTH, no_wrap=True, style="dim")
    shown.add_column(overflow="fold", ratio=1)
    for row in rows:
        shown.add_row(row.label, Text(row.text, style=STYLES.get(row.role, "")))
    return Padding(shown, (0, 0, 0, indent))


def line(*parts: tuple[str, str]) -> Text:
    """Return one line of (text, style) parts that folds at the edge of the terminal."""
    return Text.assemble(*parts, overflow="fold")
