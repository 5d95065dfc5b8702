"""Random questions of the ops that take one text, one path or one directory, aimed at the edges.

What is drawn is written as a case has it, with builders, so that a long text stays short to read
and can be made shorter piece by piece.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from attrs import frozen
from hypothesis import strategies as st

from memassay.spec.builders import Context, build
from memassay.spec.constants import constants, table
from memassay.spec.lint_checks import measure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Draw = st.DrawFn

MEMORY = "m"
"""Where the memory directory of a drawn tree is."""


@frozen
class Drawn:
    """The question of a case: its arguments, and its tree if the op needs one."""

    args: Mapping[str, Any]
    tree: Mapping[str, Any] | None = None


_CHARACTERS = (
    "a",
    "é",
    "e\u0301",
    "漢",
    "😀",
    "\u200d",
    "\u200b",
    "\u00a0",
    "\u3000",
    "\ufeff",
    "\0",
)
_BREAKS = ("\n", "\n\n", "\r\n", "\r", "\t", " ", "\u2028", "\u0085")
_MARKUP = (
    "- [t](t.md) — hook", "# h", "```", "~~~", "    code", "> q", "@x.md", "`a`", "***", "---",
    "<!--", "-->", "<!-- c -->", "<!-- a\nb -->", "<b>", "&lt;", "\\", "<?p?>", "> WARNING: x",
    "<system-reminder>", "</system-reminder>",
)  # fmt: skip
_FILLERS = ("a", "x\n", "漢", "😀", "- l\n", "é", "a\r\n")
_FRONTMATTER = ("", "", "", "---\nname: n\n---\n", "---\r\na: 1\r\n---\r\n", "\ufeff", "---\n")

_pieces = st.one_of(
    st.sampled_from(_CHARACTERS),
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
        _fill(draw, parts, size, "units", draw(st.sampled_from(_FILLERS)))
    if edge in {"lines", "both"}:
        size = numbers["index_max_lines"] + draw(st.integers(-2, 2))
        _fill(draw, parts, size, "lines", draw(st.sampled_from(["x\n", "\n", "- l\r\n", " \n"])))
    return Drawn({"text": {"concat": [part for part in parts if part != ""] or [""]}})


def _fill(draw: Draw, parts: list[Any], size: int, unit: str, filler: str) -> None:
    """Put as much of `filler` somewhere among `parts` as it takes to make them of `size`."""
    missing = size - sum(_size(part, unit) for part in parts)
    times, rest = divmod(max(0, missing), max(1, _size(filler, unit)))
    at = draw(st.integers(1, len(parts)))
    parts[at:at] = [{"repeat": filler, "times": times}, "a" * rest if unit == "units" else ""]


def _size(part: Any, unit: str) -> int:
    text = build(part, Context.portable(None))
    return text.count("\n") if unit == "lines" else measure(text, unit)


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
    part = st.one_of(_tags(), st.sampled_from(_CHARACTERS), st.text(character, max_size=4))
    return Drawn({"text": {"concat": draw(st.lists(part, min_size=1, max_size=6))}})


_LETTERS = st.one_of(
    st.sampled_from("aZ0-_. @~+"),
    st.sampled_from(["é", "e\u0301", "漢", "😀", "ß", "\u0130", "\u00a0", "\\", "'", "\n"]),
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"),
)
_NAMES = (
    st.lists(_LETTERS, min_size=1, max_size=12)
    .map("".join)
    .filter(lambda name: name not in {".", ".."} and not name.isspace())
)


@st.composite
def project_keys(draw: Draw) -> Drawn:
    """Draw an absolute path: odd names, or a key that is about as long as it may be.

    There is no backslash in it: the client takes one in its working directory for a slash.
    """
    names = st.lists(_NAMES.filter(lambda name: "\\" not in name), min_size=1, max_size=3)
    parts: list[Any] = [f"/t/{'/'.join(draw(names))}"]
    if draw(st.booleans()):
        length = constants()["project_key_max_units"] + draw(st.integers(-2, 3))
        filler = draw(st.sampled_from(["/ab", "/é", "/😀", "/d-x"]))
        parts.append("/z")
        _fill(draw, parts, length, "units", filler)
    return Drawn({"path": {"concat": [part for part in parts if part != ""]}})


_TOPIC_NAMES = st.one_of(
    st.sampled_from(
        ["a.md", "b c.md", "A.MD", ".md", ".h.md", "x.txt", "é.md", "漢.md", "😀.md", "[a].md",
         "(b).md", "d/e.md", "d/f/g.md", "logs/h.md", "Team/i.md", "sessions/j.md", ".git/k.md",
         "memory.md", "d/MEMORY.md", "a\u200b.md", "a'b.md", "a%20b.md", "n.md.md", "x-y_z.md"]
    ),
    _NAMES.map(lambda name: f"{name}.md"),
)  # fmt: skip
_WORDS = st.sampled_from(
    ["word ", "漢", "😀", "é", "a: b ", "# c ", "'", '"', "\\n", "  ", "<system-reminder>",
     "\u200b", "- ", "[l](m) ", "| ", "{a: b}", "*a ", "&b ", "%d ", "@e ", "`f` ",
     "null", "~", "1"]
)  # fmt: skip


@st.composite
def _topics(draw: Draw) -> Any:
    """Draw the text of a topic file: with a header, without, or with a broken one."""
    words = "".join(draw(st.lists(_WORDS, max_size=8)))
    style = draw(
        st.sampled_from(["plain", "double", "single", "folded", "literal", "none", "open"])
    )
    if style == "none":
        return f"{words}\n"
    text = {
        "double": '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"',
        "single": "'" + words.replace("'", "''") + "'",
        "folded": f">-\n  {words}\n  more",
        "literal": f"|\n  {words}\n  more",
    }.get(style, words)
    ending = draw(st.sampled_from(["\n", "\n", "\n", "\r\n"]))
    lines = ["---", "name: n", f"description: {text}", "---", "body", ""]
    if style == "open":
        del lines[3]
    if draw(st.booleans()):
        long = {"repeat": draw(st.sampled_from(["a", "漢", "😀", "ab "])), "times": 150}
        return {"concat": ["---\ndescription: ", words, long, "\n---\n"]}
    return ending.join(lines)


@st.composite
def index_backfills(draw: Draw) -> Drawn:
    """Draw a directory of topics without an index: odd names and headers, or very many files.

    No two files have the same time: the order of those follows the directory.
    """
    tree: dict[str, Any] = {MEMORY: {"dir": True}}
    names = draw(st.lists(_TOPIC_NAMES, max_size=5, unique_by=str.casefold))
    for number, name in enumerate(names):
        path = f"{MEMORY}/{name}"
        if not any(f"{other}/".startswith(f"{path}/") for other in tree if other != MEMORY):
            tree[path] = {"file": draw(_topics()), "age": f"{number + 1}h"}
    if draw(st.integers(0, 3)) == 0:
        last = constants()["backfill_max_lines"] - 1 + draw(st.integers(-len(names) - 1, 1))
        hook = draw(st.sampled_from(["", "x", "漢" * 40, "y" * 110, "z" * 200]))
        tree[f"{MEMORY}/many"] = {
            "files": {
                "from": 0,
                "to": last,
                "name": "t{n:03}.md",
                "text": f"---\ndescription: {hook}\n---\n" if hook else "x\n",
                "age_step": "1s",
            }
        }
    return Drawn({"memory_dir": {"path": MEMORY}}, tree)


STRATEGIES: Mapping[str, Callable[[], st.SearchStrategy[Drawn]]] = {
    "index_backfill": index_backfills,
    "index_window": index_windows,
    "project_key": project_keys,
    "sanitise": sanitised,
}
"""For each op that can be fuzzed by single questions, what draws one."""
