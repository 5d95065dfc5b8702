"""The two kinds of patterns in the chapter layers, as regular expressions.

`paths:` of a rule is matched as a line of a .gitignore would be, without regard to case (LYR-2c);
`claudeMdExcludes` as a shell pattern on the whole absolute path (LYR-4b).
"""

from __future__ import annotations

import re
from functools import lru_cache

_REMEMBERED = 1024
_ANY_FOLDERS = "(?:.*/)?"
_ANY_IN_NAME = "[^/]*"
_ONE_IN_NAME = "[^/]"
_NEVER = re.compile(r"(?!)")


def matches_paths(patterns: tuple[str, ...], relative: str) -> bool:
    """Return whether a file is matched by patterns that are read as lines of a .gitignore.

    `relative` is its path from where the patterns stand. The last pattern that fits decides, `!` in
    front takes back, and what lies in a matched directory is matched whatever follows.
    """
    names = relative.split("/")
    for depth in range(1, len(names) + 1):
        prefix, is_dir = "/".join(names[:depth]), depth < len(names)
        verdict = False
        for pattern in patterns:
            negated = pattern.startswith("!")
            regex, dir_only = _ignore_line(pattern[negated:])
            if (is_dir or not dir_only) and regex.fullmatch(prefix):
                verdict = not negated
        if verdict:
            return True
    return False


def matches_exclude(pattern: str, path: str) -> bool:
    """Return whether an absolute path is matched by one pattern of `claudeMdExcludes`.

    `!` in front turns it round: such a pattern excludes everything else (LYR-4d).
    """
    if pattern.startswith("!"):
        return not matches_exclude(pattern[1:], path)
    return bool(_shell_pattern(pattern).fullmatch(path))


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
def _ignore_line(pattern: str) -> tuple[re.Pattern[str], bool]:
    """Return the expression of a line of a .gitignore, and whether it means directories only."""
    if pattern.startswith("#") or not pattern:
        return _NEVER, False
    dir_only = pattern.endswith("/")
    body = pattern.removesuffix("/")
    anchored = "/" in body
    regex = _translate(body.removeprefix("/"))
    whole = regex if anchored else _ANY_FOLDERS + regex
    return _compiled(whole, re.IGNORECASE | re.DOTALL), dir_only


@lru_cache(maxsize=_REMEMBERED)
def _shell_pattern(pattern: str) -> re.Pattern[str]:
    return _compiled(_translate(pattern, braces=True), re.DOTALL)


def _compiled(regex: str, flags: re.RegexFlag) -> re.Pattern[str]:
    """Return an expression; one that cannot be, for a range such as `[z-a]`, matches nothing."""
    try:
        return re.compile(regex, flags)
    except re.error:
        return _NEVER


def _translate(pattern: str, *, braces: bool = False) -> str:
    out: list[str] = []
    position, depth = 0, 0
    while position < len(pattern):
        char = pattern[position]
        starts_name = position == 0 or pattern[position - 1] == "/"
        if starts_name and pattern.startswith("**/", position):
            if out[-1:] != [_ANY_FOLDERS]:  # twice would say nothing more, and cost a search
                out.append(_ANY_FOLDERS)
            position += 3
            continue
        if starts_name and pattern[position:] == "**":
            out.append(".*")
            break
        if char == "*":
            out.append(_ANY_IN_NAME)
            position += len(pattern) - position - len(pattern[position:].lstrip("*"))
            continue
        if char == "[" and (close := pattern.find("]", position + 2)) > 0:
            out.append(_range(pattern[position + 1 : close], braces=braces))
            position = close + 1
            continue
        if char == "\\" and position + 1 < len(pattern):
            position += 1
            out.append(re.escape(pattern[position]))
        elif char == "?":
            out.append(_ONE_IN_NAME)
        elif braces and char == "{" and "}" in pattern[position:]:
            depth += 1
            out.append("(?:")
        elif depth and char == "}":
            depth -= 1
            out.append(")")
        elif depth and char == ",":
            out.append("|")
        else:
            out.append(re.escape(char))
        position += 1
    return "".join(out) + ")" * depth


def _range(inner: str, *, braces: bool) -> str:
    negated = inner[0] == "^" or (braces and inner[0] == "!")
    members = re.sub(r"([\\\[\]^&~|]|(?<=-)-)", r"\\\1", inner[negated:])
    return f"(?!/)[{'^' if negated else ''}{members}]"
