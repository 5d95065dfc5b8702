"""What `paths:` of a rule means: lines of a .gitignore, without regard to case. Chapter layers.

LYR-2c and LYR-2h. They are read as one of JavaScript's usual libraries reads such lines, which
turns each of them into a regular expression; the oddities of that show in brackets and escapes.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memassay_reference.js_regex import NEVER, BadExpressionError, compile_js, units

_REMEMBERED = 1024
_ANY_IN_NAME = r"[^\/]*"
_SOME_IN_NAME = r"[^\/]+"
_ONE_IN_NAME = r"[^\/]"
_ANY_FOLDERS = r"(?:\/[^\/]+)*"
_END = r"(?=$|\/$)"
_ESCAPED = {" ": " ", "?": r"\[^/]", "/": r"\\\/"}
_SIGNS = frozenset("$.|+(){^")
_REVERSED = re.compile(r"([0-z])-([0-z])")
_BRACKET = re.compile(r"(\\?)\[([^\]/]*?)(\\*)(\Z|\])", re.DOTALL)
_BROKEN_ESCAPE = re.compile(r"(?:[^\\]|\A)\\\Z")
_STARS = re.compile(r"\*+")


def matches_paths(patterns: tuple[str, ...], relative: str) -> bool:
    """Return whether a file is matched by patterns that are read as lines of a .gitignore.

    `relative` is its path from where the patterns stand. The last pattern that fits decides, `!` in
    front takes back, and what lies in a matched directory is matched whatever follows.
    """
    names = units(relative, ignore_case=True).split("/")
    for depth in range(1, len(names) + 1):
        path = "/".join(names[:depth]) + "/" * (depth < len(names))
        verdict = False
        for pattern in patterns:
            negated = pattern.startswith("!")
            if _ignore_line(pattern[negated:]).search(path):
                verdict = not negated
        if verdict:
            return True
    return False


def expand_braces(pattern: str) -> list[str]:
    """Return the patterns that one with `{a,b}` stands for; braces do not nest (LYR-2d)."""
    start = pattern.find("{")
    end = pattern.find("}", start)
    if start < 0 or end < start + 2:
        return [pattern]
    parts = [part.strip() for part in pattern[start + 1 : end].split(",")]
    head, tail = pattern[:start], pattern[end + 1 :]
    return [whole for part in parts for whole in expand_braces(head + part + tail)]


@lru_cache(maxsize=_REMEMBERED)
def _ignore_line(pattern: str) -> re.Pattern[str]:
    """Return the expression of a line; directories end in a slash where it looks at them."""
    if pattern.startswith("#") or not pattern or _BROKEN_ESCAPE.search(pattern):
        return NEVER
    if pattern[:2] in {"\\!", "\\#"}:
        pattern = pattern[1:]
    try:
        return compile_js(_ended(_BRACKET.sub(_bracket, _begun(pattern))), ignore_case=True)
    except BadExpressionError:
        return NEVER


def _begun(pattern: str) -> str:
    """Return a line as an expression; its brackets, and a star at its end, are still its own."""
    anchored = pattern.startswith("/") or "/" in pattern[:-1]
    rest = pattern.removeprefix("/")
    out = ["^" if anchored else r"(?:^|\/)"]
    if rest.startswith("**/"):
        out = [r"^(?:.*\/)?"]
        rest = rest[3:]
    at = 0
    while at < len(rest):
        char = rest[at]
        if rest.startswith("/**", at) and rest[at + 3 : at + 4] in {"", "/"}:
            more = rest[at + 3 : at + 4]
            if not more or out[-1] != _ANY_FOLDERS:  # twice says nothing more, and costs a search
                out.append(_ANY_FOLDERS if more else r"\/.+")
            at += 3
        elif char == "*" and (stars := _STARS.match(rest, at)):
            at = stars.end()
            inside = at < len(rest)
            out.append(_ANY_IN_NAME if inside else _ANY_IN_NAME * (len(stars[0]) > 1) + r"\*")
        elif char == "\\":
            out.append(_ESCAPED.get(rest[at + 1], f"\\{rest[at + 1]}"))
            at += 2
        else:
            out.append({"?": _ONE_IN_NAME, "/": r"\/"}.get(char, "\\" * (char in _SIGNS) + char))
            at += 1
    return "".join(out)


def _ended(expression: str) -> str:
    """Return an expression with its end; a star there is a star, even behind a backslash."""
    if expression.endswith(r"\*"):
        begun = expression[:-2]
        some = begun.endswith(r"\/") or begun == "^"
        return f"{begun}{_SOME_IN_NAME if some else _ANY_IN_NAME}{_END}"
    return expression + ("$" if expression.endswith("/") else _END)


def _bracket(found: re.Match[str]) -> str:
    """Return a bracket that opens a class; a class that is not closed, or empty, never matches."""
    before, inner, slashes, close = found.groups()
    if before:
        return rf"\[{inner}{slashes[: len(slashes) // 2 * 2]}{close}"
    if not close or len(slashes) % 2:
        return "[]"
    return f"[{_REVERSED.sub(_in_order, inner)}{slashes}]"


def _in_order(found: re.Match[str]) -> str:
    return found[0] if found[1] <= found[2] else ""
