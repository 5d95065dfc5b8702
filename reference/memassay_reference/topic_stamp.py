"""Changing nothing in a header but the line that says when the topic was saved (RWT-3c to RWT-3e).

The line is looked for in the text, not in the YAML. Afterwards the YAML must say what was meant and
nothing else may have changed; otherwise there is no safe place, and the file stays as it is.
"""

from __future__ import annotations

import re
from typing import Any

from memassay_reference import topic_header
from memassay_reference.js_text import JS_WHITESPACE
from memassay_reference.yaml_scalars import block

_MODIFIED, _METADATA = "modified", "metadata"
_MODIFIED_LINE = re.compile(
    rf"(?P<indent>[{JS_WHITESPACE}]*)modified[{JS_WHITESPACE}]*:(?P<rest>.*)"
)
_METADATA_LINE = re.compile(r"metadata:[ \t]*(?:(?<=[ \t])#.*)?")
_COMMENT = re.compile(r"(?<![ \t])[ \t]+#.*")
_CHILD = re.compile(r"(?P<indent>[ \t]+)[^#\s]")
_LINE = re.compile(r"(?P<text>[^\n]*?)(?P<end>\r?\n|\Z)")
_KINDS = {"name": str, "description": str, _METADATA: dict}
"""What a value must be to outlast being written anew, where not everything does."""
_QUOTES = ('"', "'")
_INDENT = "  "

_Lines = list[tuple[str, str]]


def stamp(source: str, now: str, eol: str) -> str | None:
    """Return a header with `modified` set to `now`, or None if that cannot be done safely.

    `source` is what stands between the marks, with its last line end; `eol` ends the line.
    """
    before = topic_header.read(source)
    if before is None or not _says_something(before.fields):
        return None
    lines: _Lines = [(m["text"], m["end"]) for m in _LINE.finditer(source) if m[0]]
    found = [number for number, (line, _) in enumerate(lines) if _MODIFIED_LINE.fullmatch(line)]
    if len(found) > 1:
        return None
    if found:
        lines[found[0]] = (_renewed(lines[found[0]][0], now), eol)
    elif _says_when(before.fields) or not _add(lines, now, eol):
        return None
    stamped = "".join(line + end for line, end in lines)
    after = topic_header.read(stamped)
    if after is None or not _is_stamped(before.fields, after.fields, now):
        return None
    return stamped


def _renewed(line: str, now: str) -> str:
    """Return the line with a new value. A comment stays, but not behind a value in quotes."""
    head, _, rest = line.partition(":")
    comment = None if rest.lstrip().startswith(_QUOTES) else _COMMENT.search(rest)
    return f"{head.rstrip(JS_WHITESPACE)}: {now}{comment[0] if comment else ''}"


def _add(lines: _Lines, now: str, eol: str) -> bool:
    """Add the line as the last one of the block `metadata`, or of the header if it has none.

    Returns False if `metadata` has its value on the same line.
    """
    blocks = [n for n, (line, _) in enumerate(lines) if line.startswith(f"{_METADATA}:")]
    if not blocks:
        lines.append((f"{_MODIFIED}: {now}", eol))
        return True
    start = next((n for n in blocks if _METADATA_LINE.fullmatch(lines[n][0])), None)
    if start is None:
        return False
    last, indent = start, None
    for number, (line, _) in enumerate(lines[start + 1 :], start + 1):
        if line.strip():
            if not line.startswith((" ", "\t")):
                break
            last = number
            child = _CHILD.match(line)
            indent = indent or (child and child["indent"])
    lines.insert(last + 1, (f"{indent or _INDENT}{_MODIFIED}: {now}", eol))
    return True


def _says_something(fields: dict[str, Any]) -> bool:
    """Return whether anything in a header would outlast its being written anew."""
    return any(
        isinstance(value, _KINDS[key]) and bool(value) if key in _KINDS else value is not None
        for key, value in fields.items()
    )


def _says_when(fields: dict[str, Any]) -> bool:
    metadata = fields.get(_METADATA)
    return _MODIFIED in fields or (isinstance(metadata, dict) and _MODIFIED in metadata)


def _is_stamped(before: dict[str, Any], after: dict[str, Any], now: str) -> bool:
    """Return whether `after` says that it was modified `now`, and else what `before` says."""
    metadata = after.get(_METADATA)
    told = [after, metadata] if isinstance(metadata, dict) else [after]
    if not any(one.get(_MODIFIED) == now for one in told):
        return False
    # Written out, as values may contain themselves.
    return block(_without_when(before)) == block(_without_when(after))


def _without_when(fields: dict[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in fields.items() if key != _MODIFIED and value is not None}
    metadata = rest.get(_METADATA)
    if isinstance(metadata, dict):
        metadata = {key: value for key, value in metadata.items() if key != _MODIFIED}
        rest[_METADATA] = metadata
    if not metadata or not isinstance(metadata, dict):  # which would be dropped (RWT-2c)
        rest.pop(_METADATA, None)
    return rest
