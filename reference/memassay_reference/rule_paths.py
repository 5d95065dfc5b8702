"""On which files a rule depends: the key `paths` of its frontmatter. Chapter layers (LYR-2).

A rule without usable patterns is always there. Otherwise it comes only when the agent reads a file
that they match.
"""

from __future__ import annotations

from typing import Any

from memassay_reference.frontmatter import frontmatter, rescue
from memassay_reference.globs import expand_braces
from memassay_reference.js_text import trim
from memassay_reference.yaml_nodes import UnreadableError
from memassay_reference.yaml_values import read_yaml

_EVERYTHING = "**"
_ALL_BELOW = "/**"


def patterns_of(text: str) -> tuple[str, ...]:
    """Return the patterns that a rule's text depends on; empty if it is always there (LYR-2b).

    A `/**` at the end says nothing more than the directory does, and goes. What is no text is no
    pattern; if all that is left is `**`, or nothing, the rule does not depend on anything.
    """
    patterns = [
        pattern.removesuffix(_ALL_BELOW)
        for entry in _entries(_value(text))
        for part in _split(entry)
        for pattern in expand_braces(part)
    ]
    patterns = [pattern for pattern in patterns if pattern]
    if all(pattern == _EVERYTHING for pattern in patterns):
        return ()
    return tuple(patterns)


def _value(text: str) -> Any:
    """Return the value of `paths`; broken YAML is read again with quotes (BKF-6b)."""
    source = frontmatter(text.replace("\r\n", "\n"))
    if source is None:
        return None
    for attempt in (source, rescue(source)):
        try:
            fields = read_yaml(attempt)
        except UnreadableError:
            continue
        return fields.get("paths") if isinstance(fields, dict) else None
    return None


def _entries(value: Any) -> list[str]:
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if isinstance(entry, str)]


def _split(entry: str) -> list[str]:
    """Return the parts of a text between commas that stand in no braces, trimmed (LYR-2d)."""
    parts, depth, start = [], 0, 0
    for position, char in enumerate(entry):
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            parts.append(entry[start:position])
            start = position + 1
    return [part for part in map(trim, [*parts, entry[start:]]) if part]
