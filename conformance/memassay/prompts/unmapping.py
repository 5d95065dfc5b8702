"""What the baseline may have said where a port says this: permitted replacements undone.

A port need not replace every occurrence (the word `read` is not always the tool), so each place is
tried both ways. Each candidate differs from the port's line by permitted replacements only; if one
of them has the hash of a line of the baseline, the port's line is that line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from memassay.prompts.lines import Line, mark
from memassay.prompts.names import name_places, places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.prompts.substitutions import Declared, Term


MAX_CANDIDATES = 4096
"""Candidates tried for one line: twelve places, each of which may be replaced or not."""

_MAX_UNITS = 1 << 24
"""Code points written for the candidates of one line: an immense line gets fewer of them."""


@frozen
class Place:
    """Where a replacement may have been made: code points `start` to `end` of the port's line.

    `source` is the entry's term, or the name of a dynamic value.
    """

    start: int
    end: int
    baseline: str
    source: Term | str


@frozen
class _Link:
    """A place that was undone, and those before it: shared by all choices that go on from there."""

    before: _Link | None
    place: Place


@frozen
class Candidate:
    """A line that the baseline may have had, and what was undone to come to it."""

    text: str
    undone: tuple[Term | str, ...]


def find_places(line: Line, declared: Declared) -> list[Place]:
    """Return every place of a line at which something declared may have been replaced, in order."""
    found: list[Place] = []
    for term in declared.terms:
        starts = (
            places(term.port, line.text)
            if term.of is None
            else name_places(term.of, term.baseline, line, term.port)
        )
        found += [Place(at, at + len(term.port), term.baseline, term) for at in starts]
    for name, value in declared.dynamic.items():
        if "\n" in value:
            continue  # replaced before the text was split into lines
        at = line.text.find(value)
        while at >= 0:
            found.append(Place(at, at + len(value), mark(name), name))
            at = line.text.find(value, at + len(value))
    return sorted(found, key=lambda place: (place.start, -place.end))


def candidate_limit(line: Line) -> int:
    """Return how many candidates are tried for a line at most."""
    return max(2, min(MAX_CANDIDATES, _MAX_UNITS // (len(line.text) + 1)))


def candidates(line: Line, found: list[Place]) -> Iterator[Candidate]:
    """Yield the candidates of a line: as it stands, then everything undone, then all others.

    There are two to the number of places, so whoever asks stops at `candidate_limit`.
    """
    yield Candidate(line.text, ())
    # What is left to decide: from which place on, from which code point on, what was undone so far.
    stack: list[tuple[int, int, _Link | None]] = [(0, 0, None)] if found else []
    while stack:
        index, free_from, chain = stack.pop()
        while index < len(found) and found[index].start < free_from:
            index += 1
        if index < len(found):
            stack.append((index + 1, free_from, chain))
            stack.append((index + 1, found[index].end, _Link(chain, found[index])))
        elif chain is not None:
            yield _undo(line.text, chain)


def _undo(text: str, chain: _Link | None) -> Candidate:
    chosen: list[Place] = []
    while chain is not None:
        chosen.append(chain.place)
        chain = chain.before
    chosen.reverse()
    parts: list[str] = []
    end = 0
    for place in chosen:
        parts += [text[end : place.start], place.baseline]
        end = place.end
    parts.append(text[end:])
    return Candidate("".join(parts), tuple(place.source for place in chosen))
