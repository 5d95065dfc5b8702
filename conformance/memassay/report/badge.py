"""The report as a badge: what shields.io's endpoint draws (https://shields.io/badges/endpoint-badge).

A badge stands where nobody can ask back, so it says what the report says, or less. Whatever the
share leaves out is beside it: cases without an answer, a run of a part, a run that never ended. No
state is told by the colour alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.judge.assess import Standing
from memassay.judge.verdict import Exit
from memassay.report.findings import percent
from memassay.report.visible import counted, visible
from memassay.spec.models import DEFAULT_PROFILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.report.findings import Findings

STATES = {Exit.USAGE: "stale deviation", Exit.INCOMPLETE: "incomplete", Exit.FAULT: "fault"}
"""What comes first in the message of a run that did not end as it should."""

_BESIDE = {
    "fail": Standing.NONCONFORMING,
    "declared": Standing.DECLARED,
    "skipped": Standing.SKIPPED,
    "unsupported": Standing.UNSUPPORTED,
    "fault": Standing.FAULT,
}
_BAD = (Standing.NONCONFORMING, Standing.FAULT)


def badge(findings: Findings) -> dict[str, Any]:
    """Return the badge as a JSON value: label, message and colour.

    `isError` is set for a fault and for an incomplete run; shields.io lets nobody recolour those.
    """
    state = findings.assessment.exit
    error = {"isError": True} if state in (Exit.INCOMPLETE, Exit.FAULT) else {}
    return {
        "schemaVersion": 1,
        "label": _label(findings),
        "message": _message(findings),
        "color": _color(findings),
        **error,
    }


def _label(findings: Findings) -> str:
    header = findings.run.header
    profile = "" if header.profile == DEFAULT_PROFILE else f", {visible(header.profile)}"
    return f"memassay, client {visible(header.client)}{profile}"


def _message(findings: Findings) -> str:
    words = [STATES.get(findings.assessment.exit), "part only" if _is_part(findings) else None]
    return ": ".join([*filter(None, words), ", ".join(_numbers(findings))])


def _numbers(findings: Findings) -> Iterator[str]:
    """Yield the share, and how many cases there are of all that it leaves out or does not show."""
    assessment = findings.assessment
    score = assessment.score
    yield f"{percent(score)} of {counted(score.total, 'case')}" if score.total else "nothing judged"
    for word, standing in _BESIDE.items():
        if assessment.counts[standing]:
            yield f"{assessment.counts[standing]:,} {word}"
    if _not_run(findings):
        yield f"{_not_run(findings):,} not run"


def _not_run(findings: Findings) -> int:
    """Return how many cases were due and never put, also where only their number is known."""
    counts = findings.assessment.counts
    known = sum(counts.values())
    return max(0, findings.run.header.cases - known) + counts[Standing.NOT_RUN]


def _is_part(findings: Findings) -> bool:
    return any(findings.run.header.selection.values())


def _color(findings: Findings) -> str:
    assessment = findings.assessment
    counts, score = assessment.counts, assessment.score
    if assessment.exit in (Exit.NONCONFORMING, Exit.FAULT) or any(counts[bad] for bad in _BAD):
        return "red"
    if assessment.exit is Exit.INCOMPLETE:
        return "lightgrey"
    if assessment.exit is Exit.USAGE:
        return "orange"
    if score.passes < score.total:
        return "yellowgreen"
    whole = score.total == findings.run.header.cases and not _is_part(findings)
    return "brightgreen" if whole else "green"
