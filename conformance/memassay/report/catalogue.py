"""What a spec holds, as rows: chapters, rules, cases, ops, and how well the rules are proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.spec.lint import strongest
from memassay.spec.models import Grade

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from memassay.spec.models import Chapter, Spec

    Rows = Iterator[dict[str, Any]]


def catalogue(spec: Spec, view: str, chapters: Collection[str] = ()) -> dict[str, Any]:
    """Return the document of `memassay list`: the rows of one of `VIEWS`.

    `chapters` narrows it; none given means all. Their names must be known.
    """
    chosen = [c for c in spec.chapters.values() if not chapters or c.name in chapters]
    return {
        "client": spec.version,
        "spec_digest": spec.digest,
        "view": view,
        "items": list(VIEWS[view](spec, chosen)),
    }


def _chapters(_: Spec, chosen: list[Chapter]) -> Rows:
    for chapter in chosen:
        yield {
            "name": chapter.name,
            "title": chapter.title,
            "status": chapter.status,
            "rules": len(chapter.rules),
            "cases": sum(len(rule.cases) for rule in chapter.rules),
            "excluded": sum(rule.excluded is not None for rule in chapter.rules),
        }


def _rules(_: Spec, chosen: list[Chapter]) -> Rows:
    for chapter in chosen:
        for rule in chapter.rules:
            yield {
                "id": rule.id,
                "level": rule.level.value,
                "chapter": chapter.name,
                "cases": len(rule.cases),
                "evidence": strongest(rule).value,
                "disputed": rule.disputed is not None,
                "excluded": rule.excluded,
                "profiles": None if rule.profiles is None else list(rule.profiles),
                "text": " ".join(rule.text.split()),
            }


def _cases(_: Spec, chosen: list[Chapter]) -> Rows:
    for chapter in chosen:
        for rule in chapter.rules:
            for case in rule.cases:
                yield {
                    "id": case.id,
                    "rule": rule.id,
                    "level": rule.level.value,
                    "chapter": chapter.name,
                    "op": case.op,
                    "requires": list(case.requires),
                    "profiles": None if case.profiles is None else list(case.profiles),
                    "why": " ".join(case.why.split()),
                }


def _ops(spec: Spec, chosen: list[Chapter]) -> Rows:
    names = {chapter.name for chapter in chosen}
    for op in spec.ops.values():
        if op.chapter in names or len(chosen) == len(spec.chapters):
            yield {
                "name": op.name,
                "kind": op.kind.value,
                "chapter": op.chapter,
                "cases": sum(case.op == op.name for case in spec.cases.values()),
                "description": op.description,
            }


def _evidence(_: Spec, chosen: list[Chapter]) -> Rows:
    for chapter in chosen:
        grades = [strongest(rule) for rule in chapter.rules]
        yield {
            "chapter": chapter.name,
            "rules": len(chapter.rules),
            **{grade.value: grades.count(grade) for grade in Grade},
            "disputed": sum(rule.disputed is not None for rule in chapter.rules),
        }


VIEWS: dict[str, Callable[[Spec, list[Chapter]], Rows]] = {
    "chapters": _chapters,
    "rules": _rules,
    "cases": _cases,
    "ops": _ops,
    "evidence": _evidence,
}
"""What can be listed."""
