"""Labelled rows as something rich can draw: labels dim, texts folded beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from memassay.report.rows import LABEL_WIDTH, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console, ConsoleOptions, RenderableType

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


LEVELS = {"MUST": "bold red", "SHOULD": "bold yellow", "MAY": "bold blue"}
"""How the level of a rule that is not met looks."""


def grid(rows: Iterable[Row], indent: int = 2) -> Iterator[RenderableType]:
    """Yield rows with their labels in a column, indented.

    The line to run a case again is never folded: it is there to be copied.
    """
    shown = _grid()
    for row in rows:
        text = Text(row.text, style=STYLES.get(row.role, ""))
        if row.role is not Role.AGAIN:
            shown.add_row(row.label, text)
            continue
        if shown.row_count:
            yield indented(shown, indent)
        label = (f"{' ' * indent}{row.label:<{LABEL_WIDTH}}", "dim")
        yield Unfolded(Text.assemble(label, text, no_wrap=True, overflow="ignore"))
        shown = _grid()
    if shown.row_count:
        yield indented(shown, indent)


@frozen
class Unfolded:
    """A text that stays on one line however long it is, where the console does not crop."""

    text: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Render the text itself: handed over bare, a console would join it with others."""
        yield self.text


def _grid() -> Table:
    table = Table.grid(padding=0)
    table.add_column(width=LABEL_WIDTH, no_wrap=True, style="dim")
    table.add_column(overflow="fold", ratio=1)
    return table


def indented(part: RenderableType, indent: int = 2) -> RenderableType:
    """Return `part` moved to the right."""
    return Padding(part, (0, 0, 0, indent))


def line(*parts: tuple[str, str]) -> Text:
    """Return one line of (text, style) parts that folds at the edge of the terminal."""
    return Text.assemble(*parts, overflow="fold")
