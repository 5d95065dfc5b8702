"""Making what cannot be seen visible, and long texts short, without being ambiguous.

Every view shows texts through this module. A character that a terminal would swallow, reorder or
draw as nothing is written as `⟨U+200B⟩`; half of a surrogate pair as `⟨D83D⟩`; tab, LF and CR as
␉ ␊ ␍; a space as ␠ only where it is easily overlooked. A mark that would melt into the character
before it, so that the two look like one, is written by its number, too. The signs themselves, when
they stand in the text, are written as `⟨U+240A⟩`: what is written can be read back.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memassay.judge.texts import length_units
from memassay.judge.values import as_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

SPACE = "␠"
_PICTURES = {"\t": "␉", "\n": "␊", "\r": "␍"}
_SIGNS = frozenset("␉␊␍␠⟨⟩")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
_HIDDEN_LETTERS = frozenset(
    chr(point)
    for first, last in (
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x115F, 0x1160),  # Hangul fillers
        (0x17B4, 0x17B5),  # Khmer inherent vowels
        (0x180B, 0x180F),  # Mongolian variation selectors
        (0x2800, 0x2800),  # Braille blank
        (0x3164, 0x3164),  # Hangul filler
        (0xFE00, 0xFE0F),  # variation selectors
        (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
        (0xE0100, 0xE01EF),  # variation selectors supplement
    )
    for point in range(first, last + 1)
)
_NOT_ASCII = re.compile(r"[^\x00-\x7e]")


@lru_cache(4096)
def is_hidden(char: str) -> bool:
    """Return whether a reader would not see `char`, or see it move others; a space is seen."""
    if " " <= char <= "~":
        return False
    return char in _HIDDEN_LETTERS or unicodedata.category(char) in _HIDDEN_CATEGORIES


def numbered(char: str) -> str:
    """Return a character by its number: `⟨U+200B⟩`, half of a surrogate pair as `⟨D83D⟩`."""
    half = "\ud800" <= char <= "\udfff"
    return f"⟨{ord(char):04X}⟩" if half else f"⟨{code_point(char)}⟩"


def code_point(char: str) -> str:
    """Return the number of a character, as `U+200B`."""
    return f"U+{ord(char):04X}"


@lru_cache(4096)
def _sign(char: str) -> str:
    """Return how one character is written, wherever it stands."""
    if char in _PICTURES:
        return _PICTURES[char]
    return numbered(char) if char in _SIGNS or is_hidden(char) else char


def visible(text: str, start: int = 0, end: int | None = None) -> str:
    """Return `text[start:end]` with every invisible character made visible, on one line.

    A space is shown as ␠ where it stands first or last in the whole text, or beside another space,
    a tab, LF or CR. A combining mark is written by its number if there is nothing before it to sit
    on, or if there is one character that looks like the two.
    """
    return "".join(_signs(text, start, len(text) if end is None else min(end, len(text))))


def _signs(text: str, start: int, end: int) -> Iterator[str]:
    blank = " \t\n\r"
    last = len(text) - 1
    seated = False  # whether a combining mark would have a character to sit on
    for at in range(start, end):
        char = text[at]
        if char == " ":
            before = text[at - 1] if at else "\n"
            after = text[at + 1] if at < last else "\n"
            sign = SPACE if before in blank or after in blank else char
        elif not char.isascii() and _melts(text[at - 1] if seated else "", char):
            sign = numbered(char)
        else:
            sign = _sign(char)
        seated = sign == char != " "
        yield sign


def _melts(before: str, char: str) -> bool:
    """Return whether `char` cannot be told from what it stands on; `before` is empty if nothing."""
    if not before:
        return unicodedata.combining(char) != 0
    return len(unicodedata.normalize("NFC", before + char)) == 1


def columns(shown: str) -> int:
    """Return how many columns of a terminal a text made by `visible` takes."""
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in shown
    )


def quoted(text: str, limit: int = 60) -> str:
    """Return `text` in quotes, shortened to about `limit` characters with its true length named."""
    if len(text) <= limit:
        return f'"{visible(text)}"'
    tail = min(12, limit // 4)
    head, rest = visible(text, 0, limit - tail), visible(text, len(text) - tail)
    return f'"{head}"…"{rest}" ({length_units(text):,} units)'


def window_start(text: str, at: int, before: int = 24) -> int:
    """Return where a window on `text` begins: at most `before` columns before code point `at`."""
    start = max(0, at - before)
    while columns(visible(text, start, at)) > before:
        start += 1
    return start


def window(text: str, at: int, before: int = 24, after: int = 36) -> str:
    """Return the part of `text` around the code point `at`, in quotes; … stands for the rest.

    It takes at most `before` columns before that and `after` from there on, so that it stays on one
    line of a terminal and a mark can be put below it.
    """
    start, end = window_start(text, at, before), min(len(text), at + after)
    while columns(visible(text, at, end)) > after:
        end -= 1
    left = "…" if start else ""
    right = "…" if end < len(text) else ""
    return f'{left}"{visible(text, start, end)}"{right}'


def counted(number: int, what: str) -> str:
    """Return a number of things: `1 case`, `2,000 cases`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def shown_bytes(data: bytes, limit: int = 24) -> str:
    """Return bytes as hex pairs, shortened to `limit` of them, with their number named."""
    if not data:
        return "0 bytes"
    more = " …" if len(data) > limit else ""
    return f"{counted(len(data), 'byte')}: {data[:limit].hex(' ').upper()}{more}"


def short(value: Any, limit: int = 60, items: int = 6) -> str:
    """Return any JSON value on one line: texts by `quoted`, `items` of a list or mapping."""
    if isinstance(value, str):
        return quoted(value, limit)
    data = as_bytes(value)
    if data is not None:
        return shown_bytes(data)
    inner = max(20, limit // 2)
    if isinstance(value, dict):
        parts = [
            f"{visible(str(key))}: {short(child, inner, items)}"
            for key, child in list(value.items())[:items]
        ]
        return "{" + ", ".join(parts + _more(len(value) - items)) + "}"
    if isinstance(value, list | tuple):
        parts = [short(child, inner, items) for child in value[:items]]
        return "[" + ", ".join(parts + _more(len(value) - items)) + "]"
    return json.dumps(value)


def _more(number: int) -> list[str]:
    return [f"… {number:,} more"] if number > 0 else []


def visible_json(value: Any, *, indent: int | None = None) -> str:
    """Return `value` as JSON that can be read and pasted: only what is invisible is an escape."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    # Outside its texts JSON is ASCII, so whatever is replaced here stands in a text.
    return _NOT_ASCII.sub(lambda match: _escape(match[0]), text)


def _escape(char: str) -> str:
    if not is_hidden(char):
        return char
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
