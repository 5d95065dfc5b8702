"""What can be wrong with a spec, said with file, line and id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

if TYPE_CHECKING:
    from pathlib import Path


@frozen
class Where:
    """A place in a spec file: the file, a 1-based line and a rule or case id, as far as known."""

    path: Path | None = None
    line: int | None = None
    id: str | None = None

    def __str__(self) -> str:
        """Render as `file:line: [id]`, leaving out what is not known."""
        place = "" if self.path is None else _near(self.path)
        if place and self.line is not None:
            place = f"{place}:{self.line}"
        if self.id is not None:
            place = f"{place} [{self.id}]" if place else f"[{self.id}]"
        return place


def _near(path: Path) -> str:
    """Return a path as the reader would type it: relative if it is below where they stand."""
    here = path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


@frozen
class SpecError(Exception):
    """The spec cannot be used as it stands.

    `message` says what is wrong and `hint` what to do; `where` names the place.
    """

    message: str
    where: Where = field(factory=Where)
    hint: str | None = None

    def __str__(self) -> str:
        """Render in one or two lines: place, what, and what to do."""
        place = str(self.where)
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}\n  {self.hint}" if self.hint else text


@frozen
class BuilderError(SpecError):
    """A builder in `args`, `expect` or `tree` makes no value."""
