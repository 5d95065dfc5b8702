"""What changed between two runs, case by case: the matter of `memassay diff`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from memassay.judge.values import same
from memassay.judge.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memassay.judge.stream import Run
    from memassay.judge.verdict import Header, Verdict
    from memassay.spec.models import Spec

_ANY_ORDER = "any_order"


@frozen
class Change:
    """One case that both runs have and that came out differently."""

    before: Verdict
    after: Verdict

    @property
    def case(self) -> str:
        """The case's id."""
        return self.after.case

    @property
    def rule(self) -> str:
        """The id of the rule that it checks (in the later run)."""
        return self.after.rule

    @property
    def broke(self) -> bool:
        """Whether it passed before and does not any more."""
        return self.before.outcome is Outcome.PASS and self.after.outcome is not Outcome.PASS

    @property
    def mended(self) -> bool:
        """Whether it passes now and did not before."""
        return self.after.outcome is Outcome.PASS and self.before.outcome is not Outcome.PASS


@frozen
class RuleDifference:
    """The changes of one rule's cases, each list in the order of the cases."""

    outcomes: tuple[Change, ...] = ()
    answers: tuple[Change, ...] = ()
    only_a: tuple[Verdict, ...] = ()
    only_b: tuple[Verdict, ...] = ()


@frozen
class Difference:
    """Two runs, A and B, aligned by case id.

    `outcomes` are cases whose outcome changed, `answers` those with the same outcome and another
    answer; `only_a` and `only_b` have a verdict in one run only. `notes` say in sentences how the
    runs themselves differ: another spec, another implementation, cut off.
    """

    outcomes: tuple[Change, ...]
    answers: tuple[Change, ...]
    only_a: tuple[Verdict, ...]
    only_b: tuple[Verdict, ...]
    unchanged: int
    notes: tuple[str, ...]
    _order: tuple[str, ...] = field(alias="order", repr=False)

    @property
    def none(self) -> bool:
        """Whether every case came out the same, answers included, in both runs."""
        return not (self.outcomes or self.answers or self.only_a or self.only_b)

    @property
    def rules(self) -> Mapping[str, RuleDifference]:
        """The same, by rule, in the spec's order; rules without a difference are left out."""
        found: dict[str, dict[str, list[Change | Verdict]]] = {rule: {} for rule in self._order}
        for name in ("outcomes", "answers", "only_a", "only_b"):
            for item in getattr(self, name):
                found[item.rule].setdefault(name, []).append(item)
        return {
            rule: RuleDifference(**{name: tuple(items) for name, items in parts.items()})  # pyright: ignore[reportArgumentType]
            for rule, parts in found.items()
            if parts
        }


def diff(a: Run, b: Run, spec: Spec | None = None) -> Difference:
    """Return what changed from run A to run B.

    Cases come in the spec's order if one is given, else in that of A and then of B. Different specs
    can be compared (their case ids are never reused); `notes` say so. Where a case leaves the order
    of a list open, answers that differ in that alone are the same: it is the file system's.
    """
    order = _order(a, b, spec)
    loose = frozenset() if spec is None else _without_order(spec)
    both = [
        Change(a.verdicts[case_id], b.verdicts[case_id])
        for case_id in order
        if case_id in a.verdicts and case_id in b.verdicts
    ]
    outcomes = tuple(change for change in both if change.before.outcome != change.after.outcome)
    answers = tuple(
        change
        for change in both
        if change.before.outcome == change.after.outcome
        and not _same_answer(change.before, change.after, ordered=change.case not in loose)
    )
    return Difference(
        outcomes=outcomes,
        answers=answers,
        only_a=tuple(a.verdicts[name] for name in order if name not in b.verdicts),
        only_b=tuple(b.verdicts[name] for name in order if name not in a.verdicts),
        unchanged=len(both) - len(outcomes) - len(answers),
        notes=tuple(_notes(a, b)),
        order=tuple(dict.fromkeys(rule for name in order for rule in _rules_of(name, a, b))),
    )


def _order(a: Run, b: Run, spec: Spec | None) -> list[str]:
    present: dict[str, None] = dict.fromkeys([*a.verdicts, *b.verdicts])
    known: Iterable[str] = () if spec is None else spec.cases
    return [*(name for name in known if name in present)] + [
        name for name in present if spec is None or name not in spec.cases
    ]


def _rules_of(case_id: str, a: Run, b: Run) -> Iterator[str]:
    return (run.verdicts[case_id].rule for run in (b, a) if case_id in run.verdicts)


def _without_order(spec: Spec) -> frozenset[str]:
    return frozenset(case.id for case in spec.cases.values() if _ANY_ORDER in _keys(case.expect))


def _keys(value: Any) -> set[str]:
    if isinstance(value, (list, tuple)):
        return set().union(*map(_keys, value))
    if isinstance(value, Mapping):
        return set(value).union(*map(_keys, value.values()))
    return set()


def _sorted(value: Any) -> Any:
    """Return a JSON value with every list in it in one order, whatever it was."""
    if isinstance(value, list):
        return sorted(map(_sorted, value), key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(value, dict):
        return {key: _sorted(child) for key, child in value.items()}
    return value


def _same_answer(before: Verdict, after: Verdict, *, ordered: bool) -> bool:
    one, other = before.result, after.result
    if not ordered:
        one, other = _sorted(one), _sorted(other)
    return same(one, other) and same(before.error, after.error) and same(before.tree, after.tree)


def _notes(a: Run, b: Run) -> Iterator[str]:
    for word, one, other in (
        ("client", a.header.client, b.header.client),
        ("profile", a.header.profile, b.header.profile),
        ("implementation", _who(a.header), _who(b.header)),
    ):
        if one != other:
            yield f"the {word} differs: {one} and {other}"
    if a.header.client == b.header.client and a.header.spec_digest != b.header.spec_digest:
        yield f"client {a.header.client} is the same, but the spec of it changed in between"
    for name, run in (("first", a), ("second", b)):
        if run.truncated:
            yield f"the {name} stream was cut off"
        elif not run.complete:
            yield f"the {name} run was interrupted"


def _who(header: Header) -> str:
    version = header.implementation.version
    return header.implementation.name + (f" {version}" if version else "")
