"""Values as they travel in JSON: bytes become `{"$bytes": base64}`, all else stays.

What comes in from others is read by `parse_json`: no more than JSON has, and not deeper than
everybody who looks into it afterwards can bear.
"""

from __future__ import annotations

import base64
import json
import math
from typing import Any, NoReturn

MOST_DEEP = 100
"""How many lists and mappings may stand in one another."""


class NestedError(ValueError):
    """A JSON text has more lists and mappings in one another than are taken."""

    def __init__(self, most_deep: int) -> None:
        super().__init__(f"it is nested more than {most_deep} deep")


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON value")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits[:40]!r} is too large")
    return number


_decode = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite).decode


def parse_json(text: str, most_deep: int = MOST_DEEP) -> Any:
    """Return the value of a JSON text.

    Raises `NestedError`, or `ValueError` if it is no JSON or holds a number that JSON has not.
    """
    try:
        value = _decode(text)
    except RecursionError:
        raise NestedError(most_deep) from None
    # Counting is quicker than looking, and most texts have fewer than would be too many.
    if text.count("[") + text.count("{") > most_deep and _too_deep(value, most_deep):
        raise NestedError(most_deep)
    return value


def _too_deep(value: Any, most_deep: int) -> bool:
    level = [value]
    for _ in range(most_deep):
        level = [
            child
            for part in level
            if isinstance(part, (dict, list))
            for child in (part.values() if isinstance(part, dict) else part)
        ]
    return any(isinstance(part, (dict, list)) for part in level)


def to_wire(value: Any) -> Any:
    """Return `value` with all bytes in it as `{"$bytes": base64}`."""
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, dict):
        return {key: to_wire(child) for key, child in value.items()}
    if isinstance(value, list):
        return [to_wire(child) for child in value]
    return value


def from_wire(value: Any) -> Any:
    """Return `value` with every `{"$bytes": base64}` in it as bytes.

    Raises `ValueError` if one of them is not base64 text.
    """
    if isinstance(value, dict):
        if value.keys() == {"$bytes"}:
            return base64.b64decode(value["$bytes"], validate=True)
        return {key: from_wire(child) for key, child in value.items()}
    if isinstance(value, list):
        return [from_wire(child) for child in value]
    return value
