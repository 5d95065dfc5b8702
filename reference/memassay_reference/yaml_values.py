"""Reading YAML as the client's parser does: which value a text stands for. Chapter topic-rewrite.

ruamel.yaml scans and composes; what a plain scalar *is*, how keys become property names and in
which order an object lists them is JavaScript's business and stands here. Where the client's parser
is laxer or stricter than ruamel, `yaml_lax` and the checks here make up for it. What still differs
is in no case of the spec: the place of a key that a merge key would bring in too, a colon that
begins an item of a list in brackets, and the key `__proto__`.

Every number is a float, as in JavaScript. An anchor and its aliases are one and the same object.
"""

from __future__ import annotations

import re
from math import inf, isinf, isnan, nan
from typing import TYPE_CHECKING, Any

from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

from memassay_reference.js_text import decode_units, encode_units
from memassay_reference.yaml_lax import as_written, made_lax
from memassay_reference.yaml_nodes import UnreadableError, compose

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_TEXT_TAG = "tag:yaml.org,2002:str"
_QUOTES = ('"', "'")
_BLOCKS = ("|", ">")
_MERGE_KEY = "<<"
_CONSTANTS = tuple(
    (re.compile(pattern), value)
    for pattern, value in (
        (r"|~|null|Null|NULL", None),
        (r"true|True|TRUE", True),
        (r"false|False|FALSE", False),
        (r"\+?\.(inf|Inf|INF)", inf),
        (r"-\.(inf|Inf|INF)", -inf),
        (r"\.(nan|NaN|NAN)", nan),
    )
)
_INTEGER = re.compile(r"[-+]?(?:0x(?P<hex>[0-9a-fA-F]+)|0o(?P<octal>[0-7]+))")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_ARRAY_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_ARRAY_INDEX = 2**32 - 2
_LARGEST_INTEGER = 2**64 - 1
_EXPONENT_FROM, _EXPONENT_BELOW = 21, -7  # decimal exponents at which JavaScript changes notation
_LONE_HALF = re.compile("[\ud800-\udfff]")
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+|#.*\s+)*")
_TAG = re.compile(r"(?:&\S*\s+)?(?P<tag>!\S*)")
_KINDS_BY_TAG = {
    "!!int": float,
    "!!float": float,
    "!!bool": bool,
    "!!null": type(None),
}
_TEXT_TAGS = ("!!str", "!")
"""What makes a text of nothing at all."""


def read_yaml(source: str) -> Any:
    """Return the value of a document: dict, list, str, float, bool or None.

    Raises `UnreadableError` if it is broken, holds NUL or more than one document.
    """
    source = made_lax(source)
    root = compose(source)
    try:
        return None if root is None else _Builder(source).value(root)
    except RecursionError:
        raise UnreadableError("nested too deeply") from None


def object_of(entries: dict[str, Any]) -> dict[str, Any]:
    """Return entries in the order of a JavaScript object.

    Keys that look like array indices come first, in numeric order.
    """
    indices = [key for key in entries if _is_array_index(key)]
    if not indices:
        return entries
    first = {key: entries[key] for key in sorted(indices, key=int)}
    return {**first, **entries}


def number_text(number: float) -> str:
    """Return `String(number)`, but the special values as YAML writes them and −0 with its sign."""
    if isnan(number):
        return ".nan"
    if isinf(number):
        return ".inf" if number > 0 else "-.inf"
    mantissa, _, exponent = f"{number!r}".partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.removeprefix("-").partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return sign + "0"
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if point > _EXPONENT_FROM or point - 1 < _EXPONENT_BELOW + 1:
        tail = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    whole = digits[:point].ljust(point, "0")
    return sign + whole + (f".{digits[point:]}" if digits[point:] else "")


