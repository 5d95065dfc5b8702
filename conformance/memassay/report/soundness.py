"""What `lint-spec` found, as a document: how much there is, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.report.places import place

if TYPE_CHECKING:
    from memassay.spec.errors import SpecError
    from memassay.spec.lint import LintReport


def soundness(report: LintReport) -> dict[str, Any]:
    """Return the document of `memassay lint-spec`."""
    return {
        "client": report.version,
        "ok": report.ok,
        "findings": [
            {
                "severity": finding.severity.value,
                "place": _place(finding.where),
                "id": finding.where.id,
                "message": finding.message,
            }
            for finding in report.findings
        ],
        "chapters": [
            {
                "name": chapter.name,
                "title": chapter.title,
                "status": chapter.status,
                "rules": chapter.rules,
                "cases": chapter.cases,
                "excluded": list(chapter.excluded),
                "owed": list(chapter.owed),
            }
            for chapter in report.chapters
        ],
        "boundaries": [
            {
                "constant": boundary.constant,
                "value": boundary.value,
                "unit": boundary.unit,
                "at": list(boundary.at),
                "past": list(boundary.past),
            }
            for boundary in report.boundaries
        ],
        "grades": {grade.value: count for grade, count in report.grades.items()},
        "not_landed": list(report.not_landed),
    }


def unloadable(version: str, error: SpecError) -> dict[str, Any]:
    """Return the document for a spec that cannot even be read."""
    message = f"{error.message} ({error.hint})" if error.hint else error.message
    finding = {
        "severity": "error",
        "place": _place(error.where),
        "id": error.where.id,
        "message": message,
    }
    return {
        "client": version,
        "ok": False,
        "findings": [finding],
        "chapters": [],
        "boundaries": [],
        "grades": {},
        "not_landed": [],
    }


def _place(where: Any) -> str | None:
    return None if where.path is None else place(where)
