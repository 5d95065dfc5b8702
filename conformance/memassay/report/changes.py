"""What changed between two runs, as JSON, Markdown and for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.judge.compare import compare
from memassay.judge.values import Exactly
from memassay.report.failure import MAX_DIFFERENCES, difference_rows, sentence
from memassay.report.markdown import escape, fenced
from memassay.report.rows import Role, Row, plain
from memassay.report.sides import Sides, sides
from memassay.report.visible import counted, short, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.judge.difference import Change, Difference
    from memassay.judge.stream import Run
    from memassay.judge.verdict import Verdict
    from memassay.spec.models import Spec


def changes(difference: Difference, a: Run, b: Run, spec: Spec | None) -> dict[str, Any]:
    """Return the document of `memassay diff`."""
    return {
        "a": _who(a),
        "b": _who(b),
        "notes": list(difference.notes),
        "unchanged": difference.unchanged,
        "outcomes": [_change(change, spec) for change in difference.outcomes],
        "answers": [_change(change, spec) for change in difference.answers],
        "only_a": [_verdict(verdict, spec) for verdict in difference.only_a],
        "only_b": [_verdict(verdict, spec) for verdict in difference.only_b],
    }


def _who(run: Run) -> dict[str, Any]:
    header = run.header
    return {
        "implementation": header.implementation.name,
        "version": header.implementation.version,
        "client": header.client,
        "profile": header.profile,
        "spec_digest": header.spec_digest,
        "cases": len(run.verdicts),
        "complete": run.complete,
    }


def _change(change: Change, spec: Spec | None) -> dict[str, Any]:
    found = list(_differences(change.before, change.after))
    return {
        "case": change.case,
        "rule": change.rule,
        "text": _text(change.rule, spec),
        "before": change.before.outcome.value,
        "after": change.after.outcome.value,
        "differences": [
            {"at": one.where, "before": one.one, "after": one.other, "mark": one.mark}
            for one in found[:MAX_DIFFERENCES]
        ],
        "more_differences": max(0, len(found) - MAX_DIFFERENCES),
    }


def _differences(before: Verdict, after: Verdict) -> Iterator[Sides]:
    """Yield how the later answer departs from the earlier one."""
    if before.result is None or after.result is None:
        if (before.result, before.error) != (after.result, after.error):
            yield Sides("the answer", answer(before), answer(after), "")
    else:
        yield from map(sides, compare(Exactly(before.result), after.result))
    if before.tree is not None and after.tree is not None:
        yield from map(sides, compare(Exactly(before.tree), after.tree, "afterwards"))


def _verdict(verdict: Verdict, spec: Spec | None) -> dict[str, Any]:
    return {
        "case": verdict.case,
        "rule": verdict.rule,
        "text": _text(verdict.rule, spec),
        "outcome": verdict.outcome.value,
    }


def _text(rule_id: str, spec: Spec | None) -> str | None:
    rule = None if spec is None else spec.rules.get(rule_id)
    return None if rule is None else sentence(rule)


def answer(verdict: Verdict) -> str:
    """Return what the implementation answered, in short."""
    if verdict.error is not None:
        return f"error {visible(str(verdict.error['code']))}"
    if verdict.result is not None:
        return short(verdict.result, 48)
    return visible(verdict.reason or "no answer")


_NO_ANSWER = frozenset({"skipped", "unsupported"})

GROUPS = (
    ("outcomes", "Other outcome"),
    ("answers", "Same outcome, other answer"),
    ("only_a", "Only in the first run"),
    ("only_b", "Only in the second run"),
)
"""The parts of the document that hold changes, with their titles."""


def by_rule(items: list[dict[str, Any]]) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield the rules of a part: id, text, changes."""
    found: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        found.setdefault(item["rule"], []).append(item)
    for rule_id, cases in found.items():
        yield rule_id, cases[0]["text"] or "(this spec has no such rule)", cases


def conclusion(document: dict[str, Any]) -> str:
    """Return the whole difference in one sentence."""
    outcomes = document["outcomes"]
    silent = sum(item["after"] in _NO_ANSWER for item in outcomes)
    broke = sum(item["before"] == "pass" and item["after"] not in _NO_ANSWER for item in outcomes)
    mended = sum(item["after"] == "pass" for item in outcomes)
    counts = (
        (broke, "no longer passing"),
        (mended, "passing now"),
        (silent, "not answered any more"),
        (len(outcomes) - broke - mended - silent, "failing otherwise"),
        (len(document["answers"]), "with another answer"),
        (len(document["only_a"]), "only in the first"),
        (len(document["only_b"]), "only in the second"),
        (document["unchanged"], "unchanged"),
    )
    return ", ".join(f"{count:,} {words}" for count, words in counts if count) or "no cases"


def changes_markdown(document: dict[str, Any]) -> str:
    """Return the document as Markdown."""
    return "\n".join(_markdown(document)) + "\n"


def who(side: dict[str, Any]) -> str:
    """Return one side in a few words."""
    name = " ".join(part for part in (side["implementation"], side["version"]) if part)
    return f"{name}, client {side['client']}, profile {side['profile']}"


def _markdown(document: dict[str, Any]) -> Iterator[str]:
    yield f"## {escape(conclusion(document))}"
    yield ""
    yield f"From {escape(who(document['a']))} to {escape(who(document['b']))}."
    for note in document["notes"]:
        yield ""
        yield f"> {escape(note)}"
    for key, title in GROUPS:
        if document[key]:
            yield ""
            yield f"### {title} ({len(document[key]):,})"
        for rule_id, text, items in by_rule(document[key]):
            yield ""
            yield f"**{escape(rule_id)}** {escape(text)}"
            yield ""
            for item in items:
                yield f"- `{item['case']}`: {escape(what(item))}"
                told = plain(change_rows(item))
                if told:
                    yield from ("", *(f"  {line}" for line in fenced(told)))


def what(item: dict[str, Any]) -> str:
    """Return what became of one case, in words."""
    if "outcome" in item:
        return item["outcome"]
    if item["before"] == item["after"]:
        return item["before"]
    return f"{item['before']} → {item['after']}"


def change_rows(item: dict[str, Any]) -> Iterator[Row]:
    """Yield the lines that tell how the answer to one case changed."""
    for found in item.get("differences", ()):
        at, before, after, mark = (found[key] for key in ("at", "before", "after", "mark"))
        yield from difference_rows(Sides(at, before, after, at, mark), "before", "after")
    if item.get("more_differences"):
        yield Row(Role.NOTE, "", f"… and {counted(item['more_differences'], 'more difference')}")
