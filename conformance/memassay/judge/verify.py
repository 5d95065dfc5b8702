"""Checking a stream without running anything: whether it is whole and every verdict follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from memassay.judge.decide import Record, decide
from memassay.judge.nulls import null_verdicts
from memassay.judge.stream import encode_line, sealed
from memassay.judge.verdict import Outcome
from memassay.spec.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.judge.stream import Run
    from memassay.judge.verdict import Footer, Verdict
    from memassay.spec.models import Case, Op, Spec

_ANSWERED = frozenset({Outcome.PASS, Outcome.FAIL})


@frozen
class Problem:
    """One reason not to believe a stream; `case` if it is about one verdict."""

    message: str
    case: str | None = None

    def __str__(self) -> str:
        """Render in one line."""
        return self.message if self.case is None else f"{self.case}: {self.message}"


def verify(run: Run, spec: Spec) -> list[Problem]:
    """Return everything that is wrong with a run, nothing if it holds.

    The footer must be that of these lines; the spec must be the one that judged; every case that
    was due must have its verdict, in order; and every verdict must follow from the answer that is
    recorded with it. What the adapter did instead of answering, and what null adapters would have
    left behind in a directory, cannot be derived again and is taken as recorded.
    """
    problems = [*_footer_problems(run)]
    differs = _spec_problem(run, spec)
    if differs is not None:
        return [*problems, differs]
    problems += _selection_problems(run, spec)
    for rule in run.header.deviations:
        if rule not in spec.rules:
            problems.append(Problem(f"a deviation is declared from {rule}, which is no rule"))
    for verdict in run.verdicts.values():
        case = spec.cases.get(verdict.case)
        if case is not None:
            found = _verdict_problems(run, verdict, case, spec.ops[case.op])
            problems += [Problem(message, case.id) for message in found]
    return problems


def _footer_problems(run: Run) -> Iterator[Problem]:
    footer = run.footer
    if footer is None:
        yield Problem("the stream has no footer: it was cut off")
        return
    if footer.digest != run.digest:
        yield Problem(
            f"the lines were changed after they were written: the footer has the digest "
            f"{footer.digest}, they have {run.digest}"
        )
    counts = _recounted(run, footer)
    if dict(footer.counts) != counts:
        yield Problem(f"the footer counts {dict(footer.counts)}, the verdicts are {counts}")
    if run.footer_line is not None and run.footer_line != encode_line(footer):
        yield Problem("the footer was changed after it was written")
    if footer.complete and len(run.verdicts) != run.header.cases:
        yield Problem(
            f"the footer says the run is complete, but it has {len(run.verdicts):,} verdicts for "
            f"{run.header.cases:,} cases"
        )
    if footer.complete == (footer.reason is not None):
        yield Problem("the footer does not say clearly whether the run is complete")


def _recounted(run: Run, footer: Footer) -> dict[str, int]:
    return dict(sealed(footer, run.verdicts.values()).counts)


def _spec_problem(run: Run, spec: Spec) -> Problem | None:
    header = run.header
    if header.client != spec.version:
        return Problem(
            f"the run was judged by the spec of client {header.client}, this is that of "
            f"{spec.version}; no verdict can be derived again"
        )
    if header.spec_digest != spec.digest:
        return Problem(
            f"the run was judged by another state of the spec ({header.spec_digest}, this one is "
            f"{spec.digest}); no verdict can be derived again"
        )
    return None


def _selection_problems(run: Run, spec: Spec) -> Iterator[Problem]:
    header = run.header
    try:
        due = [case.id for case in spec.select(profile=header.profile, **header.selection)]
    except SpecError as error:
        yield Problem(f"the header names what is not in the spec: {error.message}")
        return
    if header.cases != len(due):
        yield Problem(f"the header says {header.cases:,} cases, the spec has {len(due):,}")
    places = {case_id: index for index, case_id in enumerate(due)}
    last = -1
    for case_id in run.verdicts:
        if case_id not in places:
            yield Problem("was not to be judged in this run", case_id)
            continue
        if places[case_id] < last:
            yield Problem("is not in the spec's order", case_id)
        last = max(last, places[case_id])
    if run.complete:
        for case_id in due:
            if case_id not in run.verdicts:
                yield Problem("has no verdict", case_id)


def _verdict_problems(run: Run, verdict: Verdict, case: Case, op: Op) -> Iterator[str]:
    for word, said, wanted in (
        ("rule", verdict.rule, case.rule),
        ("chapter", verdict.chapter, case.chapter),
        ("level", verdict.level, case.level.value),
    ):
        if said != wanted:
            yield f"the {word} is {wanted}, not {said}"
    supported = case.op in run.header.ops
    unsupported = verdict.outcome is Outcome.UNSUPPORTED
    if not supported and not unsupported:
        yield f"the adapter does not list {case.op}, yet there is a verdict"
    if supported and unsupported and verdict.reason is None:
        yield f"the adapter lists {case.op}, yet it is said to be unsupported"
    if verdict.result is not None or verdict.error is not None:
        yield from _derivation_problems(verdict, case, op)
    elif verdict.outcome in _ANSWERED:
        yield f"there is no answer from which {verdict.outcome} could follow"
    elif verdict.mismatches or verdict.nulls or verdict.tree is not None or verdict.requests:
        yield "there is no answer, yet it is judged"
    elif verdict.outcome is Outcome.SKIPPED and verdict.reason is None:
        yield "there is no reason why it was skipped"
    elif verdict.outcome is Outcome.FAULT and (verdict.fault is None or verdict.reason is None):
        yield "there is no word of what the fault was"


def _derivation_problems(verdict: Verdict, case: Case, op: Op) -> Iterator[str]:
    record = Record(verdict.result, verdict.error, verdict.tree, verdict.requests)
    decision = decide(case, op, record)
    if verdict.outcome is not decision.outcome:
        yield f"the recorded answer makes it {decision.outcome}, not {verdict.outcome}"
    elif verdict.mismatches != decision.mismatches:
        yield "the mismatches are not those of the recorded answer"
    elif (verdict.fault, verdict.reason) != (decision.fault, decision.reason):
        yield "the fault is not that of the recorded answer"
    derived = null_verdicts(case, op, None)
    if verdict.nulls.keys() != derived.keys() or any(
        passed is not None and passed != verdict.nulls[name] for name, passed in derived.items()
    ):
        yield "what the null adapters score is not what their answers score"
