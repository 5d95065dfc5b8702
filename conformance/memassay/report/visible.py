"""Making what cannot be seen visible, and long texts short, without ever being ambiguous.

Every view shows texts through this module. A character that a terminal would swallow, reorder or
draw as nothing is written as `⟨U+200B⟩`; half of a surrogate pair as `⟨D83D⟩`; tab, LF and CR as
␉ ␊ ␍; a space as ␠ only where it is easily overlooked. The signs themselves, when they stand in the
text, are written as `⟨U+240A⟩`, so that two different texts never look the same.
"""

from __future__ import annotations

import base64
import binascii
import json
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_PICTURES = {"\t": "␉", "\n": "␊", "\r": "␍"}
SPACE = "␠"
_SIGNS = frozenset("␉␊␍␠⟨⟩")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Zl", "Zp", "Zs"})
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
_ASTRAL = "\U00010000"


def length_units(text: str) -> int:
    """Return the length of `text` in UTF-16 code units."""
    return len(text) + sum(char >= _ASTRAL for char in text) if not text.isascii() else len(text)


@lru_cache(4096)
def _sign(char: str) -> str:
    """Return how one character is written, wherever it stands."""
    picture = _PICTURES.get(char)
    if picture is not None:
        return picture
    if " " <= char <= "~":
        return char
    if "\ud800" <= char <= "\udfff":
        return f"⟨{ord(char):04X}⟩"
    if (
        char in _SIGNS
        or char in _HIDDEN_LETTERS
        or unicodedata.category(char) in _HIDDEN_CATEGORIES
    ):
        return f"⟨U+{ord(char):04X}⟩"
    return char


def visible(text: str) -> str:
    """Return `text` with every invisible character made visible, on one line.

    A space is shown as ␠ where it stands first, last, or beside another space, a tab, LF or CR.
    A combining mark with nothing before it to sit on is written by its number.
    """
    return "".join(_signs(text))


def _signs(text: str) -> Iterator[str]:
    blank = " \t\n\r"
    last = len(text) - 1
    seated = False  # whether a combining mark would have a character to sit on
    for at, char in enumerate(text):
        if char == " ":
            before = text[at - 1] if at else "\n"
            after = text[at + 1] if at < last else "\n"
            sign = SPACE if before in blank or after in blank else char
        elif not seated and not char.isascii() and unicodedata.combining(char):
            sign = f"⟨U+{ord(char):04X}⟩"
        else:
            sign = _sign(char)
        seated = sign == char != " "
        yield sign


def quoted(text: str, limit: int = 60) -> str:
    """Return `text` in quotes, shortened to about `limit` characters with its true length named."""
    if len(text) <= limit:
        return f'"{visible(text)}"'
    tail = min(12, limit // 4)
    head = limit - tail
    return f'"{visible(text[:head])}"…"{visible(text[-tail:])}" ({length_units(text):,} units)'


def window(text: str, at: int, before: int = 24, after: int = 36) -> str:
    """Return the part of `text` around the code point `at`, in quotes; … stands for the rest."""
    start, end = max(0, at - before), at + after
    left = "…" if start else ""
    right = "…" if end < len(text) else ""
    return f'{left}"{visible(text[start:end])}"{right}'


def first_difference(one: str, other: str) -> int:
    """Return the position, in code points, of the first difference of two texts."""
    size = min(len(one), len(other))
    if one[:size] == other[:size]:
        return size
    low, high = 0, size  # the prefix of length `low` is equal, the one of length `high` is not
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


def as_bytes(value: Any) -> bytes | None:
    """Return the bytes that the wire form `{"$bytes": base64}` stands for, or None."""
    if not isinstance(value, dict) or value.keys() != {"$bytes"}:
        return None
    try:
        return base64.b64decode(value["$bytes"], validate=True)
    except (binascii.Error, TypeError, ValueError):
        return None


def shown_bytes(data: bytes, limit: int = 24) -> str:
    """Return bytes as hex pairs, shortened to `limit` of them, with their number named."""
    pairs = data[:limit].hex(" ").upper()
    more = " …" if len(data) > limit else ""
    unit = "byte" if len(data) == 1 else "bytes"
    return f"{len(data):,} {unit}: {pairs}{more}" if data else "0 bytes"


def short(value: Any, limit: int = 60, items: int = 6) -> str:
    """Return any JSON value on one line: texts by `quoted`, `items` of a list or mapping."""
    if isinstance(value, str):
        return quoted(value, limit)
    data = value if isinstance(value, bytes) else as_bytes(value)
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
