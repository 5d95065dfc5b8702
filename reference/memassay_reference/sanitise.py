"""Making text safe on its way into a prompt. Chapter sanitise.

Three steps, in this order: other line breaks become LF (SAN-1d), invisible characters go (SAN-1),
and reserved tags are escaped with a backslash (SAN-2), those included that the second step made.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memassay.spec import table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LINE_BREAK = re.compile("\r\n?|[\u2028\u2029]")
_WORD = re.compile("[A-Za-z0-9_-]")
_ESCAPE = "<\\"
_TABLE_HEADER = ("table", "about")
_SURROGATES = range(0xD800, 0xE000)


def sanitise(text: str) -> str:
    """Return `text` as it may stand in a prompt. Sanitising twice changes nothing more."""
    return escape_tags(remove_invisible(_LINE_BREAK.sub("\n", text)))


def remove_invisible(text: str) -> str:
    """Return `text` without the code points of the table (SAN-1), and without lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate({ord(char): None for char in set(text) if _is_removed(ord(char))})


def escape_tags(text: str) -> str:
    """Return `text` with a backslash after the bracket of every reserved tag (SAN-2).

    A tag is a bracket, anything but ASCII letters, digits, `-`, `_` and brackets, and a name. The
    bracket may be a lookalike and becomes `<`. What is already escaped stays as it is.
    """
    signs = _signs()
    starts: list[int] | None = None
    parts: list[str] = []
    done = 0
    for opening in signs.opening.finditer(text):
        if starts is None:
            starts = sorted(_name_starts(text, signs))
        next_start = bisect_right(starts, opening.start())
        if next_start < len(starts) and starts[next_start] <= opening.end():
            parts += [text[done : opening.start()], _ESCAPE]
            done = opening.start() + 1
    return "".join((*parts, text[done:]))


def _name_starts(text: str, signs: _Signs) -> Iterator[int]:
    """Yield where names of reserved tags begin, whatever is before them.

    Names are looked for in a plain reading of the text, in which lookalikes are letters and marks
    are gone; that no letter follows a name is checked in the text itself. A name that ends within a
    character (`㎄` is read `ka`) has nothing after it that could be a letter.
    """
    reading: list[str] = []
    origin: list[int] = []
    for position, char in enumerate(text):
        letters = signs.readings.get(char, char)
        reading.append(letters)
        origin += [position] * len(letters)
    for name in signs.names.finditer("".join(reading)):
        end = name.end(1)
        after = origin[end - 1] + 1
        within = end < len(origin) and origin[end] == origin[end - 1]
        if name["prefix"] or within or not _WORD.match(text, after):
            yield origin[name.start()]


class _Signs(NamedTuple):
    """The lookalikes, ready for use.

    `readings` maps a character to the letters it passes for; one that passes for several different
    letters maps to itself, and `names` knows them all. `opening` is a bracket that is not escaped
    and what may stand between it and a name.
    """

    readings: Mapping[str, str]
    names: re.Pattern[str]
    opening: re.Pattern[str]


@cache
def _signs() -> _Signs:
    lookalikes, reserved = table("sanitise-lookalikes"), table("sanitise-reserved")
    classes = dict(lookalikes["letters"])
    classes["-"] = lookalikes["dash"]
    classes[":"] = lookalikes["colon"]
    passes_for: dict[str, str] = {}
    for letter, ranges in classes.items():
        for char in _characters(ranges):
            passes_for[char] = passes_for.get(char, "") + letter
    readings = {char: letters for char, letters in passes_for.items() if len(letters) == 1}
    ambiguous = {char: letters for char, letters in passes_for.items() if len(letters) > 1}
    sequences: Mapping[str, str] = lookalikes["sequences"]
    for letters, ranges in sequences.items():
        readings |= dict.fromkeys(_characters(ranges), letters)
    readings |= dict.fromkeys(_characters(lookalikes["ignored"]), "")

    def spell(names: list[str]) -> str:
        return "|".join("".join(map(one, name)) for name in names)

    def one(letter: str) -> str:
        return f"[{letter}{''.join(char for char, all_ in ambiguous.items() if letter in all_)}]"

    less, greater = lookalikes["less_than"], lookalikes["greater_than"]
    brackets = "".join(_characters(less))
    no_junk = f"{brackets}{''.join(_characters(greater))}A-Za-z0-9_-"
    whole, prefixes = spell(reserved["whole"]), spell(reserved["prefixes"])
    return _Signs(
        readings=readings,
        names=re.compile(f"(?=({whole}|(?P<prefix>{prefixes})))"),
        opening=re.compile(rf"[{brackets}](?!\\)[^{no_junk}]*"),
    )


@cache
def _removed() -> tuple[list[int], list[int]]:
    """Return the first and the last code points of the removed ranges, in order."""
    parts = (text for key, text in table("sanitise-removed").items() if key not in _TABLE_HEADER)
    ranges = sorted(pair for text in parts for pair in _ranges(text))
    return [first for first, _ in ranges], [last for _, last in ranges]


def _is_removed(code_point: int) -> bool:
    firsts, lasts = _removed()
    place = bisect_right(firsts, code_point) - 1
    return (place >= 0 and code_point <= lasts[place]) or code_point in _SURROGATES


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a table entry such as `41 61-7A`."""
    for item in text.split():
        first, _, last = item.partition("-")
        yield int(first, 16), int(last or first, 16)


def _characters(ranges: str) -> Iterator[str]:
    for first, last in _ranges(ranges):
        yield from map(chr, range(first, last + 1))


def _answer(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    return {"text": sanitise(args["text"])}


OPS = {"sanitise": _answer}
