"""What a fuzzer of any op is asked, and what it brings back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.spec.models import Op


@frozen
class Assignment:
    """What to look for, and how long: `examples` questions of one op, the same for one `seed`."""

    op: Op
    examples: int
    seed: int


@frozen
class Disagreement:
    """A question on which two implementations differ, as short as could be found.

    `case` is a case of the spec, as a chapter would hold it; `problem` says in a sentence what
    differs.
    """

    case: Mapping[str, Any]
    problem: str


@frozen
class Outcome:
    """What became of an assignment. `skipped` questions were declined by the implementation."""

    asked: int
    skipped: int
    disagreement: Disagreement | None = None


@frozen
class FuzzError(Exception):
    """The implementation cannot be fuzzed: it fails, or answers differently when asked again."""

    message: str

    def __str__(self) -> str:
        """Render as the message."""
        return self.message
