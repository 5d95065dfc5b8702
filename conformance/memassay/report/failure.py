"""One failed case, told in a few labelled lines: the same lines in every view.

The terminal, Markdown, JUnit and pytest differ only in how they dress the rows that `rows` returns.
"""

from __future__ import annotations

import shlex
import unicodedata
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from attrs import frozen

from memassay.judge.verdict import Outcome
from memassay.report.notation import notate, tree_lines
from memassay.report.places import place
from memassay.report.visible import as_bytes, first_difference, short, shown_bytes, visible, window

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memassay.judge.verdict import Header, Mismatch, Verdict
    from memassay.spec.models import Case, Rule, Spec

MAX_DIFFERENCES = 3
"""The most differences of one case that are shown; the rest is counted."""

MAX_TREE_LINES = 12
"""The most entries of a case's tree that are shown with a failure."""

MAX_STDERR_LINES = 12
"""The most lines of an adapter's standard error that are shown with a failure, the last ones."""

_BEFORE = 24  # code points shown before the first difference, for orientation
_LIMIT = 60


class Role(StrEnum):
    """What a row says, for views that have colours."""

    INPUT = "input"
    DIFFERENCE = "difference"
    EXPECTED = "expected"
    GOT = "got"
    MARK = "mark"
    NOTE = "note"
    STDERR = "stderr"
    AGAIN = "again"
    PLACE = "place"


@frozen
class Row:
    """One line of a failure: a short label (empty if the one above still holds) and a text."""

    role: Role
    label: str
    text: str


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
        yield Row(Role.NOTE, verdict.outcome.value, visible(verdict.reason))
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


def plain(lines: Sequence[Row]) -> str:
    """Return rows as plain text, labels in a column of their own, ending without a line break."""
    return "\n".join(f"{row.label:<{LABEL_WIDTH}}{row.text}".rstrip() for row in lines)


LABEL_WIDTH = 11
"""The width of the label column in plain text."""


def _inputs(case: Case) -> Iterator[Row]:
    label = "input"
    for name, value in case.args.items():
        yield Row(Role.INPUT, label, f"{visible(name)}: {notate(value, _LIMIT)}")
        label = ""
    if case.tree:
        lines = list(tree_lines(case.tree, _LIMIT))
        label = "tree"
        for line in lines[:MAX_TREE_LINES]:
            yield Row(Role.INPUT, label, line)
            label = ""
        if len(lines) > MAX_TREE_LINES:
            yield Row(Role.INPUT, "", f"… and {len(lines) - MAX_TREE_LINES:,} more entries")
    if case.clock is not None:
        yield Row(Role.INPUT, "clock", case.clock)


def _difference(mismatch: Mismatch) -> Iterator[Row]:
    at = visible(mismatch.at)
    yield Row(Role.DIFFERENCE, "differs", f"{at}: {mismatch.problem}" if at else mismatch.problem)
    expected, got = mismatch.expected, mismatch.got
    if isinstance(expected, str) and isinstance(got, str):
        spot = first_difference(expected, got)
        yield Row(Role.EXPECTED, "expected", window(expected, spot, _BEFORE))
        yield Row(Role.GOT, "got", window(got, spot, _BEFORE))
        yield Row(Role.MARK, "", " " * _cells_before(expected, spot) + "▲")
        return
    one, other = as_bytes(expected), as_bytes(got)
    if one is not None and other is not None:
        yield from _bytes_difference(one, other)
        return
    yield Row(Role.EXPECTED, "expected", _value(expected))
    yield Row(Role.GOT, "got", _value(got))


def _bytes_difference(one: bytes, other: bytes) -> Iterator[Row]:
    spot = first_difference(one.decode("latin-1"), other.decode("latin-1"))
    start = max(0, spot - 8)
    from_byte = f" (from byte {start:,})" if start else ""
    yield Row(Role.EXPECTED, "expected", shown_bytes(one[start:]) + from_byte)
    yield Row(Role.GOT, "got", shown_bytes(other[start:]) + from_byte)


def _value(value: Any) -> str:
    return short(value, 2 * _LIMIT)


def _cells_before(text: str, spot: int) -> int:
    """Return how many columns a terminal uses for a window's part before the difference."""
    start = max(0, spot - _BEFORE)
    return sum(map(_width, visible(text[start:spot]))) + 1 + bool(start)


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _stderr(stderr: str | None) -> Iterator[Row]:
    lines = (stderr or "").splitlines()
    label = "stderr"
    if len(lines) > MAX_STDERR_LINES:
        yield Row(Role.STDERR, label, f"… {len(lines) - MAX_STDERR_LINES:,} lines before")
        label = ""
    for line in lines[-MAX_STDERR_LINES:]:
        yield Row(Role.STDERR, label, visible(line))
        label = ""
