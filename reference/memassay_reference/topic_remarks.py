"""What stands in a header beside its values, and would be lost by writing the values anew.

Chapter topic-rewrite (RWT-2j, RWT-2k, RWT-3b). YAML takes `see #123` for `see` and a comment, and
`&more x` for `x` with an anchor. The client suspects that the author meant the text, and quotes
such a value whole. Where that cannot be meant, after a number or after quotes, a remark is kept.

Only lines that begin a top-level entry are looked at; comments on lines of their own, or deeper,
are lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memassay_reference.js_text import trim
from memassay_reference.yaml_nodes import UnreadableError
from memassay_reference.yaml_scalars import quote
from memassay_reference.yaml_values import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRY = re.compile(r"[^\s\ufeff#:][^:\n\r\u2028\u2029]*:\s+(?P<value>\S[^\n\r\u2028\u2029]*)\r?")
_SIMPLE_KEY = re.compile(r"(?P<key>[A-Za-z0-9_][A-Za-z0-9_.-]*):\s")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_QUOTES = ('"', "'")
_FLOW = ("[", "{")
_BLOCKS = ("|", ">")
_PROPERTY_SIGNS = ("&", "!")
_DOCUMENT_END = re.compile(r"\.\.\.(?:\s+#.*)?")
"""A value that by itself is the end of a document, and so reads as nothing."""
_DOCUMENT_GOES_ON = re.compile(r"\.\.\.\s")


class _Remark(NamedTuple):
    """A line whose value has more to it than YAML sees."""

    line: int
    key: str | None  # if it is one that the client can quote a value after
    value: str
    is_text: bool  # whether YAML sees a text, or nothing at all
    is_comment: bool


def absorb(source: str) -> str:
    """Return a header with the values quoted whose remark may be meant as text (RWT-2j)."""
    lines = source.split("\n")
    for remark in _remarks(source):
        if _may_be_meant(remark):
            ending = "\r" if lines[remark.line].endswith("\r") else ""
            lines[remark.line] = f"{remark.key}: {quote(remark.value)}{ending}"
    return "\n".join(lines)


def has_comment_left(source: str) -> bool:
    """Return whether a header has comments that `absorb` leaves (RWT-3b)."""
    return any(remark.is_comment and not _may_be_meant(remark) for remark in _remarks(source))


def has_remark(source: str) -> bool:
    """Return whether a header has any remark at all; asked of broken ones (RWT-3b)."""
    return any(remark.is_comment or remark.key for remark in _remarks(source))


def _may_be_meant(remark: _Remark) -> bool:
    # Nobody means quotes as text, nor the sign of a block whose lines follow.
    unlikely = remark.value.startswith((*_QUOTES, *_BLOCKS))
    return remark.key is not None and remark.is_text and not unlikely


def _remarks(source: str) -> Iterator[_Remark]:
    for number, line in enumerate(source.split("\n")):
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            continue
        value = trim(entry["value"])
        commented = _has_comment(value)
        is_end = _DOCUMENT_END.fullmatch(value) is not None
        if not is_end and _DOCUMENT_GOES_ON.match(value):
            continue
        if not (commented or is_end or value.startswith(_PROPERTY_SIGNS)):
            continue
        try:
            # The client takes anything behind the sign of a block, or behind quotes.
            known = is_end or value.startswith((*_BLOCKS, *_QUOTES))
            seen = "" if known else read_yaml(value)
        except UnreadableError:
            continue  # no remark that YAML would drop: the value itself is broken
        is_text = seen is None or isinstance(seen, str)
        if commented or is_text:
            simple = _SIMPLE_KEY.match(line)
            yield _Remark(number, simple and simple["key"], value, is_text, commented)


def _has_comment(value: str) -> bool:
    """Return whether a value ends in a comment, which quotes can hide if they are closed."""
    if "#" not in value:
        return False
    at = _PROPERTIES.match(value).end()  # pyright: ignore[reportOptionalMemberAccess]
    if value.startswith(_QUOTES, at):
        quoted = _QUOTED.match(value, at)
        if quoted is None:
            return bool(_COMMENT.search(value, at + 1))
        return bool(_COMMENT.search(value[quoted.end() :]))
    if value.startswith(_FLOW, at):
        value = _QUOTED.sub("q", value[at:])
        at = 0
    return bool(_COMMENT.search(value, at))
