"""What a run comes to: how each case stands, what it scores, and the exit code.

The exit code is the first of these that holds:

1. 3 (incomplete): the run was interrupted, its stream was cut off, or verdicts are missing;
2. 4 (fault): the adapter failed somewhere instead of answering;
3. 1 (nonconforming): a MUST failed that is not declared (with `strict`, also a SHOULD);
4. 2 (stale): a declared rule passes;
5. 3 (incomplete): the adapter skipped a case it owes, or nothing was judged at all;
6. 0.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import frozen

from memassay.judge.verdict import Exit, Outcome
from memassay.spec.errors import SpecError
from memassay.spec.models import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memassay.judge.stream import Run
    from memassay.judge.verdict import Verdict
    from memassay.spec.models import Case, Spec


class Standing(StrEnum):
    """How one case stands, once levels and declarations are taken into account."""

    CONFORMING = "conforming"
    """It passed."""
    NONCONFORMING = "nonconforming"
    """A MUST failed (with `strict`, also a SHOULD)."""
    WARNING = "warning"
    """A SHOULD failed."""
    NOTE = "note"
    """A MAY is done differently."""
    DECLARED = "declared"
    """It failed, and the port says that it breaks this rule."""
    SKIPPED = "skipped"
    """The adapter declined it, though it lists the op."""
    UNSUPPORTED = "unsupported"
    """The adapter does not list the op."""
    FAULT = "fault"
    """The adapter failed; there is no answer."""
    NOT_RUN = "not-run"
    """The run ended before it."""


_FAILED = {
    Level.MUST.value: Standing.NONCONFORMING,
    Level.SHOULD.value: Standing.WARNING,
    Level.MAY.value: Standing.NOTE,
}
_WITHOUT_ANSWER = {
    Outcome.SKIPPED: Standing.SKIPPED,
    Outcome.UNSUPPORTED: Standing.UNSUPPORTED,
    Outcome.FAULT: Standing.FAULT,
    Outcome.NOT_RUN: Standing.NOT_RUN,
}
_JUDGED = frozenset({Outcome.PASS, Outcome.FAIL})


@frozen
class Score:
    """Passes among the cases that were judged: those that got an answer, right or wrong."""

    passes: int
    total: int

    @property
    def share(self) -> float | None:
        """The passes as a share of one, or None if nothing was judged."""
        return self.passes / self.total if self.total else None


@frozen
class Tally:
    """How the cases of a chapter or a rule stand. Standings without cases are left out."""

    counts: Mapping[Standing, int]

    def __getitem__(self, standing: Standing) -> int:
        """Return how many cases stand so."""
        return self.counts.get(standing, 0)

    @property
    def total(self) -> int:
        """How many cases there are."""
        return sum(self.counts.values())


@frozen
class Assessment:
    """Everything that follows from a run.

    `cases` has every case that was due, in the spec's order; `rules` and `chapters` tally them.
    `stale` are declared rules of which every case passed. `score` is the implementation's, `nulls`
    what the null adapters would have scored on the same cases. `missing` counts the verdicts that
    were due and are not there; `reason` says in words why the exit code is what it is.
    """

    cases: Mapping[str, Standing]
    counts: Mapping[Standing, int]
    chapters: Mapping[str, Tally]
    rules: Mapping[str, Tally]
    stale: tuple[str, ...]
    score: Score
    nulls: Mapping[str, Score]
    missing: int
    exit: Exit
    reason: str


def assess(run: Run, spec: Spec, *, strict: bool = False) -> Assessment:
    """Return what a run comes to.

    `spec` says which cases were due; if it is not the one that the run was judged by, only their
    number is known. `strict` makes a failing SHOULD count like a MUST.
    """
    declared = run.header.deviations
    rows = [
        (verdict.case, verdict.rule, verdict.chapter, _standing(verdict, declared, strict=strict))
        for verdict in run.verdicts.values()
    ]
    due = _due(run, spec)
    if due:
        rows += [
            (case.id, case.rule, case.chapter, Standing.NOT_RUN)
            for case in due
            if case.id not in run.verdicts
        ]
        places = {case_id: index for index, case_id in enumerate(spec.cases)}
        rows.sort(key=lambda row: places.get(row[0], len(places)))
    counts = Counter(standing for _, _, _, standing in rows)
    judged = [verdict for verdict in run.verdicts.values() if verdict.outcome in _JUDGED]
    stale = tuple(rule for rule in declared if _is_stale(rule, run, spec))
    missing = run.header.cases - len(run.verdicts)
    code, reason = _exit(run, counts, stale, missing=missing, judged=len(judged))
    return Assessment(
        cases={case_id: standing for case_id, _, _, standing in rows},
        counts={standing: counts[standing] for standing in Standing},
        chapters=_tallies((chapter, standing) for _, _, chapter, standing in rows),
        rules=_tallies((rule, standing) for _, rule, _, standing in rows),
        stale=stale,
        score=Score(sum(v.outcome is Outcome.PASS for v in judged), len(judged)),
        nulls={
            name: Score(sum(verdict.nulls.get(name, False) for verdict in judged), len(judged))
            for name in dict.fromkeys(name for verdict in judged for name in verdict.nulls)
        },
        missing=missing,
        exit=code,
        reason=reason,
    )


def _standing(verdict: Verdict, declared: Mapping[str, str], *, strict: bool) -> Standing:
    if verdict.outcome is Outcome.PASS:
        return Standing.CONFORMING
    if verdict.outcome is not Outcome.FAIL:
        return _WITHOUT_ANSWER[verdict.outcome]
    if verdict.rule in declared:
        return Standing.DECLARED
    standing = _FAILED[verdict.level]
    return Standing.NONCONFORMING if strict and standing is Standing.WARNING else standing


def _due(run: Run, spec: Spec) -> tuple[Case, ...]:
    if run.header.spec_digest != spec.digest:
        return ()
    try:
        return spec.select(profile=run.header.profile, **run.header.selection)
    except SpecError:  # a header that this spec never wrote; `verify` says so
        return ()


def _is_stale(rule: str, run: Run, spec: Spec) -> bool:
    """Return whether every case of a declared rule was judged and passed.

    A run that put only some of the rule's cases shows nothing: the others may be the reason.
    """
    verdicts = [verdict for verdict in run.verdicts.values() if verdict.rule == rule]
    if run.header.spec_digest == spec.digest and rule in spec.rules:
        bound = [case for case in spec.rules[rule].cases if case.binds(run.header.profile)]
        if len(bound) != len(verdicts):
            return False
    return bool(verdicts) and all(verdict.outcome is Outcome.PASS for verdict in verdicts)


def _tallies(rows: Iterable[tuple[str, Standing]]) -> dict[str, Tally]:
    counts: dict[str, Counter[Standing]] = {}
    for name, standing in rows:
        counts.setdefault(name, Counter())[standing] += 1
    return {name: Tally(dict(counter)) for name, counter in counts.items()}


def _exit(
    run: Run, counts: Mapping[Standing, int], stale: tuple[str, ...], *, missing: int, judged: int
) -> tuple[Exit, str]:
    """Return the first reason of the module's list that holds."""
    footer = run.footer
    broken = run.troubles[0].fault.message if run.troubles else ""
    ending = "completed" if footer is None else footer.reason
    reasons = (
        (footer is None, Exit.INCOMPLETE, "the stream was cut off"),
        (not run.complete, Exit.INCOMPLETE, f"the run was {ending or 'not completed'}"),
        (missing, Exit.INCOMPLETE, f"{_cases(missing)} of the run got no verdict"),
        _unless_none(counts, Standing.FAULT, Exit.FAULT, "the adapter failed on"),
        (run.troubles, Exit.FAULT, f"the adapter failed: {broken}"),
        _unless_none(counts, Standing.NONCONFORMING, Exit.NONCONFORMING, "nonconforming:"),
        (stale, Exit.USAGE, f"declared, but obeyed: {', '.join(stale)}"),
        _unless_none(counts, Standing.SKIPPED, Exit.INCOMPLETE, "the adapter skipped"),
        (not judged, Exit.INCOMPLETE, "nothing was judged"),
        (True, Exit.AS_EXPECTED, "everything is as expected"),
    )
    return next((code, reason) for holds, code, reason in reasons if holds)


def _unless_none(
    counts: Mapping[Standing, int], standing: Standing, code: Exit, words: str
) -> tuple[int, Exit, str]:
    return counts[standing], code, f"{words} {_cases(counts[standing])}"


def _cases(number: int) -> str:
    return f"{number:,} case" if number == 1 else f"{number:,} cases"
