r"""JavaScript's regular expressions, as far as file patterns need them, in Python's.

The client turns its two kinds of file patterns into expressions, so what odd brackets and escapes
mean is what they mean there: `[]` never matches, `[` in a class is a sign, `\d` is a digit, and a
text is a sequence of UTF-16 code units.
"""

from __future__ import annotations

import re
from functools import cache

from memassay_reference.js_text import JS_WHITESPACE, encode_units

NEVER = re.compile(r"(?!)")
"""What matches nothing, not even nothing."""

_LAST = 0xFFFF
_ASCII = 0x80
_SETS = {
    "d": [(0x30, 0x39)],
    "w": [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)],
    "s": sorted((ord(char), ord(char)) for char in JS_WHITESPACE),
}
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f"}
_REPEATS = re.compile(r"[*+?]\??")
_GROUP = re.compile(r"\((?:\?[:=!])?")

_Ranges = list[tuple[int, int]]


class BadExpressionError(ValueError):
    """JavaScript would refuse the expression."""


def compile_js(source: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """Return an expression for texts that `units` has made, of the same `ignore_case`.

    Raises `BadExpressionError` where JavaScript would refuse it.
    """
    try:
        return re.compile(_translate(source, ignore_case=ignore_case))
    except (re.error, IndexError) as error:
        raise BadExpressionError(source) from error


def units(text: str, *, ignore_case: bool = False) -> str:
    """Return a text as one character for each code unit, in the case that comparisons use."""
    raw = encode_units(text)
    found = "".join(chr(raw[at] | raw[at + 1] << 8) for at in range(0, len(raw), 2))
    return found.translate(_upper_cases()) if ignore_case else found


@cache
def _upper_cases() -> dict[int, int]:
    """Return the units that case counts for, with their upper case: ECMAScript's Canonicalize."""
    found = {}
    for unit in range(_LAST + 1):
        upper = chr(unit).upper()
        if len(upper) == 1 and ord(upper) not in {unit, *range(_ASCII if unit >= _ASCII else 0)}:
            found[unit] = ord(upper)
    return {unit: upper for unit, upper in found.items() if upper <= _LAST}


def _translate(source: str, *, ignore_case: bool) -> str:
    out: list[str] = []
    at = 0
    while at < len(source):
        char = source[at]
        if char == "\\":
            out.append(_escape(source[at + 1], ignore_case=ignore_case))
            at += 2
        elif char == "[":
            end = _class_end(source, at + 1)
            out.append(_class(source[at + 1 : end], ignore_case=ignore_case))
            at = end + 1
        elif char == "(":
            group = _GROUP.match(source, at)
            assert group is not None  # noqa: S101 (it begins with the bracket)
            out.append(group[0])
            at = group.end()
        elif repeats := _REPEATS.match(source, at):
            out.append(repeats[0])
            at = repeats.end()
            if source[at : at + 1] in {"*", "+", "?"}:  # possessive in Python
                raise BadExpressionError(source)
        else:
            at += 1
            out.append(_SIGNS.get(char) or re.escape(units(char, ignore_case=ignore_case)))
    return "".join(out)


_SIGNS = {"^": r"\A", "$": r"\Z", ".": "[^\n\r\u2028\u2029]", "|": "|", ")": ")"}


def _escape(char: str, *, ignore_case: bool) -> str:
    if char in "bB":
        return rf"(?a:\{char})"
    if char.lower() in _SETS:
        return _written(_set(char), ignore_case=ignore_case)
    return re.escape(units(_CONTROLS.get(char, char), ignore_case=ignore_case))


def _set(char: str) -> _Ranges:
    ranges = _SETS[char.lower()]
    if char.islower():
        return ranges
    starts = [0, *(high + 1 for _, high in ranges)]
    ends = [*(low - 1 for low, _ in ranges), _LAST]
    return [(low, high) for low, high in zip(starts, ends, strict=True) if low <= high]


def _class_end(source: str, start: int) -> int:
    at = start
    while source[at] != "]":
        at += 2 if source[at] == "\\" else 1
    return at


def _class(inner: str, *, ignore_case: bool) -> str:
    negated = inner.startswith("^")
    members = [*_members(units(inner[negated:]))]
    ranges: _Ranges = []
    at = 0
    while at < len(members):
        one, *rest = members[at : at + 3]
        if len(rest) == 2 and rest[0] == "-" and isinstance(one, str) and isinstance(rest[1], str):  # noqa: PLR2004 (a sign and an end)
            low, high = ord(one[-1]), ord(rest[1][-1])
            if low > high:
                raise BadExpressionError(inner)
            ranges.append((low, high))
            at += 3
        else:
            ranges += [(ord(one[-1]), ord(one[-1]))] if isinstance(one, str) else one
            at += 1
    return _written(ranges, ignore_case=ignore_case, negated=negated)


def _members(inner: str) -> list[str | _Ranges]:
    r"""Return a class's members: a character, `\` and a character, or the ranges of `\w`."""
    found: list[str | _Ranges] = []
    at = 0
    while at < len(inner):
        char = inner[at]
        if char != "\\":
            found.append(char)
        else:
            at += 1
            char = inner[at]
            found.append(_set(char) if char.lower() in _SETS else "\\" + _CONTROLS.get(char, char))
        at += 1
    return found


def _written(ranges: _Ranges, *, ignore_case: bool, negated: bool = False) -> str:
    if ignore_case:
        ranges = ranges + [
            (upper, upper)
            for unit, upper in _upper_cases().items()
            if any(low <= unit <= high for low, high in ranges)
        ]
    if not ranges:
        return r"(?s:.)" if negated else r"(?!)"
    text = "".join(f"\\u{low:04x}-\\u{high:04x}" for low, high in ranges)
    return f"[{'^' * negated}{text}]"
