"""What `claudeMdExcludes` means: shell patterns on the whole absolute path (LYR-4b, LYR-4f)."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from memassay_reference.js_path import resolve
from memassay_reference.js_regex import BadExpressionError, compile_js, units

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_REMEMBERED = 1024
_CLOSE = "}"
_STAR = r"[^/]*"
_ONE = r"[^/]"
_ALL = r"(?:.*)"
_FOLDERS = 2  # so many stars
_GOES_ON = re.compile(r"\Z|[/(){]|@\(")
_GROUP = re.compile(r"\((?!\?)")
_FIRST_SIGN = re.compile(r"[*?{\[]")
_ONE_DOT = re.compile(r"\.[^\\/.]+")
_SIGNS = re.compile(r"[-*+?.^${}(|)[\]]")
_POSIX = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "ascii": "\x00-\x7f",
    "blank": " \t",
    "cntrl": "\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "\x21-\x7e",
    "lower": "a-z",
    "print": "\x20-\x7e ",
    "punct": "\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~",
    "space": " \t\r\n\v\f",
    "upper": "A-Z",
    "word": "A-Za-z0-9_",
    "xdigit": "A-Fa-f0-9",
}
_EXTENDED = {"@": "(?:{})", "?": "(?:{})?", "+": "(?:{})+", "*": "(?:{})*"}


def with_real_folders(pattern: str) -> list[str]:
    """Return a pattern, and an absolute one also with the real folders that it begins with.

    These are the folders above the name in which the first sign of a pattern stands (LYR-4f).
    """
    pattern = _slashes(pattern)
    if not pattern.startswith("/"):
        return [pattern]
    sign = _FIRST_SIGN.search(pattern)
    plain = pattern[: sign.start()] if sign else pattern
    folder = plain.rstrip("/").rpartition("/")[0]
    real = os.path.realpath(resolve("/", folder)).removesuffix("/")
    return list(dict.fromkeys([pattern, real + pattern[len(folder) :]]))


def _slashes(text: str) -> str:
    return text.replace("\\", "/")


def matches_exclude(pattern: str, path: str) -> bool:
    r"""Return whether an absolute path is matched by one pattern of `claudeMdExcludes`.

    `!` in front turns it round: such a pattern excludes everything else (LYR-4d). A backslash is a
    slash in both, so there are no escapes.
    """
    pattern, path = _slashes(pattern), _slashes(path)
    body = pattern.lstrip("!")
    negations = len(pattern) - len(body)
    if negations and body.startswith("(") and not body.startswith("(?"):
        negations, body = negations - 1, f"!{body}"
    if not negations and pattern == path:
        return True
    expression = _expression(body)
    if expression is None:  # JavaScript would refuse it, whichever way round
        return False
    return bool(expression.search(units(path))) is not bool(negations % 2)


@lru_cache(maxsize=_REMEMBERED)
def _expression(pattern: str) -> re.Pattern[str] | None:
    try:
        return compile_js(f"^(?:{_Pattern(pattern.removeprefix('./')).whole()})$")
    except BadExpressionError:
        return None


class _Pattern:
    """A pattern that is read from left to right, as an expression of JavaScript."""

    def __init__(self, text: str, *, after: str | None = None, in_group: bool = False) -> None:
        self._text = text
        self._at = 0
        self._after = after or ""  # what follows this part of a pattern
        self._part = after is not None
        self._in_group = in_group
        self._last = ""  # what stands before: "(", "[" or "{" for a group, a class, a choice

    def whole(self) -> str:
        """Return the expression."""
        out: list[str] = []
        while self._at < len(self._text):
            last, self._last = self._last, ""
            out.append(self._next(last))
        return "".join(out)

    def _next(self, before: str) -> str:
        text, at = self._text, self._at
        char = text[at]
        if char in "@?+*!" and text[at + 1 : at + 2] == "(" and text[at + 2 : at + 3] != "?":
            inner = self._inner(at + 1, "()")
            if inner is not None:
                self._at += len(inner) + 3
                self._last = "("
                return self._extended(char, inner)
        reader = self._READERS.get(char)
        if reader is not None:
            return reader(self)
        self._at += 1
        if (char == "+" and (before or self._in_group)) or (char == "?" and before == "("):
            return char
        if char == "?":
            return _ONE
        return char if char == "|" else re.escape(char)

    def _rest(self) -> str:
        return self._text[self._at :] + self._after

    def _inner(self, start: int, signs: str) -> str | None:
        """Return what stands between a bracket and the one that closes it; None if none does."""
        depth = 0
        for at in range(start, len(self._text)):
            depth += (self._text[at] == signs[0]) - (self._text[at] == signs[1])
            if depth == 0:
                return self._text[start + 1 : at]
        return None

    def _extended(self, sign: str, inner: str) -> str:
        rest = self._rest()
        body = _Pattern(inner, after=f"){rest}", in_group=True).whole()
        if sign != "!":
            return _EXTENDED[sign].format(body)
        star = _ALL if "/" in inner else _STAR
        if "*" in inner and _ONE_DOT.fullmatch(rest):
            return f"(?:(?!(?:{body}){_Pattern(rest).whole()}){star})"
        end = "$" if star == _ALL or not rest.strip(")") else ""
        return f"(?:(?!(?:{body}){end}){star})"

    def _stars(self) -> str:
        """Two stars at the start of a name go through folders; one, or many, do not.

        Nor do two that something follows in the name, unless it is a choice.
        """
        text, at = self._text, self._at
        count = len(text) - at - len(text[at:].lstrip("*"))
        if count == _FOLDERS and _GROUP.match(text, at + count):
            count -= 1  # the last one belongs to the group
        self._at += count
        starts = at == 0 or text[at - 1] == "/"
        ends_choice = self._at == len(text) and self._after.startswith(_CLOSE)
        if count != _FOLDERS or not (starts and (ends_choice or _GOES_ON.match(self._rest()))):
            return _STAR
        if at == 0 and not self._part and text.startswith("/", self._at):
            self._at += 1
            return "(?:.*/)?"
        return _ALL

    def _slash(self) -> str:
        """Read a slash, with the two stars behind it if they are a name of their own."""
        text, at = self._text, self._at
        self._at += 1
        end = at
        while text.startswith("/**", end) and text[end + 3 : end + 4] in {"", "/"}:
            end += 3
        if at in {0, end}:
            return "/"
        self._at = end + 1
        if end == len(text):
            return f"/{_ALL}" if text[at - 1] == "*" else f"(?:/{_ALL})?"
        return f"(?:/{_ALL}/|/)"

    def _group(self) -> str:
        inner = self._inner(self._at, "()")
        self._at += 1
        if inner is None:
            return r"\("
        self._at += len(inner) + 1
        self._last = "("
        kind = inner[:2] if inner[:2] in {"?:", "?=", "?!"} else ""
        mark = r"\?" if inner.startswith("?") and not kind else ""
        text = inner[len(kind or mark[1:]) :]
        body = _Pattern(text, after=f"){self._rest()}", in_group=True).whole()
        return f"({kind or '?:'}{mark}{body})"

    def _braces(self) -> str:
        inner = self._inner(self._at, "{}")
        self._at += 1
        if inner is None:
            raise BadExpressionError(self._text)
        self._at += len(inner) + 1
        self._last = "{"
        if ".." in inner:
            return _span(inner)
        parts = _parts(inner)
        if len(parts) > 1:
            choices = (_Pattern(part, after=_CLOSE).whole() for part in parts)
            return f"(?:{'|'.join(choices)})"
        return rf"\{{{_Pattern(inner, after=_CLOSE).whole()}\}}"

    def _quoted(self) -> str:
        end = self._text.find('"', self._at + 1)
        inner = self._text[self._at + 1 : end if end >= 0 else None]
        self._at += len(inner) + 2
        return re.escape(inner)

    def _brackets(self) -> str:
        """Read a class; one without signs of expressions stands for its own text, too (LYR-4f)."""
        text, start = self._text, self._at
        if "]" not in text[start + 1 :]:
            self._at += 1
            return r"\["
        inner, named = "", False
        at = start + 1
        while at < len(text) and not (text[at] == "]" and inner not in {"", "^"}):
            char, following = text[at], text[at + 1 : at + 2]
            name = inner.rpartition("[:")
            if char == ":" and "[" in inner:
                named = True
            if char == ":" and name[1] and name[2] in _POSIX:
                inner = name[0] + _POSIX[name[2]]
                at += 1
            elif (
                char == "]" or (char == "[" and following != ":") or (char, following) == ("-", "]")
            ):
                inner += f"\\{char}"
            else:
                inner += char
            at += 1
        self._at = at + 1
        if at >= len(text):
            return rf"\[{inner}"
        self._last = "["
        more = "/" if inner.startswith("^") and "/" not in inner and not named else ""
        if _SIGNS.search(inner):
            return f"[{inner}{more}]"
        return rf"(?:\[{re.escape(inner)}\]|[{inner}{more}])"

    _READERS: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "*": _stars,
        "/": _slash,
        "(": _group,
        "{": _braces,
        "[": _brackets,
        '"': _quoted,
    }


def _parts(inner: str) -> list[str]:
    """Return what stands between the commas that are in no braces of their own."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(inner):
        depth += (char in "{(") - (char in "})")
        if char == "," and not depth:
            parts.append(inner[start:at])
            start = at + 1
    return [*parts, inner[start:]]


def _span(inner: str) -> str:
    """Return `{a..c}` as a class; its ends are put in order as texts."""
    ends = sorted(one for one in re.findall(r"\.\.|[,.]|[^,.]+", inner) if one != "..")
    try:
        compile_js(f"[{'-'.join(ends)}]")
    except BadExpressionError:
        return r"\.\.".join(map(re.escape, ends))
    return f"[{'-'.join(ends)}]"
