"""How much of one recalled topic file reaches the model. Chapter recall."""

from __future__ import annotations

from typing import Any

from memassay.spec import constants
from memassay_reference.js_text import to_utf8

NOTE = "> This memory file was cut; read it for the rest."
"""Our own wording: what the client says is not stated, only that it says it (RCL-2)."""


def window(content: bytes | str) -> tuple[str, bool]:
    """Return the first whole lines of a file that fit the window, and whether any was left out.

    At most 200 lines and 4,096 UTF-8 bytes; reading stops at the first line that does not fit, even
    if a later one would (RCL-1). The end of the last line kept is not counted, as in the header
    window (BKF-6); the seeds leave that open.
    """
    limits = constants()
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    max_lines = limits["recall_max_lines"]
    kept = size = 0  # how far into `text`, and how many bytes that is
    for count, line in enumerate(text.removesuffix("\n").split("\n", max_lines)):
        line_end = 1 if count else 0
        size += line_end + len(to_utf8(line))
        if count == max_lines or size > limits["recall_max_bytes"]:
            return text[:kept], True
        kept += line_end + len(line)
    return text, False


def recall_window(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    """Answer the op `recall_window`."""
    text, cut = window(args["content"])
    return {"text": text, "cut": cut, "note": NOTE if cut else None}


OPS = {"recall_window": recall_window}
