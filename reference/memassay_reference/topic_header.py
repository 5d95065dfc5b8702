"""The header of a topic as a save sees it: stricter about its marks than those that only read it.

Chapter topic-rewrite (RWT-1c, RWT-2d, RWT-2e, RWT-4b). `frontmatter` has the reading side.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from memassay_reference.frontmatter import frontmatter, rescue
from memassay_reference.js_text import trim
from memassay_reference.yaml_nodes import UnreadableError
from memassay_reference.yaml_values import read_yaml

_BOM = "\ufeff"
_MARK = "---"
_HEADER = re.compile(
    r"(?P<opening>---[ \t]*\r?\n)"
    r"(?P<source>(?:.*?\r?\n)?)"
    r"(?P<closing>---[ \t]*(?:\r?\n|\Z))",
    re.DOTALL,
)


class Header(NamedTuple):
    """A text in four parts: the marks with their line ends, the YAML between, and what follows."""

    opening: str
    source: str
    closing: str
    body: str


class Meaning(NamedTuple):
    """What a header says, and whether its odd values had to be quoted before it could be read."""

    fields: dict[str, Any]
    rescued: bool


def split(text: str) -> Header | None:
    """Return the parts of a text that opens with a header which a save may touch, else None.

    Both marks must be alone on their lines, but for blanks. Readers end a header at the next `---`
    wherever it stands (BKF-6c); a header in which one stands elsewhere is left alone (RWT-4b),
    unless readers find nothing in it (RWT-1c).
    """
    match = _HEADER.match(text)
    if match is None:
        return _blank_header(text)
    if _MARK in match["source"]:
        return None
    return Header(match["opening"], match["source"], match["closing"], text[match.end() :])


def _blank_header(text: str) -> Header | None:
    """Return the header that readers find, if it is blank: nothing of it can be lost."""
    source = None if text.startswith(_BOM) else frontmatter(text)
    if source is None or trim(source):
        return None
    end = text.index(_MARK, len(_MARK))
    return Header(text[: end - len(source)], source, _MARK, text[end + len(_MARK) :])


def read(source: str) -> Meaning | None:
    """Return what a header says, or None if it is broken beyond rescue or no mapping (RWT-2e).

    A blank header says nothing, and may be written anew; one that says `{}` or only has a comment
    may not.
    """
    if not trim(source):
        return Meaning({}, rescued=False)
    for rescued in (False, True):
        try:
            value = read_yaml(rescue(source) if rescued else source)
        except UnreadableError:
            continue
        return Meaning(value, rescued) if isinstance(value, dict) and value else None
    return None
