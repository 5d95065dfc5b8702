"""JavaScript's idea of text, in Python.

The client is a JavaScript program, so its limits, cuts and hashes are those of JavaScript strings:
sequences of UTF-16 code units, in which a character outside the basic plane takes two. Python
counts code points. Everything that depends on the difference stands here, and nothing else does.

Python text may hold lone surrogates; they stand for half of a pair, as in JavaScript.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

JS_WHITESPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `trim()` removes: ECMAScript's WhiteSpace and LineTerminator. U+0085 is not among them."""

ELLIPSIS = "…"
"""What the client puts where it cut something short."""

_UNIT = 2  # bytes of a code unit in UTF-16
_INT32 = 1 << 32
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def encode_units(text: str) -> bytes:
    """Return the code units of `text`, two little-endian bytes each; half pairs are allowed."""
    return text.encode("utf-16-le", "surrogatepass")


def decode_units(units: bytes) -> str:
    """Return the text of code units made by `encode_units`; a lone half stays a lone surrogate."""
    return units.decode("utf-16-le", "surrogatepass")


def length_units(text: str) -> int:
    """Return `text.length`: the number of UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(encode_units(text)) // _UNIT


def slice_units(text: str, start: int, end: int | None = None) -> str:
    """Return `text.slice(start, end)` for non-negative positions in code units.

    A cut inside a surrogate pair leaves half of it, as in JavaScript.
    """
    if text.isascii():
        return text[start:end]
    last = None if end is None else end * _UNIT
    return decode_units(encode_units(text)[start * _UNIT : last])


def slice_whole(text: str, end: int) -> str:
    """Return the first `end` code units of `text`, one fewer if a surrogate pair would be split."""
    cut = slice_units(text, 0, end)
    if cut and "\ud800" <= cut[-1] <= "\udbff" and length_units(cut) < length_units(text):
        return cut[:-1]
    return cut


def shorten(text: str, max_units: int) -> str:
    """Return `text` if it takes at most `max_units`, else the start of it and an ellipsis.

    A surrogate pair is not split. If the last whitespace of what is left stands beyond the middle
    of the room, the cut is made there instead. Whitespace before the ellipsis goes.
    """
    if length_units(text) <= max_units:
        return text
    cut = slice_whole(text, max_units - length_units(ELLIPSIS))
    word_end = max(map(cut.rfind, JS_WHITESPACE))
    if word_end >= 0 and length_units(cut[:word_end]) * 2 > max_units:
        cut = cut[:word_end]
    return cut.rstrip(JS_WHITESPACE) + ELLIPSIS


def to_utf8(text: str) -> bytes:
    """Return the bytes of `text` as a file holds them: U+FFFD stands for half a surrogate pair."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return encode_units(text).decode("utf-16-le", "replace").encode()


def last_index_of(text: str, needle: str, position: int) -> int:
    """Return `text.lastIndexOf(needle, position)`: a start at or before `position` units, or −1."""
    window = slice_units(text, 0, position + length_units(needle))
    found = window.rfind(needle)
    return found if found < 0 else length_units(window[:found])


def trim(text: str) -> str:
    """Return `text.trim()`: byte order marks go, U+0085 stays."""
    return text.strip(JS_WHITESPACE)


def has_inner_whitespace(text: str) -> bool:
    r"""Return `/\s/.test(text.trim())`: whether there is more than one word."""
    return any(char in JS_WHITESPACE for char in trim(text))


def to_radix(number: int, radix: int) -> str:
    """Return `number.toString(radix)` for an integer ≥ 0 and a radix from 2 to 36."""
    if number == 0:
        return "0"
    digits = ""
    while number:
        number, digit = divmod(number, radix)
        digits = _DIGITS[digit] + digits
    return digits


def java_hash(text: str) -> int:
    """Return Java's `String.hashCode` of `text`: a signed 32-bit number over its code units."""
    units = encode_units(text)
    value = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (value * 31 + (low | high << 8)) % _INT32
    return value - _INT32 if value >= _INT32 // 2 else value


def format_size(units: int, units_per_kb: int) -> str:
    """Return a size as messages show it: one decimal, `.0` dropped, KB below one MB, then MB."""
    if units < units_per_kb**2:
        number, unit = to_fixed(units, units_per_kb), "KB"
    else:
        number, unit = to_fixed(units, units_per_kb**2), "MB"
    return number.removesuffix(".0") + unit


def to_fixed(numerator: int, denominator: int) -> str:
    """Return `(numerator / denominator).toFixed(1)` for numbers ≥ 0: exact, halves go up."""
    tenths, rest = divmod(numerator * 10, denominator)
    if rest * 2 >= denominator:
        tenths += 1
    return f"{tenths // 10}.{tenths % 10}"


def iso_ms(epoch_ms: int) -> str:
    """Return `new Date(epoch_ms).toISOString()`: milliseconds, UTC, `Z`.

    Raises `OverflowError` for a year that is not one of 1 to 9999.
    """
    moment = _EPOCH + timedelta(milliseconds=epoch_ms)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
