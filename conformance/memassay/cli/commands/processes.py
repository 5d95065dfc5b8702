"""`memassay processes`: several real processes of an implementation on one directory."""

from __future__ import annotations

from collections import Counter
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
    from collections.abc import Iterator
    from pathlib import Path

    from rich.text import Text

    from memassay.judge.verdict import Exit
    from memassay.processes.play import Played
    from memassay.report.rows import Row
    from memassay.spec.models import Spec


@click.command(
    "processes",
    **described(json="processes"),
    context_settings=ADAPTER_LAST,
)
@time_limit_option
@profile_option
@format_option("pretty", "json")
@spec_options
@schema_option
@adapter_argument
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
    ctx.exit(_ending(played)[0])


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


def _ending(played: list[Played]) -> tuple[Exit, str]:
    """Return the exit code, and why it is that one."""
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (as above)
    from memassay.report.visible import counted  # noqa: PLC0415 (as above)

    outcomes = Counter((_outcome(one), one.scenario.level == "MUST") for one in played)
    faults = outcomes["fault", True] + outcomes["fault", False]
    if faults:
        return Exit.FAULT, f"the adapter failed in {counted(faults, 'scenario')}"
    if outcomes["fail", True]:
        return Exit.NONCONFORMING, f"nonconforming: {counted(outcomes['fail', True], 'scenario')}"
    skipped = outcomes["skipped", True] + outcomes["skipped", False]
    if skipped == len(played):
        return Exit.INCOMPLETE, "nothing could be examined"
    if outcomes["fail", False]:
        warnings = counted(outcomes["fail", False], "scenario")
        return Exit.AS_EXPECTED, f"no MUST is broken; {warnings} of a SHOULD or MAY went otherwise"
    return Exit.AS_EXPECTED, f"everything{' examined' * bool(skipped)} is as expected"


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
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (only this format renders)
    from memassay.report.tables import table  # noqa: PLC0415 (as above)
    from memassay.report.terminal import grid, indented, line  # noqa: PLC0415 (as above)
    from memassay.report.visible import visible  # noqa: PLC0415 (as above)

    for one in played:
        if one.problem:
            title = line((one.scenario.id, "bold"), (f"  {one.scenario.why}", ""))
            render(indented(title), *grid(_rows(one), indent=4), "")
    rows = [
        [one.scenario.id, one.scenario.rule, one.scenario.level, _styled(_outcome(one))]
        for one in played
    ]
    columns = (("scenario", "name"), ("rule", "name"), ("level", "name"), ("outcome", "text"))
    render(table(*columns, rows=rows), "")
    skips = Counter(one.skipped for one in played if one.skipped)
    for why, count in skips.items():
        render(line((f"{count} skipped: {visible(why)}", "yellow")))
    code, sentence = _ending(played)
    render(line((sentence, "bold green" if code is Exit.AS_EXPECTED else "bold red")))


def _rows(one: Played) -> Iterator[Row]:
    from memassay.report.failure import stderr_rows  # noqa: PLC0415 (only this format renders)
    from memassay.report.places import place  # noqa: PLC0415 (as above)
    from memassay.report.rows import Role, Row  # noqa: PLC0415 (as above)
    from memassay.report.visible import visible  # noqa: PLC0415 (as above)

    yield Row(Role.NOTE, "fault" if one.fault else "differs", visible(one.problem or ""))
    yield from stderr_rows(one.stderr)
    yield Row(Role.PLACE, "scenario", place(one.scenario.where))


def _styled(outcome: str) -> Text:
    from rich.text import Text  # noqa: PLC0415 (only this format renders)

    return Text(
        outcome, style={"fail": "red", "fault": "red", "skipped": "yellow"}.get(outcome, "")
    )
