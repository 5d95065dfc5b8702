"""One failed case, told in a few labelled lines: the same lines in every view.

The terminal, Markdown, JUnit and pytest differ only in how they dress the rows that `rows` returns.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from memassay.judge.verdict import Outcome
from memassay.report.notation import notate, tree_lines
from memassay.report.places import place
from memassay.report.rows import Role, Row, labelled
from memassay.report.sides import sides
from memassay.report.visible import counted, is_hidden, visible
from memassay.spec.locate import DEFAULT_VERSION
from memassay.spec.models import DEFAULT_PROFILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memassay.judge.verdict import Verdict
    from memassay.report.sides import Sides
    from memassay.spec.models import Case, Rule, Spec

MAX_DIFFERENCES = 3
"""The most differences of one case that are shown; the rest is counted."""

MAX_TREE_LINES = 12
"""The most entries of a case's tree that are shown with a failure."""

MAX_STDERR_LINES = 12
"""The most lines of an adapter's standard error that are shown with a failure, the last ones."""

_LIMIT = 60  # characters of one text of the input


def sentence(rule: Rule | None) -> str:
    """Return what a rule demands, on one line."""
    return "(this spec has no such rule)" if rule is None else " ".join(rule.text.split())


def reason(case: Case | None) -> str:
    """Return why a case expects what it does, on one line."""
    return "(this spec has no such case)" if case is None else " ".join(case.why.split())


def reproduce(
    case_id: str,
    command: Sequence[str],
    profile: str = DEFAULT_PROFILE,
    version: str = DEFAULT_VERSION,
) -> str:
    """Return the one line that runs a case alone, quoted for a shell.

    `command` is as a stream's header has it: an argv, or options of `run` that stand for one.
    `version` is that of the spec which has the case.
    """
    words = ["memassay", "run", "--case", case_id]
    if version != DEFAULT_VERSION:
        words += ["--spec-version", version]
    if profile != DEFAULT_PROFILE:
        words += ["--profile", profile]
    if not command or not command[0].startswith("--"):
        words.append("--")
    return " ".join(map(_word, [*words, *command]))


def _word(word: str) -> str:
    """Return one word quoted for a shell, in which nothing is hidden from who copies the line.

    What would be invisible is an escape of `$'…'` (bash, zsh, ksh and POSIX of 2024 have it).
    """
    if not any(map(is_hidden, word)):
        return shlex.quote(word)
    return f"$'{''.join(map(_escape, word))}'"


def _escape(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    if not is_hidden(char):
        return char
    # A byte of a command that is no UTF-8 is half of a surrogate pair in Python, and that byte here
    errors = "surrogateescape" if "\udc80" <= char <= "\udcff" else "surrogatepass"
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", errors))


def rows(verdict: Verdict, spec: Spec, again: str) -> Iterator[Row]:
    """Yield the lines that tell why one case did not pass; `again` is the line to run it again.

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
        yield from difference_rows(sides(mismatch))
    more = len(verdict.mismatches) - MAX_DIFFERENCES
    if more > 0:
        yield Row(Role.NOTE, "", f"… and {counted(more, 'more difference')}")
    yield from stderr_rows(verdict.stderr)
    yield Row(Role.AGAIN, "run again", again)
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
    if case.model is not None:
        yield Row(Role.INPUT, "model", notate(case.model, _LIMIT))
    if case.clock is not None:
        yield Row(Role.INPUT, "clock", case.clock)


def difference_rows(found: Sides, one: str = "expected", other: str = "got") -> Iterator[Row]:
    """Yield the lines of one difference; `one` and `other` label its sides."""
    yield Row(Role.DIFFERENCE, "differs", found.sentence)
    if not found.told:
        yield Row(Role.EXPECTED, one, found.one)
        yield Row(Role.GOT, other, found.other)
    if found.mark is not None:
        yield Row(Role.MARK, "", f"{' ' * found.mark}▲")


def stderr_rows(stderr: str | None) -> Iterator[Row]:
    """Yield the last lines of what an adapter wrote to standard error."""
    lines = [visible(line) for line in (stderr or "").splitlines()]
    if len(lines) > MAX_STDERR_LINES:
        lines[:-MAX_STDERR_LINES] = [f"… {len(lines) - MAX_STDERR_LINES:,} lines before"]
    yield from labelled(Role.STDERR, "stderr", lines)
