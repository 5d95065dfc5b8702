"""`memassay explain`: why a rule is so, how we know, and what people get wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from memassay.cli.options import (
    complete_names,
    described,
    format_option,
    load,
    schema_option,
    spec_options,
)
from memassay.cli.output import render, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from memassay.spec.models import Case, Rule, Spec


@click.command("explain", **described(json="explain"))
@click.argument("name", metavar="RULE|CASE", shell_complete=complete_names("rules cases"))
@format_option("pretty", "json")
@spec_options
@schema_option
def command(*, name: str, form: str, spec_version: str | None, spec_root: Path | None) -> None:
    """Explain a rule or case: why, evidence, common mistakes.

    A rule is explained with all of its cases, a case with its rule, a rule that is split part by
    part. Where the cases of a rule fill a table (`cell:`), the table is printed.
    """
    from memassay.report.explanation import explain  # noqa: PLC0415 (--help needs none of it)

    spec = load(spec_version, spec_root)
    documents = [explain(spec, rule, case) for rule, case in _find(spec, name)]
    if form == "json":
        write_json(documents[0] if len(documents) == 1 else documents)
    else:
        for number, document in enumerate(documents):
            if number:
                render("")
            _render(document)


def _find(spec: Spec, name: str) -> list[tuple[Rule, Case | None]]:
    from memassay.cli.problem import Problem, as_usage  # noqa: PLC0415 (--help needs none of it)

    if name in spec.retired:
        raise Problem(f"{name} was retired: {spec.retired[name]}")
    if name in spec.cases:
        return [(spec.rules[spec.cases[name].rule], spec.cases[name])]
    ids = {rule.upper(): rule for rule in spec.rules}  # so that `key-2a` is understood too
    written = ids.get(name.upper(), name)
    looks_like_a_case = name.islower() and written == name
    with as_usage():  # its errors know the nearest names
        if looks_like_a_case and not any(rule.startswith(name.upper()) for rule in spec.rules):
            spec.select(cases=[name])
        asked = name.upper() if looks_like_a_case else written
        return [(rule, None) for rule in spec.rules_named(asked)]


def _render(document: dict[str, Any]) -> None:
    from memassay.report.explanation import case_rows, heading, rule_rows  # noqa: PLC0415 (as above)
    from memassay.report.terminal import grid, line  # noqa: PLC0415 (as above)

    where, sentence = heading(document)
    render(line((where, "bold")), line((sentence, "")), "", *grid(rule_rows(document), indent=0))
    if document["table"] is not None:
        from memassay.report.tables import table  # noqa: PLC0415 (few rules have one)

        columns = ((column, "name") for column in document["table"]["columns"])
        rows = [[*row["cell"], row["case"]] for row in document["table"]["rows"]]
        render("", table(*columns, ("case", "text"), rows=rows))
    for case in document["cases"]:
        render("", line((case["id"], "bold")), *grid(case_rows(case)))
