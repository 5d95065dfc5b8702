"""Writing YAML as the client does: every scalar plain or in double quotes, blocks by two spaces.

Chapter topic-rewrite (RWT-2f to RWT-2h). ruamel.yaml's emitter cannot do this: it folds long lines,
prefers single quotes, and quotes other texts than the client.
"""

from __future__ import annotations

import re
from typing import Any

from memassay_reference.yaml_values import number_text

_WORDS = {
    form
    for word in ("true", "false", "yes", "no", "on", "off", "y", "n", "null")
    for form in (word, word.capitalize(), word.upper())
} | {"~", ".nan", ".NaN", ".NAN"} | {
    sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")
}  # fmt: skip
"""Texts that some YAML would take for a boolean, a null or a number."""

_OPENS_SOMETHING = tuple(" !%&*-:<>?@|\ufeff")
_ALWAYS_QUOTED = re.compile("[\\x00-\\x1f\\x7f\x85\xa0\u2028\u2029\"#',\\[\\]`{}]")
_COLON = re.compile(r":(\s|$)")
_MARK = re.compile(r"(---|\.\.\.)(\s|$)")
_DECIMAL = re.compile(r"[0-9.+-][0-9.eE+-]*")
_HEX = re.compile(r"\+?0[xX][0-9a-fA-F-]+")
_OCTAL = re.compile(r"\+?0[oO][0-9eE+-]+")
_NAMED_ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
    "\x1b": "e", '"': '"', "\\": "\\", "\x85": "N", "\xa0": "_", "\u2028": "L", "\u2029": "P",
}  # fmt: skip
_ESCAPED = re.compile('[\\x00-\\x1f\\x7f\x85\xa0\u2028\u2029"\\\\]')
_ANCHOR_NAME = re.compile(r"[A-Za-z0-9_-]+")
_INDENT = "  "


def scalar(text: str) -> str:
    """Return a text as it is written: plain if nothing about it could be misread (RWT-2f)."""
    return quote(text) if needs_quotes(text) else text


def quote(text: str) -> str:
    """Return a text in double quotes, with escapes for what cannot stand there (RWT-2g)."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def needs_quotes(text: str) -> bool:
    """Return whether a text is written in double quotes (RWT-2f)."""
    return (
        not text
        or text in _WORDS
        or text.startswith(_OPENS_SOMETHING)
        or text.endswith(" ")
        or bool(_ALWAYS_QUOTED.search(text))
        or bool(_COLON.search(text))
        or bool(_MARK.search(text))
        or _looks_numeric(text)
    )


def _looks_numeric(text: str) -> bool:
    """Return whether a text is made of what numbers are made of, be it a number or not.

    So `1.2.3` is not, for its second point, nor `1a`; but `1-2`, `.` and `1e+` are.
    """
    if text == "+" or text[1:].count("-") > 1:
        return False
    if _HEX.fullmatch(text) or _OCTAL.fullmatch(text):
        return True
    return bool(_DECIMAL.fullmatch(text)) and text.count(".") <= 1 and text.lower().count("e") <= 1


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return "\\" + (_NAMED_ESCAPES.get(character) or f"x{ord(character):02x}")


def block(entries: dict[str, Any]) -> str:
    """Return a mapping as the lines of a YAML block, each with its end (RWT-2h)."""
    writer = _Writer(entries)
    writer.mapping(entries, "")
    return "".join(f"{line}\n" for line in writer.lines)


class _Writer:
    """Writes a mapping. A collection that stands in several places gets an anchor (RWT-2i)."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.lines: list[str] = []
        self._shared = _shared(root)
        self._anchors: dict[int, str] = {}
        self._names: dict[str, int] = {}
        self._counts = {"item": 0, "value": 0}

    def mapping(self, entries: dict[str, Any], indent: str) -> None:
        """Write the entries of a mapping that is not empty."""
        for key, value in entries.items():
            head = f"{indent}{scalar(key)}:"
            inner = indent + _INDENT
            if not isinstance(value, dict | list):
                self.lines.append(f"{head} {_atom(value)}")
            elif id(value) in self._anchors:
                self.lines += [head, f"{inner}*{self._anchors[id(value)]}"]
            elif id(value) in self._shared:
                self.lines += [head, f"{inner}&{self._anchor(value, key)}"]
                self._collection(value, inner)
            elif value:
                self.lines.append(head)
                self._collection(value, inner)
            else:
                self.lines.append(f"{head} {_empty(value)}")

    def _collection(self, value: dict[str, Any] | list[Any], indent: str) -> None:
        if not value:
            self.lines.append(indent + _empty(value))
        elif isinstance(value, dict):
            self.mapping(value, indent)
        else:
            self._sequence(value, indent)

    def _sequence(self, items: list[Any], indent: str) -> None:
        inner = indent + _INDENT
        for item in items:
            if not isinstance(item, dict | list):
                self.lines.append(f"{indent}- {_atom(item)}")
            elif id(item) in self._anchors:
                self.lines.append(f"{indent}- *{self._anchors[id(item)]}")
            elif id(item) in self._shared:
                self.lines.append(f"{indent}- &{self._anchor(item, None)}")
                self._collection(item, inner)
            else:
                at = len(self.lines)
                self._collection(item, inner)
                self.lines[at] = f"{indent}- {self.lines[at].removeprefix(inner)}"

    def _anchor(self, value: Any, key: str | None) -> str:
        if key is None or not _ANCHOR_NAME.fullmatch(key):
            kind = "item" if key is None else "value"
            name = f"{kind}{self._counts[kind]}"
            self._counts[kind] += 1
        else:
            again = self._names.get(key, 0)
            self._names[key] = again + 1
            name = f"{key}{again or ''}"
        self._anchors[id(value)] = name
        return name


def _shared(root: Any) -> set[int]:
    """Return the ids of the collections that are met more than once."""
    met: set[int] = set()
    shared: set[int] = set()
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if not isinstance(value, dict | list):
            continue
        if id(value) in met:
            shared.add(id(value))
            continue
        met.add(id(value))
        waiting += value.values() if isinstance(value, dict) else value
    return shared


def _atom(value: Any) -> str:
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else number_text(value)


def _empty(value: dict[str, Any] | list[Any]) -> str:
    return "{}" if isinstance(value, dict) else "[]"
