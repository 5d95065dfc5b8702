"""What is plain text inside a paragraph of Markdown, the way the client's lexer sees it (LYR-3f).

The lexer (`markdown_blocks` says which it is like) takes escapes, tags, links, emphasis, code and
line breaks out of a text one by one. What is left are stretches of plain text, and those inside
links and emphasis are stretches of their own.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from memassay_reference.js_text import JS_WHITESPACE
from memassay_reference.markdown_blocks import label_key

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = f"[{JS_WHITESPACE}]"
_MAX_DEPTH = 50  # of emphasis and links within each other

_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
_ATTRIBUTE = (
    rf"{_SPACE}+[a-zA-Z:_][\w.:-]*"
    rf"(?:{_SPACE}*={_SPACE}*(?:\"[^\"]*\"|'[^']*'|[^{JS_WHITESPACE}\"'=<>`]+))?"
)
_TAG = re.compile(
    r"<!--(?:-?>|.*?-->)"
    rf"|</[a-zA-Z][\w:-]*{_SPACE}*>|<[a-zA-Z][\w-]*(?:{_ATTRIBUTE})*?{_SPACE}*/?>"
    rf"|<\?.*?\?>|<![a-zA-Z]+{_SPACE}.*?>|<!\[CDATA\[.*?\]\]>",
    re.DOTALL | re.ASCII,
)
_INNER = r"(?P<inner>(?:\[(?:\\.|[^\[\]\\])*\]|\\.|`[^`]*`|[^\[\]\\`])*?)"
_LABEL = rf"(?P<label>(?!{_SPACE}*\])(?:\\.|[^\[\]\\])+)"
_LINK = re.compile(
    rf"!?\[{_INNER}\]\({_SPACE}*(?P<target><(?:\\.|[^\n<>\\])+>|[^{JS_WHITESPACE}\x00-\x1f]*)"
    rf"(?:{_SPACE}+(?P<title>\"(?:\\\"?|[^\"\\])*\"|'(?:\\'?|[^'\\])*'|\((?:\\\)?|[^)\\])*\)))?"
    rf"{_SPACE}*\)"
)
_REFERENCES = (re.compile(rf"!?\[{_INNER}\]\[{_LABEL}\]"), re.compile(rf"!?\[{_LABEL}\](?:\[\])?"))
_CODE = re.compile(r"(`+)(?:[^`]|[^`].*?[^`])\1(?!`)", re.DOTALL)
_BREAK = re.compile(rf"(?: {{2,}}|\\)\n(?!{_SPACE}*\Z)")
_ADDRESS = re.compile(
    rf"<(?:[a-zA-Z][a-zA-Z0-9+.-]{{1,31}}:[^{JS_WHITESPACE}\x00-\x1f<>]*"
    r"|[a-zA-Z0-9.!#$%&'*+/=?_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_]))>"
)
_TEXT = re.compile(
    r"(?:`+|[^`])(?:(?= {2,}\n)|.*?(?:(?=[\\<!\[`*_]|\Z)|[^ ](?= {2,}\n)))", re.DOTALL
)

# What emphasis does not look into, and the marks of emphasis in a text of kinds of characters.
_SKIPPED = re.compile(r"\[[^\[\]]*?\]\((?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))*\)|`[^`]*?`|<[^<>]*?>")
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
_OPENING = re.compile(
    r"(?P<marks>\*+)(?:(?P<sign>[._])|[^ *])|(?P<lines>_+)(?:(?P<sign_too>[.*])|[^ _])"
)
_CLOSINGS = {
    mark: re.compile(
        rf"\A[^_*]*?{two}[^_*]*?{one}[^_*]*?(?={two})"
        rf"|[^{one}]+(?=[^{one}])"
        rf"|[.{other}](?P<right>{one}+)(?=[ ]|\Z)"
        rf"|a(?P<right_too>{one}+)(?!{one})(?=[._* ]|\Z)"
        rf"|[. {other}](?P<left>{one}+)(?=a)"
        rf"|[ ](?P<left_too>{one}+)(?!{one})(?=[._*])"
        rf"|[.{other}](?P<either>{one}+)(?!{one})(?=[._*])"
        + (rf"|a(?P<either_too>{one}+)(?=a)" if mark == "*" else r"|(?P<either_too>(?!))")
    )
    for mark, one, two, other in (("*", r"\*", "__", "_"), ("_", "_", r"\*\*", "*"))
}


def plain_stretches(text: str, labels: set[str], depth: int = 0) -> Iterator[str]:
    """Yield the stretches of plain text, in order. `labels` are those of link definitions."""
    if "@" not in text or depth > _MAX_DEPTH:
        return
    kinds = _kinds(text, labels)
    plain = ""
    before = ""  # the last character of the text before, or the one before a run of `_`
    at = 0
    while at < len(text):
        end, inner = _piece(text, at, labels, kinds, before)
        if inner is None:
            plain += text[at:end]
            before = before if text[end - 1] == "_" else text[end - 1]
        else:
            yield plain
            plain = before = ""
            yield from plain_stretches(inner, labels, depth + 1)
        at = end
    yield plain


def _piece(text: str, at: int, labels: set[str], kinds: str, before: str) -> tuple[int, str | None]:
    """Return where the piece at a position ends, and the text in it; None if it is plain text."""
    for pattern in (_ESCAPE, _TAG):
        if found := pattern.match(text, at):
            return found.end(), ""
    if found := _link(text, at):
        return found
    if found := _reference(text, at, labels):
        return found
    if found := _emphasis(text, at, kinds, before):
        return found
    for pattern in (_CODE, _BREAK, _ADDRESS):
        if found := pattern.match(text, at):
            return found.end(), ""
    found = _TEXT.match(text, at)
    assert found is not None  # noqa: S101 (it takes any character)
    return found.end(), None


def _link(text: str, at: int) -> tuple[int, str] | None:
    found = _LINK.match(text, at)
    if found is None:
        return None
    target, end = found["target"], found.end()
    if target.startswith("<"):
        slashes = target[:-1]
        if not target.endswith(">") or (len(slashes) - len(slashes.rstrip("\\"))) % 2:
            return None
    elif (closed := _closing(target)) >= 0:
        end = at + len(text[at : found.start("target") + closed + 1].rstrip(JS_WHITESPACE))
    return end, _words(text, at, found["inner"])


def _closing(target: str) -> int:
    """Return where the bracket stands that closes one before the target; -1 if none does."""
    level = at = 0
    while at < len(target):
        char = target[at]
        level += (char == "(") - (char == ")")
        if level < 0:
            return at
        at += 2 if char == "\\" else 1
    return -1


def _reference(text: str, at: int, labels: set[str]) -> tuple[int, str | None] | None:
    found = _REFERENCES[0].match(text, at) or _REFERENCES[1].match(text, at)
    if found is None:
        return None
    if label_key(found["label"]) not in labels:
        return at + 1, None
    return found.end(), _words(text, at, found.groupdict().get("inner") or found["label"])


def _words(text: str, at: int, inner: str) -> str:
    """Return the words of a link; those of an image are no text."""
    return "" if text[at] == "!" else inner.replace("\\[", "[").replace("\\]", "]")


def _kinds(text: str, labels: set[str]) -> str:
    """Return a text of the same length: `.` for a sign, a blank, a mark of emphasis, else `a`."""
    for reference in _REFERENCES:
        text = reference.sub(lambda found: _masked(found, labels), text)
    text = _SKIPPED.sub(lambda found: f"[{'a' * (len(found[0]) - 2)}]", text)
    return "".join(map(_kind, _ESCAPED.sub("++", text)))


def _masked(found: re.Match[str], labels: set[str]) -> str:
    if found["label"].lower() not in labels:
        return found[0]
    return f"[{'a' * (len(found[0]) - 2)}]"


def _kind(char: str) -> str:
    if char in "*_":
        return char
    if char in JS_WHITESPACE:
        return " "
    return "." if unicodedata.category(char)[0] in "PS" else "a"


def _emphasis(text: str, at: int, kinds: str, before: str) -> tuple[int, str] | None:
    raw = text[at : at + 1]
    if raw not in {"*", "_"}:
        return None
    own = raw + "".join(map(_kind, text[at + 1 : at + 1 + _run(text, at)]))
    opening = _OPENING.match(own)
    if opening is None:
        return None
    after_word = before.isalpha() or unicodedata.category(before or " ")[0] == "N"
    sign = opening["sign"] or opening["sign_too"]
    if raw == "_" and not sign and after_word:
        return None
    if sign and before and _kind(before) != "." and _kind(before) != " ":
        return None
    left = len(opening[0]) - 1
    end, marks = _emphasis_end(kinds, raw, at + left, left)
    width = 1 if min(left, marks) % 2 else 2
    return (end, text[at + width : end - width]) if marks else None


def _emphasis_end(kinds: str, mark: str, start: int, left: int) -> tuple[int, int]:
    """Return where emphasis that `left` marks begin ends, and by how many: none if nowhere."""
    open_marks, middle = left, 0
    closings = _CLOSINGS[mark].finditer(kinds[start:]) if _may_close(kinds, mark, start) else ()
    for closing in closings:
        group = closing.lastgroup or ""
        marks = len(closing[group]) if group else 0
        if not marks:
            continue
        if group.startswith("left"):
            open_marks += marks
            continue
        if group.startswith("either") and left % 3 and not (left + marks) % 3:
            middle += marks
            continue
        open_marks -= marks
        if open_marks > 0:
            continue
        marks = min(marks, marks + open_marks + middle)
        return start + closing.start() + 1 + marks, marks
    return start, 0


@lru_cache(maxsize=4)
def _last_close(kinds: str, mark: str) -> int:
    """Return where the last mark stands that no blank and no other mark is before; -1 if none."""
    found = max(kinds.rfind(f"{before}{mark}") for before in f".a{'_*'.replace(mark, '')}")
    return found + 1 if found >= 0 else -1


def _may_close(kinds: str, mark: str, start: int) -> bool:
    """Return whether anything could end emphasis that begins here; a look ahead would be long."""
    return _last_close(kinds, mark) >= start


def _run(text: str, at: int) -> int:
    return len(text) - at - len(text[at:].lstrip(text[at]))
