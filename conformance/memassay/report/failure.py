"""One failed case, told in a few labelled lines: the same lines in every view.

The terminal, Markdown, JUnit and pytest differ only in how they dress the rows that `rows` returns.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from memassay.judge.texts import first_difference
from memassay.judge.values import as_bytes
from memassay.judge.verdict import Outcome
from memassay.report.notation import in_words, notate, tree_lines
from memassay.report.places import place
from memassay.report.rows import Role, Row, labelled
from memassay.report.visible import columns, short, shown_bytes, visible, window

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.judge.verdict import Header, Mismatch, Verdict
    from memassay.spec.models import Case, Rule, Spec

MAX_DIFFERENCES = 3
"""The most differences of one case that are shown; the rest is counted."""

MAX_TREE_LINES = 12
"""The most entries of a case's tree that are shown with a failure."""

MAX_STDERR_LINES = 12
"""The most lines of an adapter's standard error that are shown with a failure, the last ones."""

_BEFORE = 24  # code points shown before the first difference, for orientation
_LIMIT = 60  # characters of one text of the input
_TOLD = 48  # characters of a text that a sentence about a difference has in full


def title(rule_id: str, rule: Rule | None, level: str) -> str:
    """Return the heading of a rule: id, level and sentence."""
    text = "(this spec has no such rule)" if rule is None else " ".join(rule.text.split())
    return f"{rule_id} {level}: {text}"


def reason_of(case: Case | None) -> str:
    """Return why a case expects what it does, on one line."""
    return "(this spec has no such case)" if case is None else " ".join(case.why.split())


def reproduce(case_id: str, header: Header) -> str:
    """Return the one line that runs this case alone, quoted for a shell."""
    words = ["memassay", "run", "--case", case_id]
    if header.profile != "claude-code":
        words += ["--profile", header.profile]
    if not header.command or not header.command[0].startswith("--"):
        words.append("--")
    return shlex.join([*words, *header.command])


def rows(verdict: Verdict, header: Header, spec: Spec) -> Iterator[Row]:
    """Yield the lines that tell why one case did not pass.

    The lines hold no line break and nothing invisible; they may be longer than a terminal is wide.
    """
    case = spec.cases.get(verdict.case)
    if case is not None:
        yield from _inputs(case)
    if verdict.reason and verdict.outcome is not Outcome.FAIL:
        kind = "" if verdict.fault is None else f"{verdict.fault.value}: "
        yield Row(Role.NOTE, verdict.outcome.value, kind + visible(verdict.reason))
    if verdict.issue_url:
        yield Row(Role.NOTE, "issue", visible(verdict.issue_url))
    for mismatch in verdict.mismatches[:MAX_DIFFERENCES]:
        yield from _difference(mismatch)
    more = len(verdict.mismatches) - MAX_DIFFERENCES
    if more > 0:
        yield Row(Role.NOTE, "", f"… and {more:,} more difference{'s' if more > 1 else ''}")
    yield from _stderr(verdict.stderr)
    yield Row(Role.AGAIN, "run again", reproduce(verdict.case, header))
    if case is not None:
        yield Row(Role.PLACE, "case", place(case.where))


def _inputs(case: Case) -> Iterator[Row]:
    args = (f"{visible(name)}: {notate(value, _LIMIT)}" for name, value in case.args.items())
    yield from labelled(Role.INPUT, "input", args)
    if case.tree:
        lines = list(tree_lines(case.tree, _LIMIT))
        if len(lines) > MAX_TREE_LINES:
            more = len(lines) - MAX_TREE_LINES
            lines[MAX_TREE_LINES:] = [f"… and {more:,} more"]
        yield from labelled(Role.INPUT, "tree", lines)
    if case.clock is not None:
        yield Row(Role.INPUT, "clock", case.clock)


def _difference(mismatch: Mismatch) -> Iterator[Row]:
    expected, got = mismatch.expected, mismatch.got
    one, other = as_bytes(expected), as_bytes(got)
    at = visible(mismatch.at) or "the answer"
    if isinstance(expected, str) and isinstance(got, str) and mismatch.position is not None:
        spot = mismatch.position
        where = f"after {spot.units:,} equal units (line {spot.line:,}, column {spot.column:,})"
        yield Row(Role.DIFFERENCE, "differs", f"{at}, {where}")
        yield from _text_difference(expected, got)
    elif one is not None and other is not None:
        start = first_difference(one, other)
        yield Row(Role.DIFFERENCE, "differs", f"{at}, after {start:,} equal bytes")
        yield from _bytes_difference(one, other, max(0, start - 8))
    else:
        yield Row(Role.DIFFERENCE, "differs", f"{at} {mismatch.problem}")
        if not (_is_told(expected) and _is_told(got)):
            yield Row(Role.EXPECTED, "expected", in_words(expected, 2 * _LIMIT))
            yield Row(Role.GOT, "got", short(got, 2 * _LIMIT))


def _is_told(value: Any) -> bool:
    """Return whether the sentence about a difference already has the whole value in it."""
    if isinstance(value, str):
        return len(value) <= _TOLD and value.isprintable()
    return value is None or isinstance(value, bool | int | float)


def _text_difference(expected: str, got: str) -> Iterator[Row]:
    spot = first_difference(expected, got)
    start = max(0, spot - _BEFORE)
    shared = visible(expected, start, spot)
    yield Row(Role.EXPECTED, "expected", window(expected, spot, _BEFORE))
    yield Row(Role.GOT, "got", window(got, spot, _BEFORE))
    yield Row(Role.MARK, "", " " * (columns(shared) + len('"') + bool(start)) + "▲")


def _bytes_difference(one: bytes, other: bytes, start: int) -> Iterator[Row]:
    left = "… " if start else ""
    for role, label, data in ((Role.EXPECTED, "expected", one), (Role.GOT, "got", other)):
        yield Row(role, label, f"{left}{shown_bytes(data[start:])}")


def _stderr(stderr: str | None) -> Iterator[Row]:
    lines = [visible(line) for line in (stderr or "").splitlines()]
    if len(lines) > MAX_STDERR_LINES:
        lines[:-MAX_STDERR_LINES] = [f"… {len(lines) - MAX_STDERR_LINES:,} lines before"]
    yield from labelled(Role.STDERR, "stderr", lines)
