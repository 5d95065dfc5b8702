"""The report as one JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from memassay.report.failure import reason, sentence
from memassay.report.places import place

if TYPE_CHECKING:
    from memassay.judge.assess import Score, Standing, Tally
    from memassay.judge.verdict import Verdict
    from memassay.report.findings import Findings


def document(findings: Findings) -> dict[str, Any]:
    """Return everything that a report says, for other programs.

    Answers are not repeated here: the stream has them.
    """
    run, assessment = findings.run, findings.assessment
    header = run.header
    return {
        "memassay": header.memassay,
        "client": header.client,
        "profile": header.profile,
        "spec_digest": header.spec_digest,
        "same_spec": findings.same_spec,
        "implementation": {
            **attrs.asdict(header.implementation),
            "targets": list(header.implementation.targets),
        },
        "adapter_digest": header.adapter_digest,
        "command": list(header.command),
        "ops": list(header.ops),
        "selection": {key: list(names) for key, names in header.selection.items()},
        "complete": run.complete,
        "exit": int(assessment.exit),
        "reason": assessment.reason,
        "counts": _counts(assessment.counts),
        "score": _score(assessment.score),
        "nulls": {name: _score(score) for name, score in assessment.nulls.items()},
        "chapters": [
            {"name": name, "title": _title(findings, name), **_tally(tally)}
            for name, tally in assessment.chapters.items()
        ],
        "rules": [
            {"id": rule_id, "text": _text(findings, rule_id), **_tally(tally)}
            for rule_id, tally in assessment.rules.items()
        ],
        "deviations": [
            {
                "rule": rule_id,
                "reason": why,
                "stale": rule_id in assessment.stale,
                "cases": 0 if tally is None else tally.total,
            }
            for rule_id, why, tally in findings.declared
        ],
        "troubles": [
            {
                "fault": trouble.fault.kind.value,
                "message": trouble.fault.message,
                "stderr": trouble.fault.stderr,
                "cases": list(trouble.cases),
            }
            for trouble in run.troubles
        ],
        "cases": [
            _case(findings, case_id, standing) for case_id, standing in assessment.cases.items()
        ],
    }


def _title(findings: Findings, name: str) -> str | None:
    chapter = findings.spec.chapters.get(name)
    return None if chapter is None else chapter.title


def _text(findings: Findings, rule_id: str) -> str | None:
    rule = findings.spec.rules.get(rule_id)
    return None if rule is None else sentence(rule)


def _counts(counts: Any) -> dict[str, int]:
    return {standing.value: count for standing, count in counts.items()}


def _tally(tally: Tally) -> dict[str, Any]:
    return {"cases": tally.total, "counts": _counts(tally.counts)}


def _score(score: Score) -> dict[str, Any]:
    return {"passes": score.passes, "total": score.total, "share": score.share}


def _case(findings: Findings, case_id: str, standing: Standing) -> dict[str, Any]:
    case = findings.spec.cases.get(case_id)
    verdict = findings.run.verdicts.get(case_id)
    known: Any = case if verdict is None else verdict
    return {
        "id": case_id,
        "rule": known.rule,
        "chapter": known.chapter,
        "level": str(known.level),
        "standing": standing.value,
        "why": None if case is None else reason(case),
        "place": None if case is None else place(case.where),
        "again": findings.again(case_id),
        **_verdict(verdict),
    }


def _verdict(verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {"mismatches": [], "fault": None, "reason": None, "issue_url": None, "stderr": None}
    return {
        "mismatches": [
            {
                "at": mismatch.at,
                "problem": mismatch.problem,
                "expected": mismatch.expected,
                "got": mismatch.got,
                "position": None if mismatch.position is None else attrs.asdict(mismatch.position),
            }
            for mismatch in verdict.mismatches
        ],
        "fault": None if verdict.fault is None else verdict.fault.value,
        "reason": verdict.reason,
        "issue_url": verdict.issue_url,
        "stderr": verdict.stderr,
    }
