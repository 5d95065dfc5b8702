"""Long texts in a stream: compressed, so that a line stays short and the text stays whole."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

from memassay.judge.texts import length_units

LONG_UNITS = 2000
"""A text of more code units than this is stored compressed."""

MOST_BYTES = 512 * 1024 * 1024
"""A packed text that would unpack to more than this is refused."""

_ZLIB = "$zlib"
_PLAIN = "$plain"


def pack(value: Any) -> Any:
    """Return a JSON value with every long text in it as `{"$zlib": base64(zlib(UTF-8))}`.

    Halves of surrogate pairs are kept (as `surrogatepass` encodes them). A mapping that looks like
    one of these signs is wrapped in `{"$plain": …}`, so that `unpack` gives back what there was.
    """
    if isinstance(value, str):
        if len(value) * 2 <= LONG_UNITS or length_units(value) <= LONG_UNITS:
            return value
        data = zlib.compress(value.encode("utf-8", "surrogatepass"))
        return {_ZLIB: base64.b64encode(data).decode("ascii")}
    if isinstance(value, dict):
        packed = {key: pack(child) for key, child in value.items()}
        return {_PLAIN: packed} if value.keys() in ({_ZLIB}, {_PLAIN}) else packed
    if isinstance(value, (list, tuple)):
        return [pack(child) for child in value]
    return value


def unpack(value: Any) -> Any:
    """Return the value that `pack` made `value` of.

    Raises `ValueError` if a packed text is damaged.
    """
    if isinstance(value, dict):
        if value.keys() == {_ZLIB}:
            return _inflated(value[_ZLIB])
        if value.keys() == {_PLAIN} and isinstance(value[_PLAIN], dict):
            value = value[_PLAIN]
        return {key: unpack(child) for key, child in value.items()}
    if isinstance(value, list):
        return [unpack(child) for child in value]
    return value


def _inflated(packed: Any) -> str:
    try:
        engine = zlib.decompressobj()
        data = engine.decompress(base64.b64decode(packed, validate=True), MOST_BYTES)
        if not engine.eof:
            problem = "more than memassay takes" if engine.unconsumed_tail else "cut off"
            raise ValueError(f"a packed text is {problem}")
        return data.decode("utf-8", "surrogatepass")
    except (binascii.Error, TypeError, zlib.error, UnicodeDecodeError) as error:
        raise ValueError(f"a packed text is damaged: {error}") from None
