"""What a port declares: the four permitted replacements, and the values that are filled in.

Anything else is refused with its line: a replacement that PRM-1 does not know would otherwise turn
"word for word" into "as the port likes it".
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from memassay.prompts.names import NameOf
from memassay.spec.documents import read_document
from memassay.spec.errors import SpecError, Where
from memassay.spec.schemas import check_document

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memassay.prompts.fingerprint import Fingerprint
    from memassay.spec.documents import Document

INSTRUCTION_FILE = "CLAUDE.md"
PRODUCT = "Claude Code"


class Kind(StrEnum):
    """The permitted replacements (PRM-1)."""

    INSTRUCTION_FILE = "instruction-file"
    NAME = "name"
    SECTION = "section"
    PRODUCT = "product"


@frozen
class Term:
    """One replacement of words: where the baseline says `baseline`, the port says `port`.

    `of` is set if they are names (`Kind.NAME`). `number` is the entry's, from 1, `line` its line.
    """

    kind: Kind
    baseline: str
    port: str
    number: int
    line: int | None = None
    of: NameOf | None = None


@frozen
class Removed:
    """A section that the port has not: lines `first` to `last` of the baseline, 1-based."""

    first: int
    last: int
    feature: str
    number: int
    line: int | None = None


@frozen
class Declared:
    """What a port declares about one prompt. `dynamic` maps the baseline's names to texts."""

    terms: tuple[Term, ...] = ()
    removed: tuple[Removed, ...] = ()
    dynamic: Mapping[str, str] = field(factory=dict)


NOTHING = Declared()
"""What is declared without a file of substitutions."""


def load(path: Path, baseline: Fingerprint) -> Declared:
    """Read what a port declares about the prompt of `baseline`.

    Entries that name other prompts are left out. Raises `SpecError`, with the line, for what PRM-1
    or PRM-2 does not permit.
    """
    document = read_document(path)
    _check_kinds(document)
    try:
        check_document(document, "substitutions")
    except SpecError as error:
        hint = "docs/prompts.md says what may be declared"
        raise SpecError(error.message, error.where, hint=hint) from None
    terms: list[Term] = []
    removed: list[Removed] = []
    entries = document.value.get("substitutions", [])
    for index, entry in enumerate(entries):
        if baseline.prompt not in entry.get("prompts", [baseline.prompt]):
            continue
        where = document.where(("substitutions", index))
        if entry["kind"] == Kind.SECTION:
            removed.append(_removed(entry, index + 1, where, baseline))
        else:
            terms.append(_term(entry, index + 1, where, baseline))
    _check_one_meaning(terms, path)
    _check_apart(removed, baseline, path)
    return Declared(tuple(terms), tuple(removed), _dynamic(document, baseline))


def _check_kinds(document: Document) -> None:
    """Refuse a fifth kind by name, before the schema would refuse it in its own words."""
    value = document.value
    entries = value.get("substitutions") if isinstance(value, dict) else None
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        kind = entry.get("kind") if isinstance(entry, dict) else None
        if isinstance(kind, str) and kind not in list(Kind):
            raise SpecError(
                f"{kind!r} is no permitted replacement",
                document.where(("substitutions", index, "kind")),
                hint=f"PRM-1 permits four kinds: {', '.join(Kind)}",
            )


def _term(entry: dict[str, Any], number: int, where: Where, baseline: Fingerprint) -> Term:
    kind = Kind(entry["kind"])
    if kind is not Kind.NAME:
        words = INSTRUCTION_FILE if kind is Kind.INSTRUCTION_FILE else PRODUCT
        return Term(kind, words, entry["port"], number, where.line)
    of, name = NameOf(entry["of"]), entry["baseline"]
    known = baseline.names.get(of, ())
    if name not in known:
        listed = f"it has {', '.join(known)}" if known else "it has none"
        raise SpecError(
            f"{name!r} is no {of} that the baseline names",
            where,
            hint=f"{listed}; to replace other words is a fifth kind",
        )
    return Term(kind, name, entry["port"], number, where.line, of)


def _removed(entry: dict[str, Any], number: int, where: Where, baseline: Fingerprint) -> Removed:
    first, last = entry["lines"]
    lines = baseline.lines
    if last < first or last > len(lines):
        raise SpecError(f"the baseline has no lines {first} to {last}", where)
    level = lines[first - 1].level
    if level == 0:
        raise SpecError(f"line {first} of the baseline is no heading", where, _WHOLE)
    end = section_end(baseline, first)
    if last != end:
        raise SpecError(
            f"the section that begins on line {first} ends on line {end}, not {last}", where, _WHOLE
        )
    return Removed(first, last, entry["feature"], number, where.line)


_WHOLE = "whole sections are removed, from a heading to the next of its level or above"


def section_end(baseline: Fingerprint, first: int) -> int:
    """Return the last line of the section whose heading stands on line `first`, both 1-based."""
    level = baseline.lines[first - 1].level
    for index in range(first, len(baseline.lines)):
        if 0 < baseline.lines[index].level <= level:
            return index
    return len(baseline.lines)


def _check_one_meaning(terms: list[Term], path: Path) -> None:
    """Refuse two neutral terms, or two names of the instruction file, in one prompt."""
    said: dict[Kind, str] = {}
    for term in terms:
        if term.kind is Kind.NAME:
            continue
        words = term.port[0].lower() + term.port[1:] if term.kind is Kind.PRODUCT else term.port
        if said.setdefault(term.kind, words) != words:
            raise SpecError(
                f"{term.baseline} becomes {said[term.kind]!r} and {term.port!r}",
                Where(path, term.line),
                hint="a replacement is the same throughout a prompt",
            )


def _check_apart(removed: list[Removed], baseline: Fingerprint, path: Path) -> None:
    last = 0
    for one in sorted(removed, key=lambda one: one.first):
        if one.first <= last:
            raise SpecError(f"line {one.first} is removed twice", Where(path, one.line))
        last = one.last
    if sum(one.last - one.first + 1 for one in removed) == len(baseline.lines):
        raise SpecError("nothing of the prompt would be left", Where(path, removed[0].line))


def _dynamic(document: Document, baseline: Fingerprint) -> dict[str, str]:
    values: dict[str, str] = {}
    for index, entry in enumerate(document.value.get("dynamic", [])):
        if baseline.prompt not in entry.get("prompts", [baseline.prompt]):
            continue
        name, value, where = entry["name"], entry["port"], document.where(("dynamic", index))
        if name not in baseline.dynamic:
            listed = ", ".join(baseline.dynamic) or "none"
            raise SpecError(
                f"the baseline has no dynamic value {name!r}",
                where,
                hint=f"it declares {listed}; nothing else may vary (PRM-2)",
            )
        if name in values:
            raise SpecError(f"{name!r} is declared twice", where)
        if value in values.values():
            raise SpecError(f"{value!r} stands for two dynamic values", where)
        if "\0" in value:
            raise SpecError(f"what stands for {name!r} holds a NUL", where)
        values[name] = value
    return values
