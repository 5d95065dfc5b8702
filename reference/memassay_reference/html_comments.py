"""Taking HTML comments out of the index before anything is counted. Chapter index-window (IDX-9).

Only comments that begin a block go. Inline comments, and those in code, lists, quotes or other
HTML, are text like any other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memassay_reference.js_text import trim
from memassay_reference.markdown_blocks import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENING = "<!--"
_CLOSING = "-->"
_LINE_END = re.compile(r"\r\n?")


def strip_comments(text: str) -> str:
    """Return `text` without its block comments.

    A comment goes with the blank lines after it, unless text follows it on its last line. An
    unclosed one stays. A text that has `<!--` anywhere also comes out with every line end as LF,
    because lexing makes them so; any other text comes out as it is.
    """
    if _OPENING not in text:
        return text
    return "".join(
        _without_comments(block.text) if block.kind == "html" else block.text
        for block in blocks(_LINE_END.sub("\n", text))
    )


def _without_comments(block: str) -> str:
    if not trim(block).startswith(_OPENING):
        return block
    rest = "".join(_outside_comments(block))
    return rest if trim(rest) else ""


def _outside_comments(block: str) -> Iterator[str]:
    done = 0
    while (start := block.find(_OPENING, done)) >= 0:
        end = block.find(_CLOSING, start + len(_OPENING))
        if end < 0:
            break
        yield block[done:start]
        done = end + len(_CLOSING)
    yield block[done:]
