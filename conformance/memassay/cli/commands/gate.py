"""`memassay gate`: whether two versions of the genuine client behave alike, for a version bump."""

from __future__ import annotations

import re
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from memassay.cli.options import (
    chapter_option,
    described,
    format_option,
    load,
    schema_option,
    spec_options,
)

if TYPE_CHECKING:
    from memassay.judge.stream import Run
    from memassay.spec.models import Spec

WITNESS = "memassay_claude_code"
TIME_LIMIT_S = 180.0
"""How long one answer of a client may take: it starts anew for many cases, on a busy machine."""

FETCH_LIMIT_S = 1_800.0
"""How long a client may take to start: a version may have to be fetched first, some 250 MB."""

_VERSION = re.compile(r"\d+\.\d+\.\d+")


@click.command("gate", **described(json="diff"))
@click.option(
    "--from",
    "before",
    required=True,
    metavar="WHICH",
    help="The version in use: its number (2.1.296), an executable, or a stored stream (.jsonl).",
)
@click.option("--to", "after", required=True, metavar="WHICH", help="The version to bump to.")
@click.option(
    "--accept-vendor-terms",
    is_flag=True,
    help="You accept the terms of the client's owner; needed to fetch a version by its number.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the streams of the versions that are run here.",
)
@chapter_option
@format_option("pretty", "json", "markdown")
@spec_options
@schema_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    before: str,
    after: str,
    accept_vendor_terms: bool,
    out: Path | None,
    chapters: tuple[str, ...],
    form: str,
    spec_version: str | None,
    spec_root: Path | None,
) -> None:
    """Run two versions of the genuine client, and say what drifted.

    Both are asked every case that can be seen from outside. Exits 0 if they answer alike, 1 on
    drift, naming rules and cases with the answers before and after, 3 if a run is incomplete, 4 if
    the witness failed. A version is fetched by its number from its owner's npm package, under its
    owner's terms, and kept outside of this project.
    """
    from memassay.cli.commands.diff import show_changes  # noqa: PLC0415 (--help needs none of it)
    from memassay.judge.difference import diff  # noqa: PLC0415 (as above)
    from memassay.report.changes import changes  # noqa: PLC0415 (as above)

    spec = load(spec_version, spec_root)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    one, other = (
        _run(which, spec, chapters, None if out is None else out / name, accept=accept_vendor_terms)
        for which, name in ((before, _stream(before, "from")), (after, _stream(after, "to")))
    )
    difference = diff(one, other, spec)
    show_changes(changes(difference, one, other, spec), form)
    ctx.exit(_exit(one, other, drifted=not difference.none))


def _stream(which: str, role: str) -> str:
    """Return the file name of a version's stream: by its number if that is how it was named."""
    return f"claude-code-{which if _VERSION.fullmatch(which) else role}.jsonl"


def _exit(one: Run, other: Run, *, drifted: bool) -> int:
    """Return what the two runs and their difference come to.

    A case that an older client fails is drift, not a fault; only a witness that did not testify
    makes the comparison worthless.
    """
    from memassay.judge.verdict import Exit, Outcome  # noqa: PLC0415 (as above)

    if not (one.complete and other.complete):
        return Exit.INCOMPLETE
    for run in (one, other):
        if run.troubles or any(v.outcome is Outcome.FAULT for v in run.verdicts.values()):
            return Exit.FAULT
    return Exit.NONCONFORMING if drifted else Exit.AS_EXPECTED


def _run(
    which: str, spec: Spec, chapters: tuple[str, ...], stream: Path | None, *, accept: bool
) -> Run:
    """Return the stored run that `which` names, or put every case to the client that it names."""
    from memassay.adapter.connect import connect_command  # noqa: PLC0415 (as above)
    from memassay.cli.problem import Problem, as_usage  # noqa: PLC0415 (as above)
    from memassay.cli.sinks import progress, stream_file  # noqa: PLC0415 (as above)
    from memassay.cli.views import read  # noqa: PLC0415 (as above)
    from memassay.judge.examine import examine, follow  # noqa: PLC0415 (as above)

    if which.endswith(".jsonl"):
        return read(Path(which))
    if find_spec(WITNESS) is None:
        raise Problem(
            "the witness is not installed", hint="pip install ./adapters/claude_code, then again"
        )
    client = f"npm:{which}" if _VERSION.fullmatch(which) else which
    words = ["-m", WITNESS, "--client", client]
    if accept:
        words.append("--accept-vendor-terms")
    with as_usage():
        cases = spec.select(chapters=chapters)
    with ExitStack() as stack:
        sinks = [stack.enter_context(progress())]
        if stream is not None:
            sinks.append(stack.enter_context(stream_file(stream)))
        return follow(
            examine(
                spec,
                cases,
                connect_command([sys.executable, *words], start_limit_s=FETCH_LIMIT_S),
                profile="claude-code",
                time_limit_s=TIME_LIMIT_S,
                command=("python", *words),  # what anyone types, not where it is on this machine
                selection={"chapters": chapters} if chapters else {},
            ),
            *sinks,
        )
