"""`memassay verify`: whether a stream's verdicts follow from what it recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from memassay.cli.options import described, format_option, schema_option, spec_options
from memassay.cli.output import render, write_json

if TYPE_CHECKING:
    from memassay.judge.stream import Run
    from memassay.judge.verdict import Exit
    from memassay.judge.verify import Problem


@click.command("verify", **described(json="verify"))
@click.argument("stream", type=click.Path(path_type=Path), metavar="STREAM")
@format_option("pretty", "json")
@spec_options
@schema_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    stream: Path,
    form: str,
    spec_version: str | None,
    spec_root: Path | None,
) -> None:
    """Derive a stream's verdicts again from what it recorded.

    Nothing is run: the answers in the stream are judged anew, and digests and counts are compared.
    Exits 0 if everything holds, 1 if something does not, 3 if the run was cut off or interrupted.
    """
    from memassay.cli.views import read, spec_of  # noqa: PLC0415 (--help needs none of it)
    from memassay.judge.verify import verify  # noqa: PLC0415 (as above)

    run = read(stream)
    problems = verify(run, spec_of(run, spec_version, spec_root))
    if form == "json":
        write_json(_document(run, problems))
    else:
        _render(run, problems)
    ctx.exit(_code(run, problems))


def _code(run: Run, problems: list[Problem]) -> Exit:
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (as above)

    # That a stream was cut off is itself one of its problems, and not a sign of meddling.
    if len(problems) > run.truncated:
        return Exit.NONCONFORMING
    return Exit.AS_EXPECTED if run.complete else Exit.INCOMPLETE


def _document(run: Run, problems: list[Problem]) -> dict[str, Any]:
    return {
        "client": run.header.client,
        "profile": run.header.profile,
        "implementation": run.header.implementation.name,
        "version": run.header.implementation.version,
        "spec_digest": run.header.spec_digest,
        "verdicts": len(run.verdicts),
        "complete": run.complete,
        "ok": not problems,
        "problems": [{"case": problem.case, "message": problem.message} for problem in problems],
    }


def _render(run: Run, problems: list[Problem]) -> None:
    from memassay.report.terminal import line  # noqa: PLC0415 (only this format renders)
    from memassay.report.visible import counted, visible  # noqa: PLC0415 (as above)

    for problem in problems:
        case = (f"{problem.case}: ", "bold") if problem.case else ("", "")
        render(line(case, (visible(problem.message), "")), fold=False)
    count = counted(len(run.verdicts), "verdict")
    if problems:
        what = counted(len(problems), "problem")
        render(line((f"{what} in a stream of {count}", "bold red")))
    elif run.complete:
        render(line((f"{count}, all derived again", "bold green")))
    else:
        render(line((f"{count}, all derived again; the run is incomplete", "bold yellow")))
