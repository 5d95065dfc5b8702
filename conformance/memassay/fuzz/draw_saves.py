"""Random files as a model saves them: topic_rewrite, index_lint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from memassay.fuzz.drawn import CHARACTERS, Drawn, fill
from memassay.spec.constants import constants

if TYPE_CHECKING:
    from collections.abc import Sequence

    Draw = st.DrawFn

_SESSION_ID = "s-1"
_NOW_MS = 1_796_040_000_000

_USUAL_KEYS = (
    "name", "description", "type", "metadata", "originSessionId", "modified", "k", "tags",
)  # fmt: skip
_ODD_KEYS = (
    "node_type", "K_1", "k.x", "a b", "é", "漢", "10", "2", "01", "1.5", "true", "null", "~",
    "'q'", '"name"', '"a: b"', "-k", "k-", "yes", "#k", "@k", "&k", "*k", "!k", "[k]", "{k: 1}",
    "? k", "name ", "Name", "a:b", "a#b", "😀", ".inf", "0x10", "''",
)  # fmt: skip
_WORDS = (
    "word", "a note", "漢字", "😀", "é", "it's", 'say "hi"', "a: b", "a:", ":a", "a #b", "a# b",
    "# c", "#", "#12", "see #12", "&x", "&x more", "*x", "*", "!t", "!t more", "!", "! a",
    "!!str 1", "!!int a", "@e", "`f`", "%d", "|x", ">x", "- a", "-a", "-", "--", "? a", "?a",
    "a?", ",", ", a", "[", "]", "{", "}", "a [b]", "a {b}", "[a", "{a", "<b>", "http://a/b",
    "12:30", "R&D", "a - b", "a | b", "\\n", "a\\", "~", "null", "Null", "true", "False", "yes",
    "NO", "on", "y", "12", "-0", "+1", "007", "1_000", "0x1F", "-0x1f", "0o17", "1e3", "1.", ".5",
    "1.5.2", "1-2", ".inf", "-.INF", ".nan", "2026-01-01", "2026-01-01T00:00:00.000Z", "1e400",
    "12345678901234567890", "user", "project", "memory", "s-0", "a" * 90, "<<", "=", "a\u00a0b",
    "a\u2028b", "a\x85b", "a\ufeffb", "a\u200bb", "a\x07b", "a\x7fb", "a\tb", "a, b", "a  b", "'",
    '"', "''", '""', "'a", '"a', "a'", 'a"', "a --- b", "...", "... a", "$x", "a\\ b",
)  # fmt: skip
_QUOTED = (
    '"a"', "'a'", '""', "''", '"a: b"', "'a # b'", "'it''s'", '"say \\"hi\\""', '"\\x41\\u00e9"',
    '"\\U0001F600"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ud83d x"', '"\\ude00\\ud83d"',
    '"\\xzz"', '"\\q"', '"\\0"', '"\\e"', '"\\t"', '"\\/"', '"\\N\\_\\L\\P"', '"\\UFFFFFFFF"',
    '"a\\\n  b"', '"a\n  b"', "'a\n\n  b'", '"a\nb"', '"a" b', "'a' b", '"a"b', '"a" #c', '"a"#c',
    "'a' # c", '"12"', "'true'", '"2026-01-01"', '"a', "'a", '"\\"', "'\\'", '" a "', '"a\\nb"',
    '"a\tb"', '"#"', "'- a'", "\"it's\"", "'say \"hi\"'",
)  # fmt: skip
_FLOWS = (
    "[]", "{}", "[a, b]", "[a,b]", "[a, [b, c]]", "[ ]", "[,]", "[a,]", "[a,,b]", "{a: 1}",
    "{a: 1, b: [c]}", "{a:1}", "{a}", "{a, b: 1}", "{ }", "{10: a, 2: b}", "[a: b]", "[a b]",
    "[#a]", "[a #b]", "[a, b] # c", "{a: 1} # c", "[a]b", "[a] b", "[a]#c", "['a', \"b\"]",
    "[a\n  , b]", "[a,\n b]", "[a,\nb]", "{a: 1,\n  b: 2}", "[&x a, *x]", "[1, null, true, ~]",
    "[[], {}]", '{"a":1}', "{originSessionId: s-0}", "{modified: x}", "{type: user}", "{? a : b}",
    "{: a}", "[? a]", "[@a]", "[a, `b`]", "[-]", "[- a]", "{a: b: c}", "[']", "[a", "{a: b",
)  # fmt: skip
_REMARKS = (" # c", "  # c", "\t# c", "# c", " #", " ", "\t", " # a # b ", " #: a", " #a", ",")
_PROPERTIES = (
    "&a ", "&a\n  ", "!t ", "!!str ", "!!int ", "!!null ", "! ", "&a !!str ", "!!map ", "!!seq ",
    "!<tag:x> ", "&é ", "&a\t",
)  # fmt: skip
_BLOCK_SIGNS = ("|", ">", "|-", ">-", "|+", ">+")
_ODD_BLOCK_SIGNS = (
    "|2", ">1-", "| # c", ">\t", "|- ", "|x", "|9", "|0", "|-2", "|#c",
)  # fmt: skip
_SEPARATORS = (":", ":  ", ":\t", " : ", "\t: ", ": \t")
_BLANKS = (" ", "    ", "\t", "", "   ")
_JOINTS = (" ", "\n  ", "\n\n  ", "\n", "\t", "\n\t", "\n # c\n  ")
_MARKS = (
    "--- ", "---\t", "----", "--", " ---", "--- #", "---a", "--- \u00a0", "...", "\ufeff---",
    "\n---",
)  # fmt: skip
_ODD_LINES = ("# c", "", " ", "text", "- a", "{a: 1}", "%YAML 1.2", "a: b: c", "  k: 1")
_BODIES = (
    "Body\n", "Body\n", "Body\n", "", "\n", "\n\n\nBody", "  Body\n", "\tBody", "\u00a0Body\n",
    "\x85B", "\ufeffB\n", "\u200bB\n", "B\r\nC\n", "B\r\nC\r\n", "\r\nB\r\n", "---\nx: 1\n---\n",
    "a --- b\n", "\0B\n", "B\rC", "漢😀\n", " \n", "\rB", "\u2028B\n", "---\n", "B  \n\n",
)  # fmt: skip
_FILES = ("s/b.md", "MEMORY.md", ".hidden.md", "s/../b.md", "a.txt", "../out.md", "a.MD")


def _usually(draw: Draw, usual: Any, odd: Sequence[Any], times: int = 12) -> Any:
    """Draw one of `odd` once in `times`, else take `usual`.

    A header with everything odd is broken, and all broken headers are left alone alike.
    """
    return draw(st.sampled_from(odd)) if draw(st.sampled_from(range(times))) == times - 1 else usual


@st.composite
def _entries(draw: Draw, depth: int) -> str:
    """Draw an entry of a mapping, as lines without the last line end, at the margin."""
    key = _usually(draw, draw(st.sampled_from(_USUAL_KEYS)), _ODD_KEYS, 5)
    usual = "mapping" if key == "metadata" and depth == 0 else draw(st.sampled_from(_KINDS))
    kind = _usually(draw, usual, _DEEP_KINDS[depth > 0], 3)
    separator = _usually(draw, ": ", _SEPARATORS)
    remark = _usually(draw, "", _REMARKS, 8)
    properties = _usually(draw, "", _PROPERTIES)
    if kind in _ON_ONE_LINE:
        value = draw(st.sampled_from(_ON_ONE_LINE[kind]))
        if kind == "words":
            value += draw(_usually(draw, st.just(""), [_continued], 6))
        return f"{key}{separator}{properties}{value}{remark}"
    head = f"{key}{separator.rstrip()}"
    if kind == "nothing":
        return head + remark
    blank = _usually(draw, "  ", _BLANKS, 5)
    if kind == "text":
        lines = draw(st.lists(st.sampled_from([*_WORDS, "", "  a", "\t", " "]), max_size=4))
        sign = _usually(draw, draw(st.sampled_from(_BLOCK_SIGNS)), _ODD_BLOCK_SIGNS, 4)
        return "\n".join([f"{head} {properties}{sign}", *(f"{blank}{line}" for line in lines)])
    head = f"{head} {properties}".rstrip() + remark
    if kind == "list":
        some = st.one_of(st.sampled_from(_WORDS), st.sampled_from(_QUOTED), st.sampled_from(_FLOWS),
                         _entries(depth + 1))  # fmt: skip
        dash = _usually(draw, "- ", ("-  ", "-\t", "-", "- - "), 6)
        inner = [dash + _deeper(item, "  ") for item in draw(st.lists(some, max_size=3))]
    else:
        inner = draw(st.lists(_entries(depth + 1), min_size=1, max_size=3))
        inner += _usually(draw, [], [["# c"], [""], ["- a"], ["# c", "k: 1"]])
    return "\n".join([head, *(blank + _deeper(one, blank) for one in inner)])


_KINDS = ("words", "words", "words", "quoted", "flow")
_DEEP_KINDS = (("nothing", "text", "list", "mapping", "mapping"), ("nothing", "text", "list"))
"""Which kinds of longer values stand at the top of a header, and which below it."""
_ON_ONE_LINE = {"words": _WORDS, "quoted": _QUOTED, "flow": _FLOWS}
_continued = st.tuples(st.sampled_from(_JOINTS), st.sampled_from(_WORDS)).map("".join)


def _deeper(lines: str, blank: str) -> str:
    return lines.replace("\n", f"\n{blank}")


@st.composite
def topic_rewrites(draw: Draw) -> Drawn:
    """Draw a topic file with a header: usual, odd, broken, not quite one, or none.

    Never drawn, as the client's parser is known to be odd there and nobody writes it: `[:]` and
    `[: a]` (an item that is a mapping of null), `: a:` (broken), `| -` (null), `!!` and `!a,b` as
    tags, the keys `<<` and `__proto__`, and a line of nothing but a tab between entries (broken
    behind quotes, but not those of the first key).
    """
    pieces: list[str] = draw(st.lists(_entries(0), max_size=4))
    for odd in _usually(draw, [], [[line] for line in _ODD_LINES], 8):
        pieces.insert(draw(st.integers(0, len(pieces))), odd)
    opening, closing = (_usually(draw, "---", _MARKS, 20) for _ in range(2))
    body = _usually(draw, "Body\n", _BODIES, 4)
    parts = [*(f"{piece}\n" for piece in (opening, *pieces, closing)), body]
    ending = _usually(draw, "\n", ["\r\n", "\r\n", "\r"], 10)
    if ending != "\n":
        parts = [part.replace("\r\n", "\n").replace("\n", ending) for part in parts]
    for odd in _usually(draw, [], [[one] for one in (*CHARACTERS, "\r\n", "\r", "\t", "\n")], 20):
        parts.insert(draw(st.integers(0, len(parts))), odd)
    return Drawn(
        {
            "file": _usually(draw, "a.md", _FILES, 10),
            "text": {"concat": parts},
            "session_id": _SESSION_ID,
            "now_ms": _NOW_MS,
            **_how(draw),
        }
    )


def _how(draw: Draw) -> dict[str, Any]:
    """Draw by what a file is saved, and whether memory is on."""
    tool = _usually(draw, "write", ["edit"] * 7 + ["shell"], 4)
    how: dict[str, Any] = {} if tool == "write" else {"tool": tool}
    return how | _usually(draw, {}, [{"enabled": False}], 40)


_PIECES = st.one_of(
    st.sampled_from(CHARACTERS).filter(lambda text: text != "\0"),
    st.sampled_from(
        ["\n", "\n\n", "\r\n", "\r", "\t", " ", "\u2028", "- [t](t.md) — hook\n", "# h\n", "```\n",
         "~~~\n", "    code\n", "> q\n", "`a`", "---\n", "<!--", "-->", "<!-- c -->\n",
         "<!-- a\nb -->\n", "x <!-- c -->\n", "<b>", "@x.md\n"]
    ),
)  # fmt: skip
_HEADERS = (
    "---\nname: n\n---\n", "---\r\na: 1\r\n---\r\n", "\ufeff", "---\n",
    "---\noriginSessionId: s-0\n---\n", "---\na: b --- c\n---\n",
)  # fmt: skip
_FILLERS = {
    "units": ("a", "x\n", "漢", "😀", "- l\n", "é", "a\r\n", "e\u0301", "word "),
    "lines": ("x\n", "\n", "- l\r\n", " \n", "漢\n", "x\n\n", "- [t](t.md)\n"),
    "bytes": ("a", "漢", "😀", "x\n", " ", "é"),
}
_LIMITS = {
    "units": ("index_lint_target_units", "index_lint_near_units", "index_max_units"),
    "lines": ("index_lint_target_lines", "index_lint_near_lines", "index_max_lines"),
    "bytes": ("index_lint_read_bytes",),
}
_UNITS = ([], ["units"], ["units"], ["lines"], ["lines"], ["lines", "units"], ["bytes"])
_INDEX_FILES = ("s/../MEMORY.md", "./MEMORY.md", "s/MEMORY.md", "memory.md", "a.md")


@st.composite
def index_lints(draw: Draw) -> Drawn:
    """Draw a MEMORY.md as it is saved: close to one of the sizes at which something is said."""
    numbers = constants()
    parts: list[Any] = draw(st.lists(_PIECES, max_size=8))
    parts.insert(0, _usually(draw, "", _HEADERS, 3))
    for unit in draw(st.sampled_from(_UNITS)):
        limit = numbers[draw(st.sampled_from(_LIMITS[unit]))]
        filler = draw(st.sampled_from(_FILLERS[unit]))
        fill(draw, parts, limit + draw(st.integers(-4, 2)), unit, filler)
    parts.append(draw(st.sampled_from(["", "", "\n", "\n\n\n", " \n", "\r\n", "x"])))
    args: dict[str, Any] = {"text": {"concat": [part for part in parts if part != ""] or [""]}}
    file = _usually(draw, "MEMORY.md", _INDEX_FILES, 10)
    if file != "MEMORY.md":
        args["file"] = file
    return Drawn({**args, **_how(draw)})
