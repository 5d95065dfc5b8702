"""`memassay list`: what the spec holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from memassay.cli.options import (
    chapter_option,
    described,
    format_option,
    load,
    schema_option,
    spec_options,
)
from memassay.cli.output import render, write, write_json

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "chapters": (
        ("name", "chapter", "name"),
        ("rules", "rules", "number"),
        ("cases", "cases", "number"),
        ("excluded", "excluded", "number"),
        ("status", "status", "name"),
        ("title", "title", "text"),
    ),
    "rules": (
        ("id", "rule", "name"),
        ("level", "level", "name"),
        ("cases", "cases", "number"),
        ("evidence", "evidence", "name"),
        ("text", "text", "text"),
    ),
    "cases": (
        ("id", "case", "name"),
        ("rule", "rule", "name"),
        ("why", "why", "text"),
    ),
    "ops": (
        ("name", "op", "name"),
        ("kind", "kind", "name"),
        ("chapter", "chapter", "name"),
        ("cases", "cases", "number"),
        ("description", "description", "text"),
    ),
    "evidence": (
        ("chapter", "chapter", "name"),
        ("rules", "rules", "number"),
        ("observed", "observed", "number"),
        ("published", "published", "number"),
        ("stated", "stated", "number"),
        ("derived", "derived", "number"),
        ("disputed", "disputed", "number"),
    ),
}
"""For each view, what a person is shown: key, heading, kind of column."""


def _view(name: str, what: str) -> Any:
    return click.option(f"--{name}", "view", flag_value=name, help=f"List {what}.")


@click.command("list", **described(json="list"))
@_view("chapters", "chapters; this is what is listed unless you say otherwise")
@_view("rules", "rules, with their strongest evidence")
@_view("cases", "cases")
@_view("ops", "the operations an adapter may offer")
@_view("evidence", "for each chapter how many rules rest on which grade of evidence")
@chapter_option
@format_option("pretty", "json", "names")
@spec_options
@schema_option
def command(
    *,
    view: str | None,
    chapters: tuple[str, ...],
    form: str,
    spec_version: str | None,
    spec_root: Path | None,
) -> None:
    """List chapters, rules, cases, ops or evidence.

    `--format names` prints one name a line, for scripts.
    """
    from memassay.cli.problem import as_usage  # noqa: PLC0415 (--help needs none of it)
    from memassay.report.catalogue import catalogue  # noqa: PLC0415 (as above)

    spec = load(spec_version, spec_root)
    with as_usage():
        spec.select(chapters=chapters)  # for its error about an unknown chapter
    document = catalogue(spec, view or "chapters", chapters)
    if form == "json":
        write_json(document)
    elif form == "names":
        key = COLUMNS[document["view"]][0][0]
        write("".join(f"{item[key]}\n" for item in document["items"]))
    else:
        _render(document)


def _render(document: dict[str, Any]) -> None:
    from memassay.report.tables import table  # noqa: PLC0415 (only this format renders)

    columns = COLUMNS[document["view"]]
    items = document["items"]
    rows = [[item[key] for key, _, _ in columns] for item in items]
    numbers = [key for key, _, kind in columns if kind == "number"]
    if document["view"] in {"chapters", "evidence"} and items:
        rows.append(
            [
                "all" if column == 0 else sum(i[key] for i in items) if key in numbers else " "
                for column, (key, _, _) in enumerate(columns)
            ]
        )
    render(table(*((heading, kind) for _, heading, kind in columns), rows=rows))
