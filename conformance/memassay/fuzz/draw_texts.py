"""Random texts for the ops that take one: index_window, sanitise."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from memassay.fuzz.drawn import CHARACTERS, Drawn, fill
from memassay.spec.constants import constants, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Draw = st.DrawFn

_BREAKS = ("\n", "\n\n", "\r\n", "\r", "\t", " ", "\u2028", "\u0085")
_MARKUP = (
    "- [t](t.md) — hook", "# h", "```", "~~~", "    code", "> q", "@x.md", "`a`", "***", "---",
    "<!--", "-->", "<!-- c -->", "<!-- a\nb -->", "<b>", "&lt;", "\\", "<?p?>", "> WARNING: x",
    "<system-reminder>", "</system-reminder>",
)  # fmt: skip
_FILLERS = ("a", "x\n", "漢", "😀", "- l\n", "é", "a\r\n")
_FRONTMATTER = ("", "", "", "---\nname: n\n---\n", "---\r\na: 1\r\n---\r\n", "\ufeff", "---\n")

_pieces = st.one_of(
    st.sampled_from(CHARACTERS),
    st.sampled_from(_BREAKS),
    st.sampled_from(_MARKUP),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=3),
)


@st.composite
def index_windows(draw: Draw) -> Drawn:
    """Draw a MEMORY.md: small and odd, or close to a limit of the window."""
    numbers = constants()
    parts: list[Any] = draw(st.lists(_pieces, max_size=8))
    parts.insert(0, draw(st.sampled_from(_FRONTMATTER)))
    edge = draw(st.sampled_from(["", "units", "lines", "both"]))
    if edge in {"units", "both"}:
        size = numbers["index_max_units"] + draw(st.integers(-3, 3))
        fill(draw, parts, size, "units", draw(st.sampled_from(_FILLERS)))
    if edge in {"lines", "both"}:
        size = numbers["index_max_lines"] + draw(st.integers(-2, 2))
        fill(draw, parts, size, "lines", draw(st.sampled_from(["x\n", "\n", "- l\r\n", " \n"])))
    return Drawn({"text": {"concat": [part for part in parts if part != ""] or [""]}})


@cache
def _lookalikes() -> Mapping[str, Sequence[str]]:
    """Return what passes for each letter and sign of a reserved tag, as `sanitise-lookalikes`."""
    known = table("sanitise-lookalikes")
    signs = {"<": "less_than", ">": "greater_than", "-": "dash", ":": "colon"}
    found = {sign: _characters(known[name]) for sign, name in signs.items()}
    return {**found, **{letter: _characters(them) for letter, them in known["letters"].items()}}


def _characters(ranges: str) -> list[str]:
    ends = [[int(end, 16) for end in word.split("-")] for word in ranges.split()]
    return [chr(code) for end in ends for code in range(end[0], end[-1] + 1)]


@st.composite
def _tags(draw: Draw) -> str:
    """Draw a tag that is reserved, or nearly so, some of it in other scripts' letters."""
    known = table("sanitise-reserved")
    name = draw(st.sampled_from([*known["whole"], *known["prefixes"], "b", "system-remind"]))
    opening = draw(st.sampled_from(["<", "</", "< ", "<\u200b/", "<!", "&lt;"]))
    ending = draw(st.sampled_from([">", " >", "/>", "", " a='b'>", "s>", "-x>", "\n>", ":"]))
    tag = list(opening + name + ending)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(tag) - 1))
        instead = _lookalikes().get(tag[at].lower())
        if instead and draw(st.booleans()):
            tag[at] = draw(st.sampled_from(instead))
        else:
            tag.insert(
                at, draw(st.sampled_from(["\u200b", "\u00ad", " ", "\u0301", "-", "\ufe0f"]))
            )
    return "".join(tag)


@st.composite
def sanitised(draw: Draw) -> Drawn:
    """Draw a text with invisible characters and tags, hidden in various ways."""
    character = st.characters(exclude_categories=["Cs"])
    part = st.one_of(_tags(), st.sampled_from(CHARACTERS), st.text(character, max_size=4))
    return Drawn({"text": {"concat": draw(st.lists(part, min_size=1, max_size=6))}})
