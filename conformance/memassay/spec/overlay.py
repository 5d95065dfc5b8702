"""Versions that are told by what differs: a folder with `overlay.yaml` lies over another version.

An overlay holds only the rules, constants and tables that are not as they were. A rule in it stands
instead of the whole rule of that id, cases included; `removed:` names rules that do not hold any
more. Everything else is taken from the version below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from memassay.spec.cache import load_document
from memassay.spec.errors import SpecError
from memassay.spec.locate import OVERLAY, version_root

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from memassay.spec.models import Chapter

PLAIN_FILES = frozenset({"constants.yaml", OVERLAY})
"""The files of a version's folder that are no chapters."""


def lineage(version: str, root: Path | None = None) -> tuple[Path, ...]:
    """Return the folders that make up a version, the lowest first: one, unless it is an overlay.

    Raises `SpecError` if a version is not there, or lies over itself.
    """
    found = [version_root(version, root)]
    while (file := found[0] / OVERLAY).is_file():
        document = load_document(file, "overlay")
        below = version_root(document.value["overlay_of"], root)
        if document.value["client"] != found[0].name:
            raise SpecError(
                f"the overlay is of client {document.value['client']}, its folder is not",
                document.where(["client"]),
            )
        if below in found:
            raise SpecError("the overlay lies over itself", document.where(["overlay_of"]))
        found.insert(0, below)
    return tuple(found)


def chapter_files(folder: Path) -> list[Path]:
    """Return the files of a folder's chapters."""
    return sorted(path for path in folder.glob("*.yaml") if path.name not in PLAIN_FILES)


def removed_rules(folder: Path) -> dict[str, str]:
    """Return the rules that a folder says do not hold any more, each with its reason."""
    file = folder / OVERLAY
    if not file.is_file():
        return {}
    entries = load_document(file, "overlay").value.get("removed", ())
    return {entry["rule"]: entry["reason"] for entry in entries}


def without(chapters: Mapping[str, Chapter], removed: Collection[str]) -> dict[str, Chapter]:
    """Return chapters without some rules. Raises `SpecError` for one that there is not."""
    known = {rule.id for chapter in chapters.values() for rule in chapter.rules}
    for rule_id in removed:
        if rule_id not in known:
            raise SpecError(f"an overlay removes {rule_id}, which is no rule of the version below")
    return {
        name: evolve(chapter, rules=tuple(r for r in chapter.rules if r.id not in removed))
        for name, chapter in chapters.items()
    }


def laid_over(below: Chapter | None, above: Chapter) -> Chapter:
    """Return a chapter with the rules of `above` instead of those of `below` that they replace.

    A rule that is new comes last.
    """
    if below is None:
        return above
    mine = {rule.id: rule for rule in above.rules}
    kept = [mine.pop(rule.id, rule) for rule in below.rules]
    return evolve(above, rules=(*kept, *mine.values()))
