"""How the rules of one spec fare over several versions of a client: the matter of `drift.md`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from attrs import frozen

from memassay.judge.difference import diff
from memassay.judge.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memassay.judge.difference import Difference
    from memassay.judge.stream import Run
    from memassay.judge.verdict import Verdict
    from memassay.spec.models import Rule, Spec

_JUDGED = frozenset({Outcome.PASS, Outcome.FAIL, Outcome.FAULT})


@frozen
class Standing:
    """How a version fares with one rule: how many of its cases were judged, and how many passed."""

    passed: int
    judged: int

    @property
    def holds(self) -> bool:
        """Whether something was judged and all of it passed."""
        return self.judged > 0 and self.passed == self.judged


@frozen
class RuleDrift:
    """One rule over the versions, in their order."""

    rule: str
    chapter: str
    standings: tuple[Standing, ...]

    @property
    def judged(self) -> bool:
        """Whether any version was judged by it."""
        return any(standing.judged for standing in self.standings)

    @property
    def drifts(self) -> bool:
        """Whether it holds in one version and not in another one that was judged."""
        return len({standing.holds for standing in self.standings if standing.judged}) > 1

    @property
    def first(self) -> int | None:
        """The place of the first version in which it holds."""
        return next((at for at, one in enumerate(self.standings) if one.holds), None)

    @property
    def last(self) -> int | None:
        """The place of the last version in which it holds."""
        found = [at for at, one in enumerate(self.standings) if one.holds]
        return found[-1] if found else None


@frozen
class Drift:
    """Several versions of one implementation, oldest first.

    `rules` are the rules with a judged case; `steps` what changed from each version to the next, by
    case.
    """

    versions: tuple[str, ...]
    rules: tuple[RuleDrift, ...]
    steps: tuple[Difference, ...]


def drift(runs: Sequence[Run], spec: Spec) -> Drift:
    """Return how the rules of `spec` fare over `runs`, given oldest first.

    A case counts under the rule that it belongs to in `spec`; skipped cases are not judged.
    """
    found = (_rule_drift(rule, runs) for rule in spec.rules.values())
    return Drift(
        versions=tuple(run.header.implementation.version or "?" for run in runs),
        rules=tuple(one for one in found if one.judged),
        steps=tuple(diff(before, after, spec) for before, after in pairwise(runs)),
    )


def _rule_drift(rule: Rule, runs: Sequence[Run]) -> RuleDrift:
    return RuleDrift(rule.id, rule.chapter, tuple(_standing(rule, run) for run in runs))


def _standing(rule: Rule, run: Run) -> Standing:
    outcomes = [
        run.verdicts[case.id].outcome
        for case in rule.cases
        if case.id in run.verdicts and is_judged(run.verdicts[case.id])
    ]
    return Standing(outcomes.count(Outcome.PASS), len(outcomes))


def is_judged(verdict: Verdict) -> bool:
    """Return whether a verdict says something of the client: it was asked, and seen to answer."""
    return verdict.outcome in _JUDGED
