"""Random memory directories and ages: index_backfill, staleness, staleness_read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from memassay.fuzz.drawn import NAMES, Drawn, in_tree
from memassay.spec.constants import constants

if TYPE_CHECKING:
    Draw = st.DrawFn

MEMORY = "m"
"""Where the memory directory of a drawn tree is."""

_TOPIC_NAMES = st.one_of(
    st.sampled_from(
        ["a.md", "b c.md", "A.MD", ".md", ".h.md", "x.txt", "é.md", "漢.md", "😀.md", "[a].md",
         "(b).md", "d/e.md", "d/f/g.md", "logs/h.md", "Team/i.md", "sessions/j.md", ".git/k.md",
         "memory.md", "d/MEMORY.md", "a\u200b.md", "a'b.md", "a%20b.md", "n.md.md", "x-y_z.md"]
    ),
    NAMES.map(lambda name: f"{name}.md"),
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


_DAY_MS = 86_400_000
_MINUTE_MS = 60_000
_DAYS = st.one_of(st.integers(-3, 5), st.integers(0, 30_000), st.integers(700_000, 740_000))
_INTO_DAY_MS = st.one_of(
    st.sampled_from([0, 0.5, _MINUTE_MS, _DAY_MS // 2, _DAY_MS - 10 * _MINUTE_MS]),
    st.integers(0, _DAY_MS - 10 * _MINUTE_MS),
)
"""How far into its day an age is: not near to the next one, which a real clock would pass."""

_NOW_MS = 1_796_040_000_000


@st.composite
def ages(draw: Draw) -> Drawn:
    """Draw the time of a file, before or after now."""
    return Drawn({"now_ms": _NOW_MS, "mtime_ms": _NOW_MS - _age_ms(draw)})


def _age_ms(draw: Draw) -> float:
    return draw(_DAYS) * _DAY_MS + draw(_INTO_DAY_MS)


_PLACES = st.sampled_from(
    ["m/a.md", "m/a.md", "m/MEMORY.md", "m/s/b.md", "m/.h/c.md", "m/d.txt", "m/e", "f.md",
     "mm/g.md", "m/logs/h.md", "m/A.MD", "n/m/i.md"]
)  # fmt: skip
_ROUNDABOUT = st.sampled_from(
    ["{}", "{}", "{}", "m/../{}", "n/../{}", "m/./../{}", "m//../{}", "none/../{}"]
)
_LINES = st.sampled_from(["x", "", " ", "漢", "---", "\ufeff", "\r", "a\rb", "\0", "\u2028"])


@st.composite
def readings(draw: Draw) -> Drawn:
    """Draw a Read of a file in the memory directory, near it, or through a link."""
    lines = draw(st.lists(_LINES, max_size=4))
    text = draw(st.sampled_from(["\n", "\n", "\r\n"])).join(lines) + draw(
        st.sampled_from(["", "\n"])
    )
    place = draw(_PLACES)
    seconds = max(60, int(_age_ms(draw)) // 1000) if draw(st.integers(0, 3)) else 3600
    tree: dict[str, Any] = {
        MEMORY: {"dir": True},
        "n": {"dir": True},
        place: {"file": text, "age": f"{min(seconds, 5_000_000_000)}s"},
    }
    asked = place
    kind = draw(st.sampled_from(["", "", "", "link", "folder link", "memory link"]))
    memory = MEMORY
    if kind == "link":
        asked = draw(st.sampled_from(["m/link.md", "n/link.md"]))
        tree[asked] = {"symlink": f"../{place}"}
    elif kind == "folder link":
        asked = f"to/{place}"
        tree["to"] = {"symlink": "."}
    elif kind == "memory link":
        tree["ml"] = {"symlink": MEMORY}
        memory = "ml"
    args: dict[str, Any] = {
        "memory_dir": {"path": memory},
        "file": in_tree(draw(_ROUNDABOUT).format(asked)),
        "now_ms": {"clock_ms": "0"},
    }
    for name in ("offset", "limit"):
        if draw(st.integers(0, 3)) == 0:
            args[name] = draw(st.integers(1, 6))
    if draw(st.integers(0, 9)) == 0:
        args["enabled"] = False
    return Drawn(args, tree)
