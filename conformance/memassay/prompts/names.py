"""Where a text names tools, parameters and fields: what the second kind of PRM-1 may replace."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import StrEnum
from typing import TYPE_CHECKING

from memassay.prompts.lines import code_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.prompts.lines import Line


class NameOf(StrEnum):
    """What a name is the name of."""

    TOOL = "tool"
    PARAMETER = "parameter"
    FIELD = "field"


NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*(?:\[\])?")
"""What can be a name: one word as programs have them, `edits[]` included."""

_TELLING = re.compile(r"_|[a-z][A-Z]|\[\]")


def places(term: str, text: str) -> Iterator[int]:
    """Yield where `term` stands in `text` as a whole word."""
    before = r"(?<![A-Za-z0-9_])" if re.match(r"\w", term) else ""
    after = r"(?![A-Za-z0-9_])" if re.search(r"\w\Z", term) else ""
    for found in re.finditer(f"{before}{re.escape(term)}{after}", text):
        yield found.start()


def name_places(kind: NameOf, name: str, line: Line, port: str | None = None) -> Iterator[int]:
    """Yield where `name` stands in a line as the name of a tool, parameter or field.

    The name of a tool may stand anywhere. Names of parameters and fields are often ordinary words
    (`type`, `content`): such a one is a name only in code; `file_path` is one everywhere. With
    `port`, yield instead where that stands for `name`: the same kinds of places.
    """
    word = name if port is None else port
    if kind is NameOf.TOOL or _TELLING.search(name):
        yield from places(word, line.text)
        return
    spans = code_spans(line)
    starts = [start for start, _ in spans]
    for place in places(word, line.text):
        index = bisect_right(starts, place) - 1
        if index >= 0 and place + len(word) <= spans[index][1]:
            yield place
