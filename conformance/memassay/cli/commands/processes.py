"""`memassay processes`: several real processes of an implementation on one directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from memassay.cli.options import (
    described,
    format_option,
    load,
    profile_option,
    schema_option,
    spec_options,
)
from memassay.cli.output import render, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from memassay.processes.play import Played
    from memassay.spec.models import Spec


@click.command(
    "processes",
    **described(json="processes"),
    context_settings={"allow_interspersed_args": False},
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one answer may take.",
)
@profile_option
@format_option("pretty", "json")
@spec_options
@schema_option
@click.argument("adapter", nargs=-1, type=click.UNPROCESSED, metavar="-- CMD…")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    adapter: tuple[str, ...],
    time_limit: float,
    profile: str,
    form: str,
    spec_version: str | None,
    spec_root: Path | None,
) -> None:
    """Examine locks, races and killed holders with real processes.

    CMD is started once for each process of a scenario. Exits 0 if everything is as expected, 1 if a
    MUST is broken, 3 if nothing could be examined, 4 if the adapter failed.
    """
    from memassay.cli.problem import Problem  # noqa: PLC0415 (--help needs none of it)

    if not adapter:
        raise Problem("name what is to be examined", hint="memassay processes -- CMD…")
    spec = load(spec_version, spec_root)
    played = _play(spec, spec_root, adapter, profile, time_limit)
    if form == "json":
        write_json({"client": spec.version, "scenarios": [_document(one) for one in played]})
    else:
        _render(played)
    ctx.exit(_code(played))


def _play(
    spec: Spec, root: Path | None, adapter: tuple[str, ...], profile: str, time_limit_s: float
) -> list[Played]:
    from memassay.adapter.connect import connect_command  # noqa: PLC0415 (--help needs none of it)
    from memassay.judge.workspace import Workspace  # noqa: PLC0415 (as above)
    from memassay.processes.play import play  # noqa: PLC0415 (as above)
    from memassay.processes.scenario import load_scenarios  # noqa: PLC0415 (as above)

    connect = connect_command(adapter)
    with Workspace.create() as workspace:
        return [
            play(one, connect, spec.ops, workspace, profile=profile, time_limit_s=time_limit_s)
            for one in load_scenarios(spec.version, root)
        ]


def _code(played: list[Played]) -> int:
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (as above)

    if any(one.fault for one in played):
        return Exit.FAULT
    if any(one.problem and one.scenario.level == "MUST" for one in played):
        return Exit.NONCONFORMING
    return Exit.INCOMPLETE if all(one.skipped for one in played) else Exit.AS_EXPECTED


def _outcome(one: Played) -> str:
    if one.fault:
        return "fault"
    return "fail" if one.problem else "skipped" if one.skipped else "pass"


def _document(one: Played) -> dict[str, Any]:
    return {
        "id": one.scenario.id,
        "rule": one.scenario.rule,
        "level": one.scenario.level,
        "why": one.scenario.why,
        "outcome": _outcome(one),
        "reason": one.problem or one.skipped,
    }


def _render(played: list[Played]) -> None:
    from memassay.report.tables import table  # noqa: PLC0415 (only this format renders)
    from memassay.report.terminal import line  # noqa: PLC0415 (as above)
    from memassay.report.visible import visible  # noqa: PLC0415 (as above)

    for one in played:
        if one.problem:
            render(line((f"{one.scenario.id}: ", "bold"), (visible(one.problem), "red")))
            render(line((f"  {one.scenario.why}", "dim")))
    rows = [
        [one.scenario.id, one.scenario.rule, one.scenario.level, _outcome(one)] for one in played
    ]
    columns = (("scenario", "name"), ("rule", "name"), ("level", "name"), ("outcome", "text"))
    render(table(*columns, rows=rows))
