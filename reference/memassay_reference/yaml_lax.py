"""Bringing YAML as the client reads it into a form that ruamel reads the same way.

Chapter topic-rewrite (RWT-2d, RWT-2n, RWT-2o). The client takes tabs for blanks or for text, lets
a text begin with a comma, and keeps each CRLF within quotes. Nothing changes its place, so marks
point into the original too.
"""

from __future__ import annotations

import re

from memassay_reference.yaml_nodes import UnreadableError

# Characters that ruamel takes for line ends, for errors or for indicators, and the client for text.
# While ruamel reads, noncharacters stand in their places.
_BREAKS = str.maketrans("\x85\u2028\u2029", "\ufdd0\ufdd1\ufdd2")
_TAB, _COMMA = "\ufdd3", "\ufdd4"
_BACK = str.maketrans(f"\ufdd0\ufdd1\ufdd2{_TAB}{_COMMA}", "\x85\u2028\u2029\t,")

_LINE = re.compile(
    r"(?P<indent>[ \t]*)"
    r"(?P<signs>(?:[-?:](?:[ \t]+|(?=\r?\Z)))*)"
    r"(?P<key>(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|\{[^{}]*\}|\[[^\[\]]*\]|[^ \t\r\"'#\[{].*?)"
    r"[ \t]*:(?=[ \t\r]|\Z)[ \t]*)?"
    r"(?P<properties>(?:[&!][^ \t]*[ \t]+)*)"
    r"(?P<value>.*)"
)
_BLOCK_SIGN = re.compile(r"[|>][-+0-9]*[ \t]*(?:(?<=[ \t])#.*)?")
_TEXT_BLANKS = re.compile(r"(?<=[^ \t:])[ \t]+(?=[^ \t\r#])")
_FLOW_BLANKS = re.compile(r"(?<=[^ \t:?,\[\]{}-])[ \t]+(?=[^ \t\r#,\]}:])")
_FLOW_SIGNS = re.compile(r"(?P<open>[\[{])|(?P<close>[\]}])|(?P<quote>[\"'])|(?P<rest>[ \t]#.*)")
_ENDS = {'"': re.compile(r"(?:[^\"\\]|\\.)*\""), "'": re.compile(r"(?:[^']|'')*'(?!')")}
_LEADING_TABS = re.compile("^\t+", re.MULTILINE)


def made_lax(source: str) -> str:
    """Return a source of the same length for ruamel to compose; `as_written` takes it back.

    Raises `UnreadableError` if an entry of a block is indented with a tab.
    """
    return _Laxer().source(source.translate(_BREAKS))


def as_written(text: str) -> str:
    """Return a part of a lax source as it was."""
    return text.translate(_BACK)


def without_leading_tabs(source: str) -> str:
    """Return a source with two blanks for each tab at the start of a line (RWT-2d)."""
    return _LEADING_TABS.sub(lambda tabs: "  " * len(tabs[0]), source)


class _Laxer:
    """Goes through lines, and knows whether one goes on what another began."""

    def __init__(self) -> None:
        self._depth = 0  # of brackets
        self._quote = ""
        self._block = -1  # the indentation that the lines of a block text have more than
        self._in_block = False
        self._is_first = False  # whether none of them was met yet

    def source(self, source: str) -> str:
        """Return all lines."""
        return "\n".join(self._line(line) for line in source.split("\n"))

    def _line(self, line: str) -> str:
        if self._in_block:
            if self._is_in_text(line):
                return line
            self._in_block = False
            if not line.strip(" \t\r"):  # a tab ends the block text, though nothing else is there
                return f"#{line[1:]}".replace("\t", " ")
        if self._quote:
            end = _ENDS[self._quote].match(line)
            if end is None:
                return _broken_twice(line) if line.strip(" \t\r") else line
            self._quote = ""
            return line[: end.end()] + self._flow(line[end.end() :])
        if self._depth:
            text = line.lstrip(" \t")
            return _outdented(line, text, self._flow(text))
        return self._structure(line)

    def _is_in_text(self, line: str) -> bool:
        """Return whether a line belongs to a block text; the first one says how deep it is."""
        if not line.strip(" \r"):
            return True
        if _indentation(line) <= self._block:
            return False
        if self._is_first:
            self._block, self._is_first = _indentation(line) - 1, False
        return True

    def _structure(self, line: str) -> str:
        match = _LINE.fullmatch(line)
        if match is None:  # a stray line end within the line
            return line
        indent, signs, key, properties, value = match.groups(default="")
        if _BLOCK_SIGN.fullmatch(value.rstrip("\r")) and (signs or key):
            self._in_block = self._is_first = True
            self._block = len(indent + signs) if key else len(indent + signs.rstrip()) - 1
        if ("\t" in indent and (signs or key)) or _has_tab_before_entry(signs, key):
            raise UnreadableError("a tab before an entry of a block")
        if value.startswith(("[", "{", '"', "'")):
            value = self._flow(value)
        else:
            value = f"{_COMMA}{value[1:]}" if value.startswith(",") else value
            value = _blanks(_TEXT_BLANKS, value)
        name = key.rstrip(" \t:")
        key = _blanks(_TEXT_BLANKS, name) + key[len(name) :].replace("\t", " ")
        signs, properties = signs.replace("\t", " "), properties.replace("\t", " ")
        return _outdented(line, line[len(indent) :], signs + key + properties + value)

    def _flow(self, text: str) -> str:
        """Return a part of a line within brackets or quotes, or behind them."""
        at, parts = 0, []
        while sign := _FLOW_SIGNS.search(text, at):
            parts.append(_blanks(_FLOW_BLANKS, text[at : sign.start()]))
            at = sign.end()
            parts.append(sign[0].replace("\t", " "))
            if sign["quote"]:
                end = _ENDS[sign[0]].match(text, at)
                if end is None:
                    self._quote = sign[0]
                    return "".join(parts) + _broken_twice(text[at:])
                parts.append(end[0])
                at = end.end()
            elif not sign["rest"]:
                self._depth = max(0, self._depth + (1 if sign["open"] else -1))
        return "".join(parts) + _blanks(_FLOW_BLANKS, text[at:])


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _broken_twice(line: str) -> str:
    """Return a line within quotes whose CRLF counts as two line ends: as one that is kept."""
    return line[:-1] + "\n" if line.endswith("\r") else line


def _has_tab_before_entry(signs: str, key: str) -> bool:
    """Return whether a tab stands between a dash and an entry that begins on its line."""
    return "\t" in signs.rstrip(" \t") or ("\t" in signs and "-" in signs and bool(key))


def _outdented(line: str, text: str, lax: str) -> str:
    """Return a line with a text that begins where its blanks end: tabs do not indent."""
    indent = line[: len(line) - len(text)]
    blanks = indent[: _indentation(indent)] if text.strip() else indent.replace("\t", " ")
    return blanks + lax + " " * (len(indent) - len(blanks))


def _blanks(between_words: re.Pattern[str], text: str) -> str:
    """Return a text with tabs between words as text, and others as blanks."""
    text = between_words.sub(lambda match: match[0].replace("\t", _TAB), text)
    return text.replace("\t", " ")
