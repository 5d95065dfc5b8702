"""Values as they travel in JSON: bytes become `{"$bytes": base64}`, all else stays."""

from __future__ import annotations

import base64
from typing import Any


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
