"""`memassay run`: put the cases to an implementation, judge, report."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from memassay.cli.options import (
    ADAPTER_LAST,
    adapter_argument,
    chapter_option,
    complete_names,
    described,
    format_option,
    load,
    max_shown_option,
    profile_option,
    schema_option,
    spec_options,
    strict_option,
    time_limit_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memassay.adapter.connection import Connect
    from memassay.judge.stream import Entry
    from memassay.spec.models import Case, Spec


@click.command(
    "run",
    **described(json="report", jsonl="stream", badge="badge"),
    context_settings=ADAPTER_LAST,
)
@profile_option
@chapter_option
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="RULE",
    shell_complete=complete_names("rules"),
    help="Only this rule; may be given again.",
)
@click.option(
    "--case",
    "cases",
    multiple=True,
    metavar="CASE",
    shell_complete=complete_names("cases"),
    help="Only this case; may be given again.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many adapter processes at once.",
)
@time_limit_option
@click.option(
    "--deviations",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The rules that are broken on purpose, each with a reason.",
)
@strict_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the verdict stream (JSON lines) here, too.",
)
@format_option("pretty", "json", "jsonl", "junit", "markdown", "html", "badge")
@max_shown_option
@click.option(
    "--program",
    metavar="CMD",
    help="Instead of an adapter: a program that is run once a case (see docs/protocol.md).",
)
@click.option("--reference", is_flag=True, help="Instead of an adapter: our own reference.")
@spec_options
@schema_option
@adapter_argument
@click.pass_context
def command(ctx: click.Context, **options: Any) -> None:
    """Examine an implementation, rule by rule.

    CMD starts an adapter: a program that answers JSON lines (docs/protocol.md; `memassay
    new-adapter` makes one). Exits 0 if everything is as expected, 1 if a MUST is broken, 2 for a
    usage error or a stale deviation, 3 if the run is incomplete, 4 if the adapter failed.
    """
    ctx.exit(_run(**options))


def _run(
    *,
    adapter: tuple[str, ...],
    program: str | None,
    reference: bool,
    profile: str,
    deviations: Path | None,
    jobs: int,
    time_limit: float,
    strict: bool,
    out: Path | None,
    form: str,
    max_shown: int | None,
    spec_version: str | None,
    spec_root: Path | None,
    **selection: tuple[str, ...],
) -> int:
    from memassay.cli.problem import as_usage  # noqa: PLC0415 (--help needs none of it)
    from memassay.cli.sinks import progress, stream_file, stream_out  # noqa: PLC0415 (as above)
    from memassay.cli.views import show  # noqa: PLC0415 (as above)
    from memassay.judge.deviations import read_deviations, reasons  # noqa: PLC0415 (as above)
    from memassay.judge.examine import examine, follow  # noqa: PLC0415 (as above)
    from memassay.report.findings import Findings  # noqa: PLC0415 (as above)

    words, connect = _connection(adapter, program, reference=reference, time_limit_s=time_limit)
    spec = load(spec_version, spec_root)
    cases = _chosen(spec, profile, selection)
    with as_usage():
        declared = () if deviations is None else read_deviations(deviations, spec)
    with ExitStack() as stack:
        sinks: list[Callable[[Entry], None]] = []
        if out is not None:
            sinks.append(stack.enter_context(stream_file(out)))
        if form == "jsonl":
            sinks.append(stream_out())
        sinks.append(stack.enter_context(progress()))
        run = follow(
            examine(
                spec,
                cases,
                connect,
                profile=profile,
                jobs=jobs,
                time_limit_s=time_limit,
                deviations=reasons(declared),
                command=words,
                selection={key: names for key, names in selection.items() if names},
            ),
            *sinks,
        )
    findings = Findings.of(run, spec, strict=strict)
    if form != "jsonl":
        show(findings, form, max_shown)
    return findings.assessment.exit


def _connection(
    adapter: tuple[str, ...], program: str | None, *, reference: bool, time_limit_s: float
) -> tuple[tuple[str, ...], Connect]:
    """Return how to connect, and the words that stand for it in a stream's header.

    Whoever allows an answer more time than a start has by default allows a start as much: what is
    slow, or has to be fetched first, is slow from the beginning.
    """
    from memassay.adapter.connect import (  # noqa: PLC0415 (--help needs none of it)
        START_LIMIT_S,
        connect_command,
        connect_program,
        connect_reference,
    )
    from memassay.cli.problem import Problem  # noqa: PLC0415 (as above)

    if sum((bool(adapter), program is not None, reference)) != 1:
        raise Problem(
            "name what is to be examined, in one way",
            hint="memassay run -- CMD…, or --program CMD, or --reference",
        )
    if adapter:
        limit_s = max(START_LIMIT_S, time_limit_s)
        return adapter, connect_command(adapter, start_limit_s=limit_s)
    if program is not None:
        return ("--program", program), connect_program(program)
    return ("--reference",), connect_reference()


def _chosen(spec: Spec, profile: str, selection: Mapping[str, tuple[str, ...]]) -> tuple[Case, ...]:
    """Return the cases to put. That there are none is the user's problem, and why is said."""
    from memassay.cli.problem import Problem, as_usage  # noqa: PLC0415 (--help needs none of it)

    with as_usage():
        cases = spec.select(profile=profile, **selection)
    if cases:
        return cases
    excluded = spec.profiles[profile].excluded_rules
    for rule_id in (*selection["rules"], *(spec.cases[name].rule for name in selection["cases"])):
        if rule_id in excluded:
            raise Problem(f"profile {profile} leaves out {rule_id}: {excluded[rule_id]}")
        if spec.rules[rule_id].excluded:
            raise Problem(f"{rule_id} has no cases: {spec.rules[rule_id].excluded}")
    raise Problem(
        f"no case is left to put under profile {profile}",
        hint="--chapter, --rule and --case narrow each other; name fewer",
    )
