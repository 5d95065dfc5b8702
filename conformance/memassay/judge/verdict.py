"""What a run says about each case, as values; the stream holds nothing else."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memassay.adapter.messages import FaultKind, Implementation


class Outcome(StrEnum):
    """How one case ended."""

    PASS = "pass"  # noqa: S105 (an outcome, no secret)
    """The answer meets the expectation."""
    FAIL = "fail"
    """The answer does not meet it, or is an error where a result was expected."""
    SKIPPED = "skipped"
    """The adapter declined an op that it lists: owed, not paid."""
    UNSUPPORTED = "unsupported"
    """The adapter does not list the op."""
    FAULT = "fault"
    """The adapter crashed, hung, flooded or broke the protocol: no answer to judge."""
    NOT_RUN = "not-run"
    """The run ended before the case was put."""


class Exit(IntEnum):
    """The exit codes, the same for every command that judges."""

    AS_EXPECTED = 0
    NONCONFORMING = 1
    USAGE = 2
    INCOMPLETE = 3
    FAULT = 4


@frozen
class Position:
    """A place in a text: UTF-16 units before it, and its 1-based line and column (in units)."""

    units: int
    line: int
    column: int


@frozen
class Mismatch:
    """One difference between expectation and answer.

    `at` is where (`kept`, `topics[3].path`, `tree:MEMORY.md`); `problem` is the sentence;
    `expected` and `got` are the two values as JSON (bytes as `{"$bytes": …}`, a matcher with what
    its builders built), or None where there is none. `position` is where two texts part.
    """

    at: str
    problem: str
    expected: Any = None
    got: Any = None
    position: Position | None = None


@frozen
class Verdict:
    """What became of one case.

    `result` is the adapter's answer with the tree's root replaced by `<TREE>` (and its slug by
    `<TREE-SLUG>`), so that the same behaviour gives the same verdict anywhere. `tree` holds the
    parts of the directory afterwards that the expectation names, `requests` what the implementation
    asked the model that the runner played, or None if it played none. `nulls` says for each null
    adapter (`nothing`, `echo`, `everything`) whether its answer would have passed. `fault` is the
    kind of a fault, and `reason` its message, or why the adapter skipped the case.
    """

    case: str
    rule: str
    chapter: str
    level: str
    outcome: Outcome
    result: Any = None
    error: Mapping[str, Any] | None = None
    tree: Mapping[str, Any] | None = None
    requests: Sequence[Mapping[str, Any]] | None = None
    mismatches: tuple[Mismatch, ...] = ()
    fault: FaultKind | None = None
    reason: str | None = None
    issue_url: str | None = None
    stderr: str | None = None
    nulls: Mapping[str, bool] = field(factory=dict)


@frozen
class Header:
    """The first line of a stream: what was examined, against what."""

    client: str
    profile: str
    spec_digest: str
    command: tuple[str, ...]
    implementation: Implementation
    ops: tuple[str, ...]
    adapter_digest: str
    selection: Mapping[str, tuple[str, ...]]
    cases: int
    deviations: Mapping[str, str]
    memassay: str


@frozen
class Footer:
    """The last line of a stream. A stream without one was cut off."""

    complete: bool
    counts: Mapping[str, int]
    digest: str
    reason: str | None = None
