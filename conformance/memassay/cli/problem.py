"""What a command says when it cannot do what it was asked."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import frozen

from memassay.judge.verdict import Exit
from memassay.spec.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator


@frozen
class Problem(Exception):  # noqa: N818 (a problem of the user's, not an error of ours)
    """What a command could not do, with the exit code that says whose problem it is."""

    message: str
    code: Exit = Exit.USAGE
    hint: str | None = None

    def __str__(self) -> str:
        """Render as what is wrong, and what to do."""
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


@contextmanager
def as_usage() -> Iterator[None]:
    """Turn a `SpecError` inside into a usage problem: the name or file came from the user."""
    try:
        yield
    except SpecError as error:
        raise Problem(str(error)) from None
