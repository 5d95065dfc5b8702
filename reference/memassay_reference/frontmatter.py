"""The header of a topic file: the window in which it is looked for, and its YAML.

Used by the chapters topics (SCN-2) and index-backfill (BKF-6 to BKF-6d). Nothing here raises,
whatever the bytes: a header that cannot be read is no header.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memassay.spec import constants
from memassay_reference.js_text import JS_WHITESPACE, to_utf8
from memassay_reference.yaml_lax import without_leading_tabs
from memassay_reference.yaml_nodes import UnreadableError
from memassay_reference.yaml_values import read_yaml

if TYPE_CHECKING:
    from pathlib import Path

_BOM = "\ufeff"
_OPENING = re.compile(f"---[{JS_WHITESPACE}]*\n")
_CLOSING = "---"
_KEY_LINE = re.compile(f"([A-Za-z_-]+):[{JS_WHITESPACE}]+([^\n\r\u2028\u2029]+)")
_NEEDS_QUOTES = re.compile(r"[{}\[\]*&#!|>%@`]|: ")
_QUOTES = ('"', "'")
_REMEMBERED = 512


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a file, reading no more of it than the window can hold.

    Raises `OSError` if the file cannot be read.
    """
    with path.open("rb") as file:
        return parse_header(file.read(_raw_window_bytes()))


def parse_header(content: bytes | str) -> dict[str, Any]:
    """Return the keys and values of a topic's header; empty if it has none that can be read.

    Values are text, a dictionary of such values for `metadata`, and None for everything else: no
    chapter asks what number a number is.
    """
    if isinstance(content, str):
        content = to_utf8(content)
    source = frontmatter(header_window(content))
    return {} if source is None else _parse(source)


def header_window(content: bytes) -> str:
    """Return the whole lines of a file in which its header is looked for (BKF-6d, SCN-2).

    Lines end at LF, and a CR before it belongs to the line end. The size counts the UTF-8 bytes of
    the decoded lines with one LF between two, so neither a byte order mark, nor CRs, nor the last
    line's end. A line that does not fit is left out whole, and so is everything after it.
    """
    limits = constants()
    text = content[: _raw_window_bytes()].decode("utf-8", "replace").removeprefix(_BOM)
    kept: list[str] = []
    size = 0
    for raw_line in text.split("\n", limits["header_max_lines"])[: limits["header_max_lines"]]:
        line = raw_line.removesuffix("\r")
        size += len(line.encode()) + (1 if kept else 0)
        if size > limits["header_max_bytes"]:
            break
        kept.append(line)
    return "\n".join(kept)


def frontmatter(text: str) -> str | None:
    """Return the YAML between the marks, or None if there is no header.

    The opening mark is the whole first line; the closing one is the next `---` wherever it stands,
    even in the middle of a line (BKF-6c).
    """
    text = text.removeprefix(_BOM)
    opening = _OPENING.match(text)
    if opening is None:
        return None
    end = text.find(_CLOSING, opening.end())
    return None if end < 0 else text[opening.end() : end]


def _raw_window_bytes() -> int:
    """Return how many raw bytes surely hold the window: it counts no byte order mark and no CR."""
    limits = constants()
    return limits["header_max_bytes"] + len(_BOM.encode()) + limits["header_max_lines"] + 2


@lru_cache(maxsize=_REMEMBERED)
def _parse(source: str) -> dict[str, Any]:
    """Parse YAML; if it is broken, parse it again as `rescue` leaves it (BKF-6b)."""
    for attempt in (source, rescue(source)):
        try:
            value = read_yaml(attempt)
        except UnreadableError:
            continue
        return _flatten(value) if isinstance(value, dict) else {}
    return {}


def rescue(source: str) -> str:
    """Return broken YAML with what may have broken it mended (BKF-6b, RWT-2d).

    Tabs at the start of a line become two blanks each, and odd values are quoted.
    """
    return quote_odd_values(without_leading_tabs(source))


def quote_odd_values(source: str) -> str:
    """Return YAML with quotes around the values that may have broken it.

    Only after keys of letters, `-` and `_` at the start of a line. Values in quotes and lists that
    parse stay.
    """
    return "\n".join(_quote_odd_value(line) for line in source.split("\n"))


def _quote_odd_value(line: str) -> str:
    match = _KEY_LINE.fullmatch(line)
    if match is None:
        return line
    key, value = match.groups()
    if len(value) > 1 and value[0] == value[-1] and value[0] in _QUOTES:
        return line
    if not _NEEDS_QUOTES.search(value):
        return line
    if value[0] == "[" and value[-1] == "]" and _is_readable(value):
        return line
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{key}: "{escaped}"'


def _is_readable(source: str) -> bool:
    try:
        read_yaml(source)
    except UnreadableError:
        return False
    return True


def _flatten(fields: dict[str, Any]) -> dict[str, Any]:
    """Return text for text, a dictionary for `metadata`, and None for every other value.

    No deeper: anchors can make a small file mean an endless structure.
    """
    header: dict[str, Any] = _texts(fields)
    metadata = fields.get("metadata")
    if isinstance(metadata, dict):
        header["metadata"] = _texts(metadata)
    return header


def _texts(fields: dict[str, Any]) -> dict[str, str | None]:
    return {key: value if isinstance(value, str) else None for key, value in fields.items()}
