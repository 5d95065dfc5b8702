"""`memassay diff`: what changed between two verdict streams."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from memassay.cli.options import described, format_option, schema_option, spec_options
from memassay.cli.output import render, write, write_json


@click.command("diff", **described(json="diff"))
@click.argument("a", type=click.Path(path_type=Path), metavar="A")
@click.argument("b", type=click.Path(path_type=Path), metavar="B")
@format_option("pretty", "json", "markdown")
@spec_options
@schema_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    a: Path,
    b: Path,
    form: str,
    spec_version: str | None,
    spec_root: Path | None,
) -> None:
    """Say what changed between two verdict streams.

    Cases are aligned by id. Exits 0 if every case came out the same, answers included, and 1 if
    not.
    """
    from memassay.cli.views import read, spec_of  # noqa: PLC0415 (--help needs none of it)
    from memassay.judge.difference import diff  # noqa: PLC0415 (as above)
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (as above)
    from memassay.report.changes import changes  # noqa: PLC0415 (as above)

    one, other = read(a), read(b)
    spec = spec_of(other, spec_version, spec_root)
    difference = diff(one, other, spec)
    show_changes(changes(difference, one, other, spec), form)
    ctx.exit(Exit.AS_EXPECTED if difference.none else Exit.NONCONFORMING)


def show_changes(document: dict[str, Any], form: str) -> None:
    """Write the document of a difference to standard output: pretty, json or markdown."""
    if form == "json":
        write_json(document)
    elif form == "markdown":
        from memassay.report.changes import changes_markdown  # noqa: PLC0415 (one view is enough)

        write(changes_markdown(document))
    else:
        _render(document)


def _render(document: dict[str, Any]) -> None:
    from memassay.report.changes import (  # noqa: PLC0415 (only this format renders)
        GROUPS,
        by_rule,
        change_rows,
        conclusion,
        what,
        who,
    )
    from memassay.report.pretty import heading  # noqa: PLC0415 (as above)
    from memassay.report.terminal import grid, indented, line  # noqa: PLC0415 (as above)

    render(line(("from ", "dim"), (who(document["a"]), "")))
    render(line(("to   ", "dim"), (who(document["b"]), "")))
    for note in document["notes"]:
        render(line((note, "yellow")))
    for key, title in GROUPS:
        if document[key]:
            render(*heading(f"{title} ({len(document[key]):,})"))
        for rule_id, text, items in by_rule(document[key]):
            render("", line((rule_id, "bold"), (f"  {text}", "")))
            for item in items:
                render(indented(line((item["case"], "bold"), (f"  {what(item)}", _style(item)))))
                render(*grid(change_rows(item), indent=4))
    render("", line((conclusion(document), "bold")))


def _style(item: dict[str, Any]) -> str:
    if item.get("after") == "pass":
        return "green"
    return "red" if item.get("before") == "pass" else ""
