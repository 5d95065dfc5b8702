"""Whether the spec keeps its own promises: nothing untested, nothing unused, nothing unproven."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import field, frozen

from memassay.spec import lint_checks
from memassay.spec.errors import Where
from memassay.spec.models import Grade
from memassay.spec.testimony import read_testimony, unproven

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memassay.spec.models import Case, Rule, Spec
    from memassay.spec.testimony import Testimony

    CaseCheck = Callable[[Case], Iterable[str]]
    """A further check of one case: what is wrong with it, in sentences."""


class Severity(StrEnum):
    """An error fails `lint-spec`; a note only informs."""

    ERROR = "error"
    NOTE = "note"


@frozen
class Finding:
    """One thing that lint has to say, and where."""

    message: str
    where: Where = field(factory=Where)
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        """Render as one line."""
        place = str(self.where)
        return f"{self.severity}: {place}: {self.message}" if place else self.message


@frozen
class ChapterTally:
    """How much a chapter holds. `owed` are inventory rules it lacks."""

    name: str
    title: str
    status: str
    rules: int
    cases: int
    excluded: tuple[str, ...]
    owed: tuple[str, ...]


@frozen
class BoundaryTally:
    """Which cases stand at a constant's boundary, and which one past it."""

    constant: str
    value: int
    unit: str
    at: tuple[str, ...]
    past: tuple[str, ...]


@frozen
class LintReport:
    """What lint found. `grades` counts rules by their strongest evidence."""

    version: str
    findings: tuple[Finding, ...]
    chapters: tuple[ChapterTally, ...]
    boundaries: tuple[BoundaryTally, ...]
    grades: Mapping[Grade, int]
    not_landed: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return all(finding.severity is not Severity.ERROR for finding in self.findings)


def strongest(rule: Rule) -> Grade:
    """Return a rule's strongest grade of evidence."""
    order = list(Grade)
    return min((evidence.grade for evidence in rule.evidence), key=order.index)


def lint(
    spec: Spec,
    *,
    inventory: Mapping[str, tuple[str, ...]] | None = None,
    observations: frozenset[str] | None = None,
    testimony: Testimony | None = None,
    case_checks: Iterable[CaseCheck] = (),
) -> LintReport:
    """Check all that the schemas cannot.

    `inventory` maps a chapter to the rule ids it owes, `observations` are the known observation
    ids, and `testimony` is what the genuine client showed; they are read from the files beside the
    spec unless given (an installed memassay has no observations and no testimony: then neither is
    checked). `case_checks` add checks of single cases.
    """
    known_inventory = lint_checks.read_inventory() if inventory is None else inventory
    owed = {
        chapter: tuple(rule for rule in rules if rule not in spec.removed)
        for chapter, rules in known_inventory.items()
    }
    known = lint_checks.read_observations() if observations is None else observations
    shown = read_testimony(spec.version) if testimony is None else testimony
    findings = [
        Finding(message, where)
        for check in (
            lint_checks.untested_rules(spec),
            lint_checks.reused_ids(spec),
            lint_checks.constants_and_rules(spec),
            lint_checks.boundaries(spec),
            lint_checks.unknown_names(spec),
            lint_checks.uncited(spec, known),
            unproven(spec, shown),
            lint_checks.unbuildable(spec),
            lint_checks.repeated_questions(spec),
            lint_checks.cells(spec),
            lint_checks.owed_rules(spec, owed),
            lint_checks.adaptations(spec, owed),
            (
                (message, case.where)
                for check in case_checks
                for case in spec.cases.values()
                for message in check(case)
            ),
        )
        for message, where in check
    ]
    findings += [
        Finding(f"the chapter {c.name} is partial: {c.missing}", Where(c.path), Severity.NOTE)
        for c in spec.chapters.values()
        if c.status != "complete"
    ]
    return LintReport(
        version=spec.version,
        findings=tuple(findings),
        chapters=tuple(_tally(spec, name, owed) for name in spec.chapters),
        boundaries=tuple(_boundary_tallies(spec)),
        grades={
            grade: sum(strongest(rule) is grade for rule in spec.rules.values()) for grade in Grade
        },
        not_landed=tuple(name for name in owed if name not in spec.chapters),
    )


def _tally(spec: Spec, name: str, owed: Mapping[str, tuple[str, ...]]) -> ChapterTally:
    chapter = spec.chapters[name]
    return ChapterTally(
        name=name,
        title=chapter.title,
        status=chapter.status,
        rules=len(chapter.rules),
        cases=sum(len(rule.cases) for rule in chapter.rules),
        excluded=tuple(rule.id for rule in chapter.rules if rule.excluded),
        owed=tuple(lint_checks.missing_rules(chapter, owed.get(name, ()))),
    )


def _boundary_tallies(spec: Spec) -> Iterable[BoundaryTally]:
    for constant in spec.constants.values():
        if constant.boundary:
            sides = lint_checks.boundary_cases(spec, constant.id)
            yield BoundaryTally(
                constant.id, constant.value, constant.unit, sides["at"], sides["past"]
            )
