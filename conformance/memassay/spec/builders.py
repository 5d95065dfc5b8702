"""Builders: how a case writes a long or odd value in few words (see `spec/README.md`)."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from attrs import frozen

from memassay.spec.errors import BuilderError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DEFAULT_CLOCK = "2026-11-30T12:00:00.000Z"
"""What time it is in a case that does not say."""

MAX_SIZE = 256 * 1024 * 1024
"""The most characters or bytes that a builder makes; beyond it the case is a mistake."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNIT_US = {
    "d": 86_400_000_000,
    "h": 3_600_000_000,
    "m": 60_000_000,
    "s": 1_000_000,
    "ms": 1000,
    "us": 1,
}
_DURATION = re.compile(r"(-?)((?:\d+(?:d|h|ms|m|us|s))+)")
_DURATION_PART = re.compile(r"(\d+)(d|h|ms|m|us|s)")
_PLACEHOLDER = re.compile(r"\{n(?::0(\d+))?\}")
_SLUG = re.compile(r"[^A-Za-z0-9]")


@frozen
class Context:
    """What builders may lean on: the tree's root (absolute, canonical, ASCII), the case clock."""

    root: str
    clock_ms: int
    slug: str | None = None
    """What stands for the root in `slug_of`; made from the root unless given."""

    @classmethod
    def portable(cls, clock: str | None) -> Context:
        """Return a context in which `<TREE>` and `<TREE-SLUG>` stand for the root."""
        return cls("<TREE>", clock_ms(clock), "<TREE-SLUG>")


def clock_ms(clock: str | None) -> int:
    """Return a case clock (ISO text, or None for the default) in ms since 1970."""
    text = DEFAULT_CLOCK if clock is None else clock
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise BuilderError(f"clock {text!r} is no ISO time") from None
    if moment.tzinfo is None:
        raise BuilderError(f"clock {text!r} has no time zone", hint="end it with Z")
    return (moment - _EPOCH) // (datetime(1970, 1, 1, 0, 0, 0, 1000, tzinfo=UTC) - _EPOCH)


def duration_us(text: Any) -> int:
    """Return a duration such as `47h59m59s999ms`, `-10d` or `0` in microseconds."""
    if text == "0" or (type(text) is int and text == 0):
        return 0
    match = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise BuilderError(f"{text!r} is no duration", hint="write 1d2h3m4s5ms6us, or 0")
    total = sum(int(n) * _UNIT_US[unit] for n, unit in _DURATION_PART.findall(match[2]))
    return -total if match[1] else total


def fill(template: str, number: int) -> str:
    """Return `template` with `{n}` and `{n:03}` replaced by `number`."""
    return _filler(template)(number)


@lru_cache(maxsize=64)
def _filler(template: str) -> Callable[[int], str]:
    """Return `fill` for one template; there are lists of 50,000 lines."""
    # splitting gives a literal, a width or None, a literal, …
    pieces = _PLACEHOLDER.split(template)
    pieces[::2] = [text.replace("{", "{{").replace("}", "}}") for text in pieces[::2]]
    pieces[1::2] = [f"{{0:0{width or 1}}}" for width in pieces[1::2]]
    return "".join(pieces).format


def tree_path(root: str, relative: Any) -> str:
    """Return the absolute path of a tree's entry. Refuses paths that leave the tree."""
    if not isinstance(relative, str):
        raise BuilderError(f"a path in the tree is text, not {relative!r}")
    if relative == ".":
        return root
    parts = relative.split("/")
    if "" in parts or "." in parts or ".." in parts or "\0" in relative:
        raise BuilderError(
            f"{relative!r} is no path in the tree",
            hint="relative, forward slashes, no `.`, `..` or empty part",
        )
    return f"{root}/{relative}"


def build(value: Any, context: Context) -> Any:
    """Return `value` with every builder in it replaced by what it builds.

    Raises `BuilderError` for a builder whose parts do not fit.
    """
    if isinstance(value, dict):
        builder = _BUILDERS.get(frozenset(value))
        if builder is None:
            return {key: build(child, context) for key, child in value.items()}
        return _checked(builder(value, context))
    if isinstance(value, list):
        return [build(child, context) for child in value]
    return value


