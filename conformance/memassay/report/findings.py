"""A run with everything that its views need, put in the order in which people want to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from memassay.judge.assess import Score, Standing, assess
from memassay.report import failure
from memassay.report.visible import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memassay.judge.assess import Assessment, Tally
    from memassay.judge.stream import Run
    from memassay.judge.verdict import Verdict
    from memassay.report.rows import Row
    from memassay.spec.models import Case, Rule, Spec

NULL_NAMES = {"nothing": "do-nothing", "echo": "echo", "everything": "keep-everything"}
"""What the null adapters are called in reports."""

SHOWN = {
    Standing.FAULT: "Faults of the adapter",
    Standing.NONCONFORMING: "Failures",
    Standing.WARNING: "Warnings: a SHOULD is not met",
    Standing.NOTE: "Notes: a MAY is done otherwise",
}
"""The standings whose cases are told one by one, the gravest first, with the titles over them."""


@frozen
class Group:
    """The cases of one rule that came out the same way; `rule` is None if the spec lacks it."""

    rule_id: str
    level: str
    rule: Rule | None
    verdicts: tuple[Verdict, ...]

    @property
    def sentence(self) -> str:
        """What the rule demands."""
        return failure.sentence(self.rule)


@frozen
class Section:
    """The cases of one standing that are shown, by rule; `hidden` counts those that are not."""

    standing: Standing
    title: str
    groups: tuple[Group, ...]
    hidden: int = 0

    @property
    def count(self) -> int:
        """How many cases there are, shown or not."""
        return self.hidden + sum(len(group.verdicts) for group in self.groups)

    def cut(self, most: int) -> Section:
        """Return the section with only its first `most` cases shown."""
        groups, left = [], most
        for group in self.groups:
            if left:
                groups.append(evolve(group, verdicts=group.verdicts[:left]))
                left -= len(groups[-1].verdicts)
        shown = most - left
        return evolve(self, groups=tuple(groups), hidden=self.count - shown)


@frozen
class Findings:
    """A run, the spec whose texts explain it, and what it comes to."""

    run: Run
    spec: Spec
    assessment: Assessment

    @classmethod
    def of(cls, run: Run, spec: Spec, *, strict: bool = False) -> Findings:
        """Return the findings of a run. A failing SHOULD counts like a MUST if `strict`."""
        return cls(run, spec, assess(run, spec, strict=strict))

    @property
    def same_spec(self) -> bool:
        """Whether `spec` is the very one that the run was judged by."""
        return self.run.header.spec_digest == self.spec.digest

    def sections(self, max_shown: int = 0) -> tuple[Section, ...]:
        """Return the cases that are told one by one; sections without a case are left out.

        At most `max_shown` cases are shown in all, the gravest first; 0 shows every one.
        """
        found, left = [], max_shown
        for standing, title in SHOWN.items():
            section = Section(standing, title, self.groups(standing))
            if section.groups:
                found.append(section.cut(left) if max_shown else section)
                left -= found[-1].count - found[-1].hidden
        return tuple(found)

    def groups(self, standing: Standing) -> tuple[Group, ...]:
        """Return the cases of one standing that have a verdict, by rule, in the spec's order."""
        found: dict[str, list[Verdict]] = {}
        for case_id, own in self.assessment.cases.items():
            verdict = self.run.verdicts.get(case_id)
            if own is standing and verdict is not None:
                found.setdefault(verdict.rule, []).append(verdict)
        return tuple(
            Group(rule_id, verdicts[0].level, self.spec.rules.get(rule_id), tuple(verdicts))
            for rule_id, verdicts in found.items()
        )

    @property
    def declared(self) -> Iterator[tuple[str, str, Tally | None]]:
        """Yield the declared rules: id, reason, and how their cases stand (None if not run)."""
        for rule_id, reason in self.run.header.deviations.items():
            yield rule_id, reason, self.assessment.rules.get(rule_id)

    @property
    def skips(self) -> Mapping[str, list[Verdict]]:
        """The cases that the adapter skipped, by its reason."""
        found: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts(Standing.SKIPPED):
            found.setdefault(verdict.reason or "no reason given", []).append(verdict)
        return found

    @property
    def unsupported(self) -> Mapping[str, int]:
        """How many cases each op has that the adapter does not list."""
        found: dict[str, int] = {}
        for verdict in self.verdicts(Standing.UNSUPPORTED):
            case = self.spec.cases.get(verdict.case)
            name = "(unknown)" if case is None else case.op
            found[name] = found.get(name, 0) + 1
        return found

    def verdicts(self, standing: Standing) -> Iterable[Verdict]:
        """Yield the verdicts of one standing in the spec's order."""
        return (verdict for group in self.groups(standing) for verdict in group.verdicts)

    def case(self, verdict: Verdict) -> Case | None:
        """Return the case that a verdict is about, None if the spec lacks it."""
        return self.spec.cases.get(verdict.case)

    def again(self, case_id: str) -> str:
        """Return the line that runs one case again."""
        header = self.run.header
        return failure.reproduce(case_id, header.command, header.profile, header.client)

    def rows(self, verdict: Verdict) -> Iterator[Row]:
        """Yield the lines that tell why a case did not pass."""
        return failure.rows(verdict, self.spec, self.again(verdict.case))

    @property
    def scores(self) -> Iterator[tuple[str, Score]]:
        """Yield what the null adapters would have scored, and last the implementation itself."""
        for name, score in self.assessment.nulls.items():
            yield NULL_NAMES.get(name, name), score
        yield "yours", self.assessment.score


