"""Where a Markdown list ends, the way the client sees it. Chapter index-window.

A list swallows what is indented under its items, so a comment there is no block of its own and
stays (IDX-9d). It also swallows lines that are not indented at all, as long as they go on with an
item's text; but never a line that begins with `<!--`.
"""

from __future__ import annotations

import re
from functools import cache

from memassay_reference.js_text import JS_WHITESPACE

_LIST = re.compile(r"( {0,3}(?:[*+-]|[0-9]{1,9}[.)]))(?:[ \t][^\n]+?)?(?:\n|\Z)")
_RULE = re.compile(r" {0,3}(?:(?:-[\t ]*){3,}|(?:_[\t ]*){3,}|(?:\*[\t ]*){3,})(?:\n|\Z)")
_BLANK = re.compile(r"[ \t]*\Z")
_LEADING_TABS = re.compile(r"\A\t+")
_DEEP = 4  # columns from which on a line is code
_TAB_IN_MARKER = 3  # columns that a tab right after the marker stands for
_TAB = " " * 4


@cache
def _item_pattern(sign: str) -> re.Pattern[str]:
    """Return the pattern of an item whose marker is, or ends in, this sign."""
    number = r"[0-9]{1,9}" if sign in ".)" else ""
    return re.compile(rf"( {{0,3}}{number}{re.escape(sign)})((?:[\t ][^\n]*)?(?:\n|\Z))", re.ASCII)


@cache
def _breaks(columns: int) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what ends an item whose text begins at this column: at a line, and two parts of it.

    The first is all of it, the second fences and headings, the third rules.
    """
    indent = rf" {{0,{max(0, min(3, columns - 1))}}}"
    rule = rf"{indent}(?:(?:- *){{3,}}|(?:_ *){{3,}}|(?:\* *){{3,}})\Z"
    fence_or_heading = rf"{indent}(?:```|~~~|#)"
    html = rf"{indent}<(?:[a-z][^\n\u2028\u2029]*>|!--)"
    item = rf"{indent}(?:[*+-]|[0-9]{{1,9}}[.)])(?:[ \t][^\n]*)?\Z"
    return (
        re.compile(f"{fence_or_heading}|{html}|{item}|{rule}", re.IGNORECASE | re.ASCII),
        re.compile(fence_or_heading),
        re.compile(rule),
    )


def list_end(text: str, start: int) -> int:
    """Return where the list that begins at `start` ends, before its trailing whitespace, or −1."""
    first = _LIST.match(text, start)
    if first is None:
        return -1
    pattern = _item_pattern(first[1][-1])
    end = start
    while (item := pattern.match(text, end)) and not _RULE.match(text, end):
        end, _ = _item(text, item)
        if end >= len(text):
            break
    if end == start:
        return -1
    return start + len(text[start:end].rstrip(JS_WHITESPACE))


def list_items(text: str) -> list[str]:
    """Return the texts of the items of a list, which `text` is, without markers and indentation."""
    first = _LIST.match(text)
    found: list[str] = []
    end = 0
    while first and (item := _item_pattern(first[1][-1]).match(text, end)):
        if _RULE.match(text, end):
            break
        end, inner = _item(text, item)
        found.append(inner)
        if end >= len(text):
            break
    return [*found[:-1], *(inner.rstrip(JS_WHITESPACE) for inner in found[-1:])]


def _item(text: str, item: re.Match[str]) -> tuple[int, str]:
    """Return where an item ends, the start of the line that is not its any more, and its text."""
    marker, rest = item[1], item[2].removesuffix("\n")
    line = _LEADING_TABS.sub(lambda tabs: " " * _TAB_IN_MARKER * len(tabs[0]), rest, count=1)
    blank = not line.strip(JS_WHITESPACE)
    inner = ""
    if blank:
        columns = len(marker) + 1
    else:
        indent = _indent(rest)
        indent = 1 if indent > _DEEP else indent
        columns = len(marker) + indent
        inner = line[indent:]
    ends, fence_or_heading, rule = _breaks(columns)
    end = item.end()
    if blank and _BLANK.match(next_line := _line_at(text, end)):
        return end + len(next_line) + 1, inner
    lines = [inner]
    while end < len(text):
        next_line = _line_at(text, end)
        if ends.match(next_line):
            break
        spaced = next_line.replace("\t", _TAB)
        empty = not next_line.strip(JS_WHITESPACE)
        if not empty and _indent(spaced) < columns:  # a lazy line: does it go on with text?
            before = line.replace("\t", _TAB)
            if blank or _indent(before) >= _DEEP:
                break
            if fence_or_heading.match(line) or rule.match(line):
                break
            lines.append(next_line)
        else:
            lines.append(spaced[columns:])
        blank = blank or empty
        line = spaced[columns:]
        end += len(next_line) + 1
    return end, "\n".join(lines)


def _line_at(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def _indent(line: str) -> int:
    """Return the number of spaces that a line begins with, or −1 if it has nothing else."""
    visible = line.lstrip(" ")
    return len(line) - len(visible) if visible else -1
