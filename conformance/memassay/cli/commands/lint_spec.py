"""`memassay lint-spec`: whether the spec keeps its own promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from memassay.cli.options import described, format_option, load, schema_option, spec_options
from memassay.cli.output import render, write_json

if TYPE_CHECKING:
    from pathlib import Path


@click.command("lint-spec", **described(json="lint-spec"))
@format_option("pretty", "json")
@spec_options
@schema_option
@click.pass_context
def command(
    ctx: click.Context, *, form: str, spec_version: str | None, spec_root: Path | None
) -> None:
    """Check that the spec keeps its own promises.

    Every MUST and SHOULD has cases or a written exclusion, ids are unique and never reused, every
    constant is used, every boundary has a case at it and one past it, every case can be built.
    Exits 1 if there is an error.
    """
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (--help needs none of it)

    document = _document(spec_version, spec_root)
    if form == "json":
        write_json(document)
    else:
        _render(document)
    ctx.exit(Exit.AS_EXPECTED if document["ok"] else Exit.NONCONFORMING)


def _document(spec_version: str | None, spec_root: Path | None) -> dict[str, Any]:
    from memassay.judge.expectation import case_check  # noqa: PLC0415 (as above)
    from memassay.report.soundness import soundness, unloadable  # noqa: PLC0415 (as above)
    from memassay.spec.errors import SpecError  # noqa: PLC0415 (as above)
    from memassay.spec.lint import lint  # noqa: PLC0415 (as above)
    from memassay.spec.locate import DEFAULT_VERSION  # noqa: PLC0415 (as above)

    try:
        spec = load(spec_version, spec_root)
        return soundness(lint(spec, case_checks=[case_check(spec.ops)]))
    except SpecError as error:
        return unloadable(spec_version or DEFAULT_VERSION, error)


def _render(document: dict[str, Any]) -> None:
    from memassay.report.tables import table  # noqa: PLC0415 (as above)
    from memassay.report.terminal import line  # noqa: PLC0415 (as above)

    chapters = document["chapters"]
    if chapters:
        rows = [
            [c["name"], c["rules"], c["cases"], len(c["excluded"]), len(c["owed"]), c["status"]]
            for c in chapters
        ]
        rows.append(["all", *(sum(row[at] for row in rows) for at in range(1, 5)), " "])
        heads = ("rules", "cases", "excluded", "owed")
        numbers = ((head, "number") for head in heads)
        render(table(("chapter", "name"), *numbers, ("status", "name"), rows=rows), "")
    if document["boundaries"]:
        rows = [
            [b["constant"], b["value"], b["unit"], len(b["at"]), len(b["past"])]
            for b in document["boundaries"]
        ]
        columns = (("value", "number"), ("unit", "name"), ("at", "number"), ("past", "number"))
        render(table(("boundary", "name"), *columns, rows=rows), "")
    grades = ", ".join(f"{count:,} {grade}" for grade, count in document["grades"].items())
    if grades:
        render(line(("rules by strongest evidence: ", "dim"), (grades, "")))
    if document["not_landed"]:
        render(line(("chapters to come: ", "dim"), (", ".join(document["not_landed"]), "")))
    for finding in document["findings"]:
        _render_finding(finding)
    wrong = sum(finding["severity"] == "error" for finding in document["findings"])
    verdict = f"{wrong:,} error{'s' if wrong != 1 else ''}" if wrong else "nothing is missing"
    render("", line((verdict, "bold red" if wrong else "bold green")))


def _render_finding(finding: dict[str, Any]) -> None:
    from memassay.report.terminal import line  # noqa: PLC0415 (as above)

    bad = finding["severity"] == "error"
    place = f"{finding['place']}: " if finding["place"] else ""
    name = f"[{finding['id']}] " if finding["id"] else ""
    severity = (f"{finding['severity']}: ", "bold red" if bad else "yellow")
    render(line(severity, (place, "dim"), (name + finding["message"], "")), fold=False)