def build_mapping(mapping: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Return `args` or `expect` with the builders inside replaced; the mapping itself is none."""
    return {key: build(child, context) for key, child in mapping.items()}


def is_builder(value: Any) -> bool:
    """Return whether `value` is a mapping that stands for a value it builds."""
    return isinstance(value, dict) and frozenset(value) in _BUILDERS


def _checked(value: Any) -> Any:
    if isinstance(value, (str, bytes)) and len(value) > MAX_SIZE:
        raise BuilderError(f"a builder makes more than {MAX_SIZE} characters")
    return value


def _text_or_bytes(value: Any, context: Context, name: str) -> str | bytes:
    built = build(value, context)
    if not isinstance(built, (str, bytes)):
        raise BuilderError(f"`{name}` takes text or bytes, not {built!r}")
    return built


def _repeat(value: Mapping[str, Any], context: Context) -> str | bytes:
    piece = _text_or_bytes(value["repeat"], context, "repeat")
    times = value["times"]
    if type(times) is not int or times < 0:
        raise BuilderError(f"`times` is a whole number ≥ 0, not {times!r}")
    if len(piece) * times > MAX_SIZE:
        raise BuilderError(f"`repeat` makes more than {MAX_SIZE} characters")
    return piece * times


def _concat(value: Mapping[str, Any], context: Context) -> str | bytes:
    if not isinstance(value["concat"], list):
        raise BuilderError("`concat` takes a list")
    pieces = [_text_or_bytes(piece, context, "concat") for piece in value["concat"]]
    texts = [piece for piece in pieces if isinstance(piece, str)]
    if len(texts) == len(pieces):
        return "".join(texts)
    return b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)


def _lines(value: Mapping[str, Any], context: Context) -> str:
    spec = value["lines"]
    if not isinstance(spec, dict) or not {"from", "to", "format"} <= spec.keys() <= {
        "from",
        "to",
        "format",
        "separator",
    }:
        raise BuilderError("`lines` takes {from, to, format} and maybe separator")
    first, last = spec["from"], spec["to"]
    if type(first) is not int or type(last) is not int:
        raise BuilderError("`lines` counts from one whole number to another")
    template = _text_or_bytes(spec["format"], context, "format")
    separator = _text_or_bytes(spec.get("separator", "\n"), context, "separator")
    if not isinstance(template, str) or not isinstance(separator, str):
        raise BuilderError("`lines` makes text; its format and separator are no bytes")
    if (last - first + 1) * max(1, len(template) + len(separator)) > MAX_SIZE:
        raise BuilderError(f"`lines` makes more than {MAX_SIZE} characters")
    return separator.join(map(_filler(template), range(first, last + 1)))


def _hex(value: Mapping[str, Any], _: Context) -> bytes:
    try:
        return bytes.fromhex(value["hex"])
    except (TypeError, ValueError):
        raise BuilderError(
            f"`hex` takes pairs of hexadecimal digits, not {value['hex']!r}"
        ) from None


def _base64(value: Mapping[str, Any], _: Context) -> bytes:
    try:
        return base64.b64decode(value["base64"], validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise BuilderError(f"{value['base64']!r} is not base64") from None


def _utf16(value: Mapping[str, Any], _: Context) -> str:
    try:
        units = [int(word, 16) for word in value["utf16"].split()]
        raw = b"".join(unit.to_bytes(2, "little") for unit in units)
    except (AttributeError, ValueError, OverflowError):
        raise BuilderError(
            f"`utf16` takes code units of four hexadecimal digits, not {value['utf16']!r}"
        ) from None
    return raw.decode("utf-16-le", "surrogatepass")


def _path(value: Mapping[str, Any], context: Context) -> str:
    return tree_path(context.root, value["path"])


def _slug_of(value: Mapping[str, Any], context: Context) -> str:
    path = tree_path(context.root, value["slug_of"])
    if not path.isascii() or len(path) > 200:  # noqa: PLR2004 (a key over 200 units is no slug)
        raise BuilderError(f"`slug_of` is for short ASCII paths; {path!r} is none")
    root = _SLUG.sub("-", context.root) if context.slug is None else context.slug
    return root + _SLUG.sub("-", path[len(context.root) :])


def _clock_ms(value: Mapping[str, Any], context: Context) -> int:
    offset_us = duration_us(value["clock_ms"])
    if offset_us % 1000:
        raise BuilderError("`clock_ms` is whole milliseconds")
    return context.clock_ms + offset_us // 1000


def _literal(value: Mapping[str, Any], _: Context) -> Any:
    return value["literal"]


_BUILDERS: dict[frozenset[str], Callable[[Mapping[str, Any], Context], Any]] = {
    frozenset({"repeat", "times"}): _repeat,
    frozenset({"concat"}): _concat,
    frozenset({"lines"}): _lines,
    frozenset({"hex"}): _hex,
    frozenset({"base64"}): _base64,
    frozenset({"utf16"}): _utf16,
    frozenset({"path"}): _path,
    frozenset({"slug_of"}): _slug_of,
    frozenset({"clock_ms"}): _clock_ms,
    frozenset({"literal"}): _literal,
}
