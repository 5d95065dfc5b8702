"""Values as they travel and as they are compared: JSON, with bytes as `{"$bytes": base64}`."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from attrs import frozen

from memassay.judge.texts import quote

BYTES_KEY = "$bytes"
"""The only key of the mapping that stands for bytes on the wire."""


@frozen
class Exactly:
    """A value of an expectation that is to be met to the letter: nothing in it is a matcher."""

    value: Any


class Missing:
    """What a mapping has under a key that it does not have."""

    def __repr__(self) -> str:
        """Return the name under which tests and tracebacks show it."""
        return "MISSING"


MISSING = Missing()
"""The one value of `Missing`."""


def as_json(value: Any) -> Any:
    """Return a part of an expectation or an answer as JSON: bytes encoded, `Exactly` unwrapped."""
    if isinstance(value, dict):
        return {key: as_json(child) for key, child in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(child) for child in value]
    if isinstance(value, bytes):
        return {BYTES_KEY: base64.b64encode(value).decode("ascii")}
    if isinstance(value, Exactly):
        return as_json(value.value)
    return None if value is MISSING else value


def as_bytes(value: Any) -> bytes | None:
    """Return the bytes that `value` is or stands for, or None if it is anything else."""
    if isinstance(value, bytes):
        return value
    if not isinstance(value, dict) or value.keys() != {BYTES_KEY}:
        return None
    try:
        return base64.b64decode(value[BYTES_KEY], validate=True)
    except (binascii.Error, TypeError, ValueError):
        return None


def same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are the same: true is not 1, but 1 is 1.0, as in JSON."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def kind(value: Any) -> str:
    """Return what sort of value `value` is, as words for a sentence."""
    if as_bytes(value) is not None:
        return "bytes"
    return _KINDS.get(type(value), "missing")


_KINDS = {
    type(None): "null",
    bool: "a boolean",
    str: "text",
    int: "a number",
    float: "a number",
    dict: "a mapping",
    list: "a list",
    tuple: "a list",
}


def describe(value: Any) -> str:
    """Return `value` in a few words for a sentence: short ones in full, long ones by their size."""
    if isinstance(value, Exactly):
        return describe(value.value)
    data = as_bytes(value)
    if data is not None:
        words = _counted(len(data), "byte")
    elif isinstance(value, str):
        words = quote(value)
    elif isinstance(value, (bool, int, float)):
        words = json.dumps(value)
    elif isinstance(value, (list, tuple)):
        words = f"a list of {_counted(len(value), 'item')}"
    elif isinstance(value, dict):
        keys = ", ".join(quote(key) for key in sorted(value)[:6])
        words = f"a mapping ({keys})" if keys else "an empty mapping"
    else:
        words = kind(value)
    return words


def brief(value: Any, limit: int = 160) -> str:
    """Return `value` as JSON if that is short, else in a few words."""
    text = json.dumps(as_json(value), ensure_ascii=False)
    return text if len(text) <= limit and text.isprintable() else describe(value)


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
