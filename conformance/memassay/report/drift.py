"""The pages of `docs/research` that are made from the spec and from the witness's streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memassay.judge.drift import drift, is_judged
from memassay.judge.verdict import Outcome
from memassay.report.changes import answer
from memassay.report.failure import sentence
from memassay.report.markdown import escape
from memassay.report.visible import counted
from memassay.spec.models import DEFAULT_PROFILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memassay.judge.difference import Change, Difference
    from memassay.judge.drift import Drift, RuleDrift, Standing
    from memassay.judge.stream import Run
    from memassay.spec.models import Rule, Spec

_MADE = "<!-- Made by `python docs/research/generate.py`; do not edit. -->"
_SHOWN_CASES = 6
"""How many changed cases of one rule are told one by one."""


def drift_page(runs: Sequence[Run], spec: Spec) -> str:
    """Return the page that says what the versions of the client have of each rule."""
    return "\n".join(_drift(runs, spec)) + "\n"


def _drift(runs: Sequence[Run], spec: Spec) -> Iterator[str]:
    found = drift(runs, spec)
    oldest, newest = found.versions[0], found.versions[-1]
    drifting = [rule for rule in found.rules if rule.drifts]
    yield from (
        "# Drift: which version of the client does what",
        "",
        _MADE,
        "",
        f"Cases that can be seen from outside were put to {len(runs)} versions of the genuine",
        "client, as `memassay gate` does; the last column says of which chapters. All are judged",
        f"by the spec of one version, {spec.version}: a rule that does not hold in another is no",
        "fault of that version. What the witness cannot show, or cannot read in the form that a",
        "version's requests have, is skipped. The answers are in `verdicts/`; `memassay diff A B`",
        "compares two of them.",
        "",
        "| version | cases judged | pass | fail | fault | skipped | chapters |",
        "|---|---:|---:|---:|---:|---:|---|",
        *(_totals(version, run) for version, run in zip(found.versions, runs, strict=True)),
        "",
        f"{counted(len(found.rules), 'rule')} could be judged in at least one of them; of these,",
        f"{len(drifting)} changed (bold in the table).",
    )
    for at, step in enumerate(found.steps):
        yield from ("", f"## From {found.versions[at]} to {found.versions[at + 1]}", "")
        yield from _step(step, spec)
    yield from (
        "",
        "## Rule by version",
        "",
        "`yes`: all judged cases pass. `2/5`: that many of them do. `–`: no case of the rule could",
        "be judged. *First* and *last seen* are the first and last of these versions in which it",
        f"holds; `≤ {oldest}` means that older ones may have it, too, and `≥ {newest}` that newer",
        "ones may.",
        "",
        f"| rule | {' | '.join(found.versions)} | first seen | last seen |",
        f"|---|{'---|' * len(found.versions)}---|---|",
        *(_row(rule, found) for rule in found.rules),
    )


def _totals(version: str, run: Run) -> str:
    counts = [
        sum(
            verdict.outcome is outcome and (outcome is Outcome.SKIPPED or is_judged(verdict))
            for verdict in run.verdicts.values()
        )
        for outcome in (Outcome.PASS, Outcome.FAIL, Outcome.FAULT, Outcome.SKIPPED)
    ]
    numbers = " | ".join(f"{number:,}" for number in (sum(counts[:3]), *counts))
    judged = dict.fromkeys(one.chapter for one in run.verdicts.values() if is_judged(one))
    chapters = ", ".join(judged) if run.header.selection else "all"
    return f"| {version} | {numbers} | {chapters} |"


def _step(step: Difference, spec: Spec) -> Iterator[str]:
    if step.none:
        yield f"Nothing changed: all {step.unchanged:,} cases came out the same, answers included."
        return
    yield f"{step.unchanged:,} cases came out the same."
    for rule_id, parts in step.rules.items():
        changed = [
            change
            for change in (*parts.outcomes, *parts.answers)
            if is_judged(change.before) and is_judged(change.after)
        ]
        if not changed:
            continue
        rule = spec.rules.get(rule_id)
        yield ""
        yield f"**{rule_id}** {prose(sentence(rule))}"
        yield ""
        yield from (_change(change) for change in changed[:_SHOWN_CASES])
        if len(changed) > _SHOWN_CASES:
            yield f"- … and {counted(len(changed) - _SHOWN_CASES, 'more case')}"


def _change(change: Change) -> str:
    before, after = change.before, change.after
    became = f"{before.outcome} → {after.outcome}"
    if before.outcome is after.outcome:
        became = f"{before.outcome}, another answer"
    told = f"- `{change.case}`: {became}"
    answers = escape(answer(before)), escape(answer(after))
    return (
        told if answers[0] == answers[1] else f"{told} (before: {answers[0]}; {answers[1]} after)"
    )


def _row(rule: RuleDrift, found: Drift) -> str:
    cells = " | ".join(_cell(standing) for standing in rule.standings)
    name = f"**{rule.rule}**" if rule.drifts else rule.rule
    first = "–" if rule.first is None else found.versions[rule.first]
    last = "–" if rule.last is None else found.versions[rule.last]
    if rule.first == 0:
        first = f"≤ {first}"
    if rule.last == len(found.versions) - 1:
        last = f"≥ {last}"
    return f"| {name} | {cells} | {first} | {last} |"


def _cell(standing: Standing) -> str:
    if not standing.judged:
        return "–"
    return "yes" if standing.holds else f"{standing.passed}/{standing.judged}"


def disputes_page(spec: Spec, runs: Sequence[Run], unwitnessed: Mapping[str, str]) -> str:
    """Return the page that lists every dispute between sources: both readings, and the verdict."""
    return "\n".join(_disputes(spec, runs, unwitnessed)) + "\n"


def _disputes(spec: Spec, runs: Sequence[Run], unwitnessed: Mapping[str, str]) -> Iterator[str]:
    disputed = [rule for rule in spec.rules.values() if rule.disputed is not None]
    yield from (
        "# Disputes: where sources disagree",
        "",
        _MADE,
        "",
        "The seed documents describe the client; the client itself was then observed. Where they",
        "disagree, the observation binds the profile `claude-code`, and the other reading is kept,",
        "as a case of the port that stated it where it can be one. Nothing is reconciled silently.",
        "",
        f"{counted(len(disputed), 'rule')} {'is' if len(disputed) == 1 else 'are'} disputed.",
    )
    for rule in disputed:
        yield from ("", f"## {rule.id}: {prose(sentence(rule))}", "")
        yield from _dispute(rule, runs, unwitnessed)


def _dispute(rule: Rule, runs: Sequence[Run], unwitnessed: Mapping[str, str]) -> Iterator[str]:
    readings = rule.disputed or {}
    yield f"- **Observed:** {prose(readings['observed'])}"
    yield f"- **Stated:** {prose(readings['stated'])}"
    sources = [
        f"`{one.source}`, *{prose(one.section or '?')}*" for one in rule.evidence if one.source
    ]
    if sources:
        yield f"- Stated in: {'; '.join(sources)}"
    seen = sorted({name for one in rule.evidence for name in one.observations})
    if seen:
        yield f"- Observations: {_names(seen)}"
    others = [case.id for case in rule.cases if case.profiles and not case.binds("claude-code")]
    if others:
        yield f"- The other reading is kept in: {_names(others)}"
    yield f"- **Verdict:** {_judgement(rule, runs, unwitnessed)}"


def _judgement(rule: Rule, runs: Sequence[Run], unwitnessed: Mapping[str, str]) -> str:
    if not rule.binds(DEFAULT_PROFILE):
        return f"the stated reading binds {_names(rule.profiles or ())} and not the client."
    told: list[str] = []
    for run in runs:
        outcomes = [run.verdicts[c.id].outcome for c in rule.cases if c.id in run.verdicts]
        judged = [one for one in outcomes if one in {Outcome.PASS, Outcome.FAIL}]
        if judged:
            passed = judged.count(Outcome.PASS)
            told.append(f"{passed} of {len(judged)} in {run.header.implementation.version}")
    if told:
        return f"the observed reading; cases of the rule that the client passes: {', '.join(told)}."
    reason = rule.excluded or unwitnessed.get(rule.id)
    if reason:
        return f"rests on the observations; the witness cannot show it again. {prose(reason)}"
    return "open: the witness cannot show it, so each reading binds whom it describes."


def prose(text: str) -> str:
    """Return a text of the spec on one line, safe in Markdown: its code spans stay code spans."""
    parts = " ".join(text.split()).split("`")
    if len(parts) % 2 == 0:  # a lone backtick is no code span
        return escape("`".join(parts))
    return "`".join(part if at % 2 else escape(part) for at, part in enumerate(parts))


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
