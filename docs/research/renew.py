"""Bring a version's stream up to the spec as it is now, asking the client only what is new.

A recorded answer stays good as long as the question and the expectation are what they were; any
other case is put to the client again. The parts are streams of the same client, for instance of
single chapters; the last one that has an answer counts. `--judged-by` is the `spec/` directory by
which they were judged (`git worktree add` an old state if need be). `--chapter` narrows the result.

    python docs/research/renew.py 2.1.296 docs/research/verdicts/claude-code-2.1.296.jsonl
        --judged-by OLD/spec --accept-vendor-terms
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from memassay.adapter.connect import connect_command
from memassay.cli.commands.gate import FETCH_LIMIT_S
from memassay.judge.examine import examine, follow
from memassay.judge.reading import read_stream
from memassay.judge.stream import StreamWriter
from memassay.judge.verdict import Footer, Outcome
from memassay.spec.export import export_case
from memassay.spec.loader import load_spec
from memassay.spec.models import DEFAULT_PROFILE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memassay.judge.stream import Run
    from memassay.judge.verdict import Header, Verdict
    from memassay.spec.models import Case, Op, Spec

VERDICTS = Path(__file__).resolve().parent / "verdicts"
TIME_LIMIT_S = 180.0


def still_good(run: Run, old: Spec, new: Spec) -> dict[str, Verdict]:
    """Return the verdicts of cases that ask and expect what they did."""
    found = {}
    for verdict in run.verdicts.values():
        before, after = old.cases.get(verdict.case), new.cases.get(verdict.case)
        if before is None or after is None or verdict.outcome is Outcome.FAULT:
            continue
        if _question(before, old.ops[before.op]) == _question(after, new.ops[after.op]):
            found[verdict.case] = evolve(
                verdict, rule=after.rule, chapter=after.chapter, level=after.level.value
            )
    return found


def _question(case: Case, op: Op) -> str:
    built = export_case(case)
    parts = [built[key] for key in ("op", "args", "tree", "clock_ms", "requires", "expect")]
    return json.dumps([*parts, case.model, op.nulls, op.result_schema], sort_keys=True)


def ask(
    spec: Spec, cases: Sequence[Case], words: Sequence[str]
) -> tuple[Header, Mapping[str, Verdict]]:
    """Put cases to the client; return the header of the run and its verdicts.

    Raises `SystemExit` if the run did not come to its end.
    """
    run = follow(
        examine(
            spec,
            cases,
            connect_command([sys.executable, *words], start_limit_s=FETCH_LIMIT_S),
            profile=DEFAULT_PROFILE,
            time_limit_s=TIME_LIMIT_S,
            command=("python", *words),
        )
    )
    if not run.complete:
        raise SystemExit("the run was cut off; nothing was written")
    return run.header, run.verdicts


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the renewed stream of one version; return an exit status."""
    line = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    line.add_argument("version")
    line.add_argument("parts", nargs="+", type=Path)
    line.add_argument("--judged-by", type=Path, required=True)
    line.add_argument("--chapter", dest="chapters", action="append", default=[])
    line.add_argument("--accept-vendor-terms", action="store_true")
    line.add_argument("--own-spec", action="store_true")
    asked = line.parse_args(arguments)
    new = load_spec(asked.version) if asked.own_spec else load_spec()
    old = load_spec(new.version, asked.judged_by)
    runs = [read_stream(path) for path in asked.parts]
    kept: dict[str, Verdict] = {}
    for run in runs:
        kept |= still_good(run, old, new)
    cases = new.select(profile=DEFAULT_PROFILE, chapters=asked.chapters)
    words = ["-m", "memassay_claude_code", "--client", f"npm:{asked.version}"]
    if asked.accept_vendor_terms:
        words.append("--accept-vendor-terms")
    missing = [case for case in cases if case.id not in kept]
    print(f"{len(cases) - len(missing):,} answers stay good, {len(missing):,} are asked for")
    if missing:
        header, answers = ask(new, missing, words)
        if any(run.header.implementation != header.implementation for run in runs):
            print("the client is not the one of the streams", file=sys.stderr)
            return 4
        kept |= answers
    else:
        header = evolve(runs[-1].header, spec_digest=new.digest)
    header = evolve(
        header,
        command=("python", *words),
        selection={"chapters": tuple(asked.chapters)} if asked.chapters else {},
        cases=len(cases),
    )
    directory = VERDICTS / "own" if asked.own_spec else VERDICTS
    directory.mkdir(exist_ok=True)
    out = directory / f"claude-code-{asked.version}.jsonl"
    with out.open("w", encoding="ascii", newline="\n") as file:
        writer = StreamWriter(file)
        writer.write(header)
        for case in cases:
            writer.write(kept[case.id])
        writer.write(Footer(complete=True, counts={}, digest="", reason=None))
    return 0


if __name__ == "__main__":
    sys.exit(main())
