"""A port's `deviations.yaml`: the rules that it breaks on purpose, and why.

    deviations:
      - rule: IDX-7
        reason: We word the warning ourselves.
        issue_url: https://example.org/issues/7   # optional

Declaring a rule does not excuse it from being tested: a declared rule whose cases all pass is a
stale declaration, and fails the run just as an undeclared failure does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from memassay.spec.documents import read_document
from memassay.spec.errors import SpecError
from memassay.spec.schemas import check_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from memassay.spec.models import Rule, Spec


@frozen
class DeviationError(SpecError):
    """A deviations file cannot be used: where, what is wrong, what to do."""


@frozen
class Deviation:
    """One rule that a port says it breaks."""

    rule: str
    reason: str
    issue_url: str | None = None

    @property
    def text(self) -> str:
        """The reason, and where it is discussed."""
        return self.reason if self.issue_url is None else f"{self.reason} ({self.issue_url})"


def read_deviations(path: Path, spec: Spec) -> tuple[Deviation, ...]:
    """Return the deviations that a file declares, in its order.

    Raises `DeviationError`, with file and line, if the file cannot be read, is not shaped as above,
    names a rule twice, or one that the spec does not have (with the nearest names).
    """
    try:
        document = read_document(path)
        check_document(document, "deviations")
    except SpecError as error:
        hint = "see the guide for port authors: `deviations: [{rule: …, reason: …}]`"
        raise DeviationError(error.message, error.where, hint) from None
    found: dict[str, Deviation] = {}
    for index, raw in enumerate(document.value["deviations"]):
        where = document.where(["deviations", index, "rule"], raw["rule"])
        if raw["rule"] in found:
            raise DeviationError("is declared twice", where, "keep one of the two")
        if raw["rule"] not in spec.rules:
            raise DeviationError(
                f"client {spec.version} has no rule {raw['rule']}",
                where,
                _nearest(raw["rule"], spec),
            )
        found[raw["rule"]] = Deviation(
            raw["rule"], " ".join(raw["reason"].split()), raw.get("issue_url")
        )
    return tuple(found.values())


def reasons(deviations: Iterable[Deviation]) -> Mapping[str, str]:
    """Return the declared rules with their reasons, as a stream's header carries them."""
    return {deviation.rule: deviation.text for deviation in deviations}


def _nearest(rule: str, spec: Spec) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 (only errors need it)

    if rule in spec.cases:
        return f"that is a case; its rule is {spec.cases[rule].rule}"
    near: list[Rule] = [
        spec.rules[name] for name in get_close_matches(rule.upper(), spec.rules, 3, 0.4)
    ]
    if near:
        return f"did you mean {' or '.join(rule.id for rule in near)}?"
    return "`memassay list --rules` shows all"
