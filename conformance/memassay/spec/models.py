"""The spec as frozen values: versions, chapters, rules, cases, constants, ops, profiles."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from memassay.spec.errors import SpecError, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

DEFAULT_PROFILE = "claude-code"

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Level(StrEnum):
    """How strongly a rule binds; it decides what a failure means."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


class Grade(StrEnum):
    """How we know that a rule is so, strongest first (see `spec/README.md`)."""

    OBSERVED = "observed"
    PUBLISHED = "published"
    STATED = "stated"
    DERIVED = "derived"


class Kind(StrEnum):
    """What an op needs: only values, a real directory, or a model that the runner plays.

    A model case may have a directory too.
    """

    PURE = "pure"
    TREE = "tree"
    MODEL = "model"


@frozen
class Evidence:
    """One reason to believe a rule or a constant."""

    grade: Grade
    client: str | None = None
    observations: tuple[str, ...] = ()
    source: str | None = None
    section: str | None = None
    url: str | None = None
    rules: tuple[str, ...] = ()


@frozen
class Boundary:
    """A claim that a case stands on a constant's boundary: `at` it, or one `past` it.

    `measure` names how lint can check it: unit (`units`, `lines`, `bytes`) to argument name.
    """

    constant: str
    side: str
    measure: Mapping[str, str] = field(factory=dict)


@frozen
class Constant:
    """One number of the client, with its unit and evidence."""

    id: str
    value: int
    unit: str
    text: str
    boundary: bool = False
    profiles: tuple[str, ...] | None = None
    evidence: tuple[Evidence, ...] = ()
    where: Where = field(factory=Where, eq=False)


@frozen
class Case:
    """One question with its answer. `args`, `expect` and `tree` are unexpanded, as written."""

    id: str
    op: str
    args: Mapping[str, Any]
    expect: Mapping[str, Any]
    why: str
    chapter: str
    rule: str
    level: Level
    tree: Mapping[str, Any] | None = None
    clock: str | None = None
    boundary: tuple[Boundary, ...] = ()
    profiles: tuple[str, ...] | None = None
    observations: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    model: Mapping[str, Any] | None = None
    """What the model says: `{cassette: NAME}` or `{replies: […]}` (`memassay.replay`)."""
    cell: Mapping[str, str] | None = None
    """Where the case stands in its rule's table: column to word (`memassay explain RULE`)."""
    where: Where = field(factory=Where, eq=False)

    def binds(self, profile: str) -> bool:
        """Return whether the case counts under `profile`."""
        return self.profiles is None or profile in self.profiles


@frozen
class Rule:
    """One demand, the evidence for it, and the cases that check it (or why none can)."""

    id: str
    level: Level
    text: str
    chapter: str
    why: str | None = None
    constants: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    mistakes: tuple[str, ...] = ()
    disputed: Mapping[str, str] | None = None
    profiles: tuple[str, ...] | None = None
    excluded: str | None = None
    cases: tuple[Case, ...] = ()
    where: Where = field(factory=Where, eq=False)

    def binds(self, profile: str) -> bool:
        """Return whether the rule counts under `profile`."""
        return self.profiles is None or profile in self.profiles


@frozen
class Chapter:
    """A file of rules. `missing` says what a chapter of status `partial` does not hold yet."""

    name: str
    title: str
    status: str
    intro: str
    rules: tuple[Rule, ...]
    path: Path
    missing: str | None = None


@frozen
class Op:
    """One operation: the shapes of arguments and result, and what the null adapters answer."""

    name: str
    kind: Kind
    chapter: str
    description: str
    args_schema: Mapping[str, Any]
    result_schema: Mapping[str, Any]
    nulls: Mapping[str, Mapping[str, Any]]


@frozen
class Adaptation:
    """One mechanism of the client as a port says it treats it: a row of the port's own tables.

    `rules` are those whose cases check it; without any, `excluded` says why there are none.
    """

    mechanism: str
    table: str
    strategy: str
    text: str
    rules: tuple[str, ...] = ()
    excluded: str | None = None


@frozen
class Profile:
    """Whom a set of rules binds: the client itself, or a port with differences it declares."""

    name: str
    title: str
    client: str
    about: str
    excluded_rules: Mapping[str, str] = field(factory=dict)
    adaptations: tuple[Adaptation, ...] = ()


@frozen(slots=False)
class Spec:
    """Everything known about one client version."""

    version: str
    constants: Mapping[str, Constant]
    chapters: Mapping[str, Chapter]
    ops: Mapping[str, Op]
    profiles: Mapping[str, Profile]
    retired: Mapping[str, str]
    digest: str
    removed: Mapping[str, str] = field(factory=dict)
    """Rules of the version below, if this one is an overlay, that do not hold, with the reason."""

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule by id, in chapter order."""
        return {rule.id: rule for chapter in self.chapters.values() for rule in chapter.rules}

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """Every case by id, in chapter order."""
        return {case.id: case for rule in self.rules.values() for case in rule.cases}

    def rules_named(self, name: str) -> tuple[Rule, ...]:
        """Return the rule `name`, or the parts that it is split into (`IDX-5a`, … for `IDX-5`).

        Raises `SpecError` with the nearest ids if there is neither.
        """
        if name in self.rules:
            return (self.rules[name],)
        parts = tuple(rule for rule in self.rules.values() if rule.id.rstrip(_LETTERS) == name)
        if not parts:
            raise _unknown("rule", name, self.rules)
        return parts

    def select(
        self,
        *,
        profile: str = DEFAULT_PROFILE,
        chapters: Iterable[str] = (),
        rules: Iterable[str] = (),
        cases: Iterable[str] = (),
    ) -> tuple[Case, ...]:
        """Return the cases that bind `profile`, in spec order, narrowed by what is named.

        Each of the three narrows on its own; none given means all. A rule that is split may be
        named as a whole. Raises `SpecError` for a name
        that the spec does not have, with the nearest ones, or a rule that the profile excludes.
        """
        if profile not in self.profiles:
            raise _unknown("profile", profile, self.profiles)
        chapters, cases = set(chapters), set(cases)
        rules = {rule.id for name in rules for rule in self.rules_named(name)}
        for kind, asked, known in (
            ("chapter", chapters, self.chapters),
            ("case", cases, self.cases),
        ):
            for name in sorted(asked):
                if name not in known:
                    raise _unknown(kind, name, known)
        return tuple(
            case
            for case in self._binding(profile)
            if (not chapters or case.chapter in chapters)
            and (not rules or case.rule in rules)
            and (not cases or case.id in cases)
        )

    def _binding(self, profile: str) -> Iterator[Case]:
        excluded = self.profiles[profile].excluded_rules
        for rule in self.rules.values():
            if rule.binds(profile) and rule.id not in excluded:
                yield from (case for case in rule.cases if case.binds(profile))


def _unknown(kind: str, name: str, known: Iterable[str]) -> SpecError:
    from difflib import get_close_matches  # noqa: PLC0415 (only errors need it)

    names = sorted(known)
    near = get_close_matches(name, names, 3, 0.4)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif len(names) <= 30:  # noqa: PLR2004
        hint = f"there are: {', '.join(names) or 'none'}"
    else:
        hint = f"`memassay list` shows all {len(names)}"
    return SpecError(f"there is no {kind} {name!r}", hint=hint)