def percent(score: Score) -> str:
    """Return a score as whole percents: 100 % only for all, 0 % only for none."""
    if not score.total:
        return "–"
    whole = 100 * score.passes // score.total
    return f"{whole or min(1, score.passes)} %"


def baseline(findings: Findings) -> str:
    """Return the scores on one line: `do-nothing 12 %, echo 31 %; yours 97 %`."""
    *nulls, (name, own) = findings.scores
    others = "".join(f"{null} {percent(score)}, " for null, score in nulls)
    judged = f" (of {own.total:,} judged)" if own.total < findings.run.header.cases else ""
    return f"{others.removesuffix(', ')}{'; ' if others else ''}{name} {percent(own)}{judged}"


COLUMNS = {
    "pass": Standing.CONFORMING,
    "fail": Standing.NONCONFORMING,
    "warn": Standing.WARNING,
    "note": Standing.NOTE,
    "declared": Standing.DECLARED,
    "skipped": Standing.SKIPPED,
    "unsupported": Standing.UNSUPPORTED,
    "fault": Standing.FAULT,
    "not run": Standing.NOT_RUN,
}
"""The columns of the summary."""

_ALWAYS = {"pass", "fail", "skipped", "unsupported", "fault"}


def summary(findings: Findings) -> tuple[list[str], list[list[str | int]]]:
    """Return the summary by chapter: the headings, and a row for each chapter and for all.

    Columns that few runs need are left out where they would be empty.
    """
    assessment = findings.assessment
    names = [
        name for name, standing in COLUMNS.items() if name in _ALWAYS or assessment.counts[standing]
    ]
    rows: list[list[str | int]] = [
        [chapter, tally.total, *(tally[COLUMNS[name]] for name in names)]
        for chapter, tally in assessment.chapters.items()
    ]
    if len(rows) != 1:
        totals = [assessment.counts[COLUMNS[name]] for name in names]
        rows.append(["all", sum(assessment.counts.values()), *totals])
    return ["chapter", "cases", *names], rows


def title(findings: Findings) -> str:
    """Return who was examined: name, version and language."""
    who = findings.run.header.implementation
    return " ".join(
        part for part in (who.name, who.version, who.language and f"({who.language})") if part
    )


def against(findings: Findings) -> str:
    """Return what the run was held against."""
    header = findings.run.header
    named = [f"{key[:-1]} {name}" for key, names in header.selection.items() for name in names]
    only = f", only {', '.join(named)}" if named else ""
    return f"client {header.client}, profile {header.profile}{only}"


def remarks(findings: Findings) -> Iterator[str]:
    """Yield what a reader must know before believing the numbers."""
    run = findings.run
    if not findings.same_spec:
        yield "The run was judged by another state of the spec; the texts shown may be newer."
    if run.truncated:
        yield "The stream was cut off: what came after is not known."
    elif not run.complete:
        reason = run.footer.reason if run.footer is not None else None
        yield f"The run is incomplete: {reason or 'no reason given'}."
    if findings.assessment.missing > 0:
        yield f"{counted(findings.assessment.missing, 'case')} of the run got no verdict."
