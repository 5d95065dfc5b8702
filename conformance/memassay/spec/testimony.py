"""Whether the genuine client testified to what the spec calls observed.

`docs/research/verdicts/claude-code-VERSION.jsonl` is a run of the witness. All of these are judged
by one spec, so that they can be compared; `verdicts/own/` has runs that an overlay's own spec
judges. Only the cases and outcomes are read here; `memassay verify` says whether they follow from
the answers.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from attrs import field, frozen

from memassay.spec.cache import load_document
from memassay.spec.errors import SpecError, Where
from memassay.spec.locate import PACKAGE_ROOT
from memassay.spec.models import Grade

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memassay.spec.models import Rule, Spec


_OWN = "own"

UNPROVEN = (
    "is called observed, but the client has no passing verdict on it, and unwitnessed.yaml does "
    "not say why"
)


@frozen
class Testimony:
    """What a client showed: the outcome of every case that was put to it.

    `unwitnessed` are rules that were observed otherwise, each with the reason why the witness
    cannot show them again.
    """

    outcomes: Mapping[str, str]
    unwitnessed: Mapping[str, str] = field(factory=dict)


def verdicts_root() -> Path:
    """Return the directory of the committed streams (in a checkout; a wheel has none)."""
    return PACKAGE_ROOT.parent.parent / "docs" / "research" / "verdicts"


def read_testimony(version: str, directory: Path | None = None) -> Testimony | None:
    """Return what the client of a version testified, or None if no stream of it is there.

    A stream that was judged by the spec of another version does not count: it says how the two
    differ. Raises `SpecError` if the stream is no stream.
    """
    directory = verdicts_root() if directory is None else directory
    reasons = directory / "unwitnessed.yaml"
    unwitnessed: dict[str, str] = {}
    if reasons.is_file():
        document = load_document(reasons, "unwitnessed")
        for entry in document.value["unwitnessed"]:
            unwitnessed.update(dict.fromkeys(entry["rules"], entry["reason"]))
    for folder in (directory, directory / _OWN):
        stream = folder / f"claude-code-{version}.jsonl"
        outcomes = dict(_outcomes(stream, version)) if stream.is_file() else {}
        if outcomes:
            return Testimony(outcomes, unwitnessed)
    return None


def _outcomes(stream: Path, version: str) -> Iterator[tuple[str, str]]:
    with stream.open(encoding="ascii") as lines:
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                if entry["kind"] == "header" and entry["client"] != version:
                    return
                if entry["kind"] == "verdict":
                    yield entry["case"], entry["outcome"]
            except (ValueError, KeyError, TypeError):
                raise SpecError("is no line of a verdict stream", Where(stream, number)) from None


def unproven(spec: Spec, testimony: Testimony | None) -> Iterator[tuple[str, Where]]:
    """Check that the client shows every rule that is called observed.

    One passing verdict is enough, one failing is too many. A rule that cannot have a case, or is
    in `unwitnessed.yaml`, rests on the observations that it cites. Without a stream nothing is
    checked.
    """
    if testimony is None:
        return
    observed = {rule.id: rule for rule in spec.rules.values() if is_observed(rule)}
    for rule in observed.values():
        seen = {case.id: testimony.outcomes.get(case.id) for case in rule.cases}
        for case_id, outcome in seen.items():
            if outcome == "fail":
                yield f"is called observed, but the client fails {case_id}", rule.where
        passed = "pass" in seen.values()
        if passed and rule.id in testimony.unwitnessed:
            yield "has a passing verdict: take it out of unwitnessed.yaml", rule.where
        if not (passed or rule.excluded or rule.id in testimony.unwitnessed):
            yield UNPROVEN, rule.where
    for rule_id in testimony.unwitnessed:
        if rule_id not in observed:
            yield f"unwitnessed.yaml names {rule_id}, which is no observed rule", Where()


def is_observed(rule: Rule) -> bool:
    """Return whether a rule claims to have been seen in the genuine client."""
    return any(evidence.grade is Grade.OBSERVED for evidence in rule.evidence)