class _Builder:
    """Makes values of nodes; a node met again is the value made of it before."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = source.split("\n")
        self._made: dict[int, Any] = {}

    def value(self, node: Node) -> Any:
        if id(node) in self._made:
            return self._made[id(node)]
        self._check_end(node)
        if isinstance(node, ScalarNode):
            return _scalar(node, self._source)
        made: Any = {} if isinstance(node, MappingNode) else []
        self._made[id(node)] = made  # before its children: one of them may mean it again
        if isinstance(node, MappingNode):
            made.update(self._entries(node))
        elif isinstance(node, SequenceNode):
            if not node.flow_style:
                column = self._column(node)
                for child in node.value:
                    self._check_continuation(column, child)
            made.extend(self.value(child) for child in node.value)
            _check_dashes(node, node.value)
        return made

    def _entries(self, node: MappingNode) -> dict[str, Any]:
        _check_dashes(node, [value for _, value in node.value])
        entries: dict[str, Any] = {}
        own: set[str] = set()
        for key_node, value_node in node.value:
            if not node.flow_style:
                self._check_continuation(key_node.start_mark.column, value_node)
            key, value = self.value(key_node), self.value(value_node)
            sources = _merge_sources(key_node, value)
            if sources is None:
                name = _property_name(key)
                own.add(name)
                entries[name] = value
            else:
                for source in reversed(sources):  # of several, the first one wins
                    entries |= {one: got for one, got in source.items() if one not in own}
        return object_of(entries)

    def _check_end(self, node: Node) -> None:
        """Refuse what ruamel takes: a `#` right behind quotes or brackets."""
        if isinstance(node, (MappingNode, SequenceNode)):
            closed = bool(node.flow_style)
        else:
            closed = isinstance(node, ScalarNode) and node.style in _QUOTES
        if closed and self._source.startswith("#", node.end_mark.index):
            raise UnreadableError("a comment without a blank before it")

    def _column(self, node: Node) -> int:
        """Return where a value begins, a list with its dash, behind its tag and its anchor."""
        match = _PROPERTIES.match(self._source, node.start_mark.index)
        begin = match.end() if match else node.start_mark.index
        return begin - self._source.rfind("\n", 0, begin) - 1

    def _check_continuation(self, column: int, node: Node) -> None:
        """Refuse what ruamel takes: quotes or brackets that go on where their entry begins."""
        is_block_text = isinstance(node, ScalarNode) and node.style in _BLOCKS
        if is_block_text and self._column(node) <= column:
            raise UnreadableError("the sign of a block text at the column of its entry")
        first, last = node.start_mark.line, node.end_mark.line
        if first == last or (isinstance(node, ScalarNode) and node.style not in _QUOTES):
            return
        if isinstance(node, (MappingNode, SequenceNode)) and not node.flow_style:
            return
        for line in self._lines[first + 1 : last + 1]:
            if line.strip() and len(line) - len(line.lstrip(" \t")) <= column:
                raise UnreadableError("a value goes on at the column of its entry")


def _check_dashes(node: MappingNode | SequenceNode, values: list[Node]) -> None:
    """Refuse what ruamel takes: a dash alone within brackets."""
    if node.flow_style and any(
        isinstance(one, ScalarNode) and one.style is None and one.value == "-" for one in values
    ):
        raise UnreadableError("a dash within brackets")


def _merge_sources(key: Node, value: Any) -> list[dict[str, Any]] | None:
    """Return the mappings that a merge key takes entries from, or None if it is no merge key."""
    if not isinstance(key, ScalarNode) or key.style is not None or key.value != _MERGE_KEY:
        return None
    if isinstance(value, dict):
        return [value]
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return value
    return None


def _scalar(node: ScalarNode, source: str) -> Any:
    """Return what a scalar of a lax source stands for: text, unless it is plain and looks else.

    Raises `UnreadableError` for half a surrogate pair, which an escape can make.
    """
    text = as_written(node.value)
    if node.style is None:
        tag = _TAG.match(source, node.start_mark.index)
        if tag is None:  # but there may be one before an anchor
            return text if node.tag == _TEXT_TAG else plain(text)
        return _tagged(text, tag["tag"])
    try:
        text = decode_units(encode_units(text))
    except UnicodeError:
        raise UnreadableError("half a surrogate pair") from None
    if _LONE_HALF.search(text):
        raise UnreadableError("half a surrogate pair")
    return text


def _tagged(text: str, tag: str) -> Any:
    """Return what a plain scalar with a tag stands for: text, unless the tag allows more."""
    if not text:
        return text if tag in _TEXT_TAGS else None
    value = plain(text)
    return value if type(value) is _KINDS_BY_TAG.get(tag, str) else text


def plain(text: str) -> Any:
    """Return what a plain scalar stands for by YAML 1.2's core schema: text, number, bool or None.

    Older YAML knew more of them: `yes`, dates and `1_000` are text.
    """
    for pattern, value in _CONSTANTS:
        if pattern.fullmatch(text):
            return value
    if match := _INTEGER.fullmatch(text):
        number = int(match["hex"], 16) if match["hex"] else int(match["octal"], 8)
        if number <= _LARGEST_INTEGER:
            return float(-number if text.startswith("-") else number)
    return float(text) if _DECIMAL.fullmatch(text) else text


def _property_name(key: Any) -> str:
    """Return the name that a key gives a property: `String(key)`."""
    if isinstance(key, str):
        return key
    if key is None:
        return "null"
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, float):
        special = {".nan": "NaN", ".inf": "Infinity", "-.inf": "-Infinity"}
        return special.get(text := number_text(key), text)
    if isinstance(key, list):
        return ",".join("" if one is None else _property_name(one) for one in key)
    return "[object Object]"


def _is_array_index(key: str) -> bool:
    return bool(_ARRAY_INDEX.fullmatch(key)) and int(key) <= _LAST_ARRAY_INDEX
