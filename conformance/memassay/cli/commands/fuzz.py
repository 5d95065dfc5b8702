"""`memassay fuzz`: random questions to an implementation, until it and the reference disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from memassay.cli.options import (
    ADAPTER_LAST,
    adapter_argument,
    described,
    format_option,
    load,
    profile_option,
    schema_option,
    spec_options,
    time_limit_option,
)
from memassay.cli.output import render, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from memassay.fuzz.outcome import Assignment, Outcome
    from memassay.spec.models import Spec

FUZZERS = {
    **dict.fromkeys(
        (
            "caching",
            "index_backfill",
            "index_lint",
            "index_window",
            "layers",
            "memory_dir",
            "project_key",
            "project_root",
            "sanitise",
            "staleness",
            "staleness_read",
            "topic_rewrite",
        ),
        "memassay.fuzz.differential",
    ),
    "session": "memassay.fuzz.session_fuzz",
}
"""The ops that can be fuzzed, with the module whose `fuzz` does it."""


@click.command(
    "fuzz",
    **described(json="fuzz"),
    context_settings=ADAPTER_LAST,
)
@click.option(
    "--op",
    "op_name",
    type=click.Choice(sorted(FUZZERS)),
    required=True,
    help="Which op to ask.",
)
@click.option(
    "--against",
    type=click.Choice(["reference"]),
    default="reference",
    show_default=True,
    help="Whom to compare with.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    metavar="N",
    help="How many questions.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    metavar="N",
    help="Another number, other questions.",
)
@time_limit_option
@profile_option
@format_option("pretty", "json")
@spec_options
@schema_option
@adapter_argument
@click.pass_context
def command(ctx: click.Context, **options: Any) -> None:
    """Ask an implementation at random, and compare with the reference.

    A disagreement is made as short as possible and written as a case: read it, decide from the
    evidence who is right, and add it to a chapter. Exits 0 if there is none, 1 if there is one, 4
    if the adapter fails.
    """
    ctx.exit(_fuzz(**options))


def _fuzz(
    *,
    op_name: str,
    against: str,  # noqa: ARG001 (the reference is the only choice so far)
    examples: int,
    seed: int,
    time_limit: float,
    profile: str,
    form: str,
    spec_version: str | None,
    spec_root: Path | None,
    adapter: tuple[str, ...],
) -> int:
    from memassay.cli.problem import Problem  # noqa: PLC0415 (--help needs none of it)
    from memassay.fuzz.outcome import Assignment  # noqa: PLC0415 (as above)
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (as above)

    if not adapter:
        raise Problem("name what is to be fuzzed", hint="memassay fuzz --op OP -- CMD…")
    spec = load(spec_version, spec_root)
    assignment = Assignment(_op(spec, op_name), examples, seed)
    outcome = _run(assignment, adapter, profile, time_limit)
    if form == "json":
        write_json(_document(assignment, outcome))
    else:
        _render(assignment, outcome)
    if outcome.disagreement is not None:
        return Exit.NONCONFORMING
    return Exit.AS_EXPECTED if outcome.skipped < outcome.asked else Exit.INCOMPLETE


def _op(spec: Spec, name: str) -> Any:
    from memassay.cli.problem import Problem  # noqa: PLC0415 (--help needs none of it)

    if name not in spec.ops:
        raise Problem(f"this spec has no op {name}")
    return spec.ops[name]


def _run(
    assignment: Assignment, adapter: tuple[str, ...], profile: str, time_limit_s: float
) -> Outcome:
    from importlib import import_module  # noqa: PLC0415 (--help needs none of it)

    from memassay.adapter.asker import Asker  # noqa: PLC0415 (as above)
    from memassay.adapter.connect import connect_command, connect_reference  # noqa: PLC0415
    from memassay.cli.problem import Problem  # noqa: PLC0415 (as above)
    from memassay.fuzz.outcome import FuzzError  # noqa: PLC0415 (as above)
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (as above)

    fuzz = import_module(FUZZERS[assignment.op.name]).fuzz
    with (
        Asker(connect_reference(), profile=profile) as reference,
        Asker(connect_command(adapter), profile=profile, time_limit_s=time_limit_s) as port,
    ):
        if assignment.op.name not in port.started.ops:
            raise Problem(f"the adapter has no op {assignment.op.name}")
        try:
            return fuzz(assignment, port, reference)
        except FuzzError as error:
            raise Problem(str(error), Exit.FAULT) from None


def _document(assignment: Assignment, outcome: Outcome) -> dict[str, Any]:
    found = outcome.disagreement
    return {
        "op": assignment.op.name,
        "seed": assignment.seed,
        "asked": outcome.asked,
        "skipped": outcome.skipped,
        "disagreement": None
        if found is None
        else {"problem": found.problem, "case": dict(found.case)},
    }


def _render(assignment: Assignment, outcome: Outcome) -> None:
    from memassay.fuzz.as_yaml import case_yaml  # noqa: PLC0415 (only this format renders)
    from memassay.report.terminal import line  # noqa: PLC0415 (as above)
    from memassay.report.visible import counted, visible  # noqa: PLC0415 (as above)

    asked = counted(outcome.asked, "question")
    skipped = f", {outcome.skipped:,} declined" if outcome.skipped else ""
    about = f"{assignment.op.name}: {asked} (seed {assignment.seed}){skipped}"
    if outcome.disagreement is None:
        render(line((f"{about}, no disagreement", "bold green")))
        return
    render(line((f"{about}, one disagreement", "bold red")))
    render(line((visible(outcome.disagreement.problem), "")), "")
    click.echo(case_yaml(outcome.disagreement.case))
