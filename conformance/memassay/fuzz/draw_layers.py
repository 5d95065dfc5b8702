"""Random folders with CLAUDE.md files and rules: layers.

What is known to differ is not drawn: in excludes two stars right before a double quote, and an
unclosed `(x?[` before a choice; names with a backslash below a rules folder, which the client takes
for a slash. A file must not hold the words at which the witness splits what it is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from memassay.fuzz.drawn import Drawn, in_tree

if TYPE_CHECKING:
    Draw = st.DrawFn

_FOLDERS = ("p", "p", "p/s", "p/s/t")
_ANY_FOLDER = st.sampled_from([*_FOLDERS, "."])

# Mentions. What is written after `@`, and around it.

_TARGETS = st.one_of(
    st.sampled_from(["a.md", "./a.md", "s/b.md", "n", "none.md"]),
    st.sampled_from(
        ["../a.md", "../../a.md", "./s/../a.md", "s/./b.md", "s//b.md", "a.md/", "a.md#x", "#x",
         "~/h.md", "~/../o.md", "~h.md", "~", "../o.md", "c\\ d.md", "c d.md", "./日.md", "日.md",
         "e.png", "A.MD", ".env", "CLAUDE.md", "../CLAUDE.md", "s/CLAUDE.md", "CLAUDE.local.md",
         ".claude/rules/r.md", ".claude/CLAUDE.md", "l.md", "lo.md", "ld/b.md", ".", "..", "/",
         "a.md,", "a\\b.md", "./(q).md", "_u_.md", "*w*.md", "./*w*.md", "-d.md", "1.md", "2.md",
         "./a.md\u200b", "a.md\\", "\\ a.md", "a&amp;.md", "a`.md", "./[k].md", "a.md@b.md"]
    ),
)  # fmt: skip
_AROUND = st.one_of(
    st.sampled_from(["@T", "@T", "x @T y", "@T\n", "- @T"]),
    st.sampled_from(
        ["1. @T", "> @T", "# @T", "`@T`", "` @T `", "`` @T ` ``", "```\n@T\n```", "~~~ x\n@T\n~~~",
         "```\n@T", "    @T", "\t@T", "<!-- @T -->", "<!-- c --> @T", "<!-- c\n\n@T -->", "<!-- @T",
         "a <!-- @T --> b", "<b c @T d>", "<b>@T</b>", "<div>\n@T\n</div>", "<div>\n\n@T\n\n</div>",
         "<pre> @T </pre>", "<br> @T", "<a@T>", "[@T](u)", "[l @T](u)", "[l](@T)", "[l]( @T )",
         "![ @T](u)", "<@T>", "< @T >", "**@T**", "** @T **", "*@T*", "_@T_", "__a @T__", "x_@T_",
         "***@T***", "*a **@T***", "**a *@T***", "~~@T~~", "~~ @T ~~", "\\@T", "\\ @T", "x@T",
         "(@T)", '"@T"', "'@T'", "[r]: @T", "[r]: u '\n@T'", "| @T |", "| a |\n|--|\n| @T |",
         "- x\n  @T", "- x\n\n      @T", "- x\n\n  @T", "- ` @T `", "- [ ] @T", "- [x] ` @T `",
         "- - @T", "- 1. ` @T `", "> - ` @T `", "- > ` @T `", "> ```\n> @T\n> ```", "- # @T",
         "- ```\n  @T\n  ```", "-     @T", "@T\n===", "a\n@T\n---", "&amp; @T", "a @T\\\nb",
         "[a] @T", "[a][b @T] c", "\\` @T \\`", "`a\n@T\n`", "***\n@T", "@T  \nb", "x\r@T",
         "x\r\n@T",
         "\u00a0@T", "\u2028@T", "\u200b@T", "\ufeff@T", "#@T", "@@T", "x\x0b@T", "x\x0c@T",
         "<script>\n@T\n</script>", "<?x @T ?>", "<![CDATA[ @T ]]>", "<!X @T>", "</b @T>", "a < @T",
         "<b\n@T\n>", "* @T", "+ @T", "2) @T", "    x\n@T", "[ @T ]: u", "[a @T](u", "*a @T",
         "`a @T",
         "[a\n@T](u)", "[*@T*](u)", "**[@T](u)**", "http://x/ @T", "a@b.c @T", "$ @T $", "[^1]: @T"]
    ),
)  # fmt: skip
_BETWEEN = st.sampled_from([" ", "\n", "\n", "\n\n", "\n\n", "\r\n", "\n  ", "\n> ", "\t"])
_WORDS = st.sampled_from(
    ["word", "word", "漢", "😀", "<system-reminder>", "</tick>", "\u200b", "\0", "\u2028", "\ufeff",
     "<!-- c -->", "<!-- c", "\n<!-- c -->\n", "---", "- ", "`", "*", "e\u0301", "\u202e", "", " "]
)  # fmt: skip

# Patterns.

_PIECES = st.one_of(
    st.sampled_from(["*", "**", "/", "/", "x", "s", "t", ".ts", "x.ts", "?"]),
    st.sampled_from(
        ["**/", "/**", "*/", "a", "z", "b", ".", ".*", "[a-z]", "[!a]", "[^a]", "[z-a]", "[^]",
        "[!]",
         "[]", "[]]", "[a", "[", "]", "[[:alpha:]]", "[:alpha:]", "[--a]", "[a-]", "[-a]", "[\\]]",
         "[a/b]", "[^/]", "[.]", "{a,x}", "{a,x", "{a}", "{}", "{,x}", "{a,{x,s}}", "{1..3}", "}",
         ",", "!", "\\", "\\*", "\\!", "#", " ", "(", ")", "(a|x)", "@(x)", "!(a)", "+(x)", "*(a)",
         "?(x)", "|", "+", "$", "^", "&", "~", "'", '"', "é", "日", "X", "x?", "//", "./", "../"]
    ),
)  # fmt: skip
_GLOBS = st.lists(_PIECES, min_size=1, max_size=4).map("".join)


@st.composite
def _excludes(draw: Draw) -> Any:
    """Draw one pattern of `claudeMdExcludes`: absolute, of any folder, or relative."""
    glob = draw(
        st.one_of(
            _GLOBS,
            _GLOBS,
            st.sampled_from(
                ["CLAUDE.md", "*.md", "**/*.md", "CLAUDE*", ".claude/**", "*/CLAUDE.md", "a.md",
                 "rules/*", "CLAUDE.{md,local.md}", "[A-C]LAUDE.md", "?.md", "[[:alpha:]].md"]
            ),
        )
    )  # fmt: skip
    form = draw(st.sampled_from(["{}", "**/{}", "**/{}", "**/{}", "!**/{}", "in", "in", "~/{}"]))
    if form == "in":
        return {"concat": [{"path": draw(_ANY_FOLDER)}, f"/{glob}"]}
    return form.format(glob) if "{}" in form else glob


@st.composite
def _paths(draw: Draw) -> str:
    """Draw a rule's `paths`, as YAML."""
    globs = draw(st.lists(st.one_of(_GLOBS, _GLOBS, st.just("!x.ts")), min_size=1, max_size=3))
    quoted = [f"'{glob.replace(chr(39), chr(39) * 2)}'" for glob in globs]
    style = draw(st.sampled_from(["one", "text", "list", "list", "lines", "bare", "odd"]))
    if style == "odd":
        return draw(
            st.sampled_from(
                ["", " []", " 5", " [5]", " {a: x}", " ''", " '**'", " x.ts # c", " [x.ts,",
                " |\n  x.ts",
                 " >-\n  x.ts,\n  y", " !!str x.ts", " &a x.ts", " x.ts\npaths: y", " [[x.ts]]",
                 ' "\\x78.ts"']
            )
        )  # fmt: skip
    return {
        "one": f" {quoted[0]}",
        "text": f" '{','.join(globs).replace(chr(39), chr(39) * 2)}'",
        "list": f" [{', '.join(quoted)}]",
        "lines": "".join(f"\n  - {glob}" for glob in quoted),
        "bare": f" {globs[0]}",
    }[style]


# Texts.


@st.composite
def _texts(draw: Draw, name: str) -> str:
    """Draw the text of an instruction file: words and mentions."""
    parts: list[str] = [name]
    for _ in range(draw(st.sampled_from([0, 1, 1, 2, 3]))):
        parts.append(draw(_BETWEEN))
        mention = draw(_AROUND).replace("T", draw(_TARGETS))
        parts.append(draw(_WORDS) if draw(st.integers(0, 4)) == 0 else mention)
    return "".join(parts[draw(st.sampled_from([0, 0, 2])) :]) or name


_HEADS = st.sampled_from(
    ["---\npaths: x.ts\n---\n", "---\n@a.md\n---\n", "---\na: [\n---\n\n", "\n---\na: b\n---\n",
     "\ufeff---\na: b\n---\n", "---\r\na: b\r\n---\r\n", "--- \na: b\n---\n", "---\na: b\n----\n",
     "---\na: b --- @a.md\n", "---\n---\n", "---\na: b\n ---\n", "<!-- x -->\n", "\ufeff", "\n\n"]
)  # fmt: skip


@st.composite
def _headed(draw: Draw, name: str, *, rule: bool) -> str:
    """Draw an instruction file with or without a header, and what its header says."""
    text = draw(_texts(name))
    if rule and draw(st.integers(0, 2)):
        return f"---\npaths:{draw(_paths())}\n---\n{text}"
    return f"{draw(_HEADS)}{text}" if draw(st.integers(0, 9)) == 0 else text


# Trees.

_RULE_NAMES = st.sampled_from(
    ["r.md", "r.md", "q.md", "d/r.md", ".h.md", "x.MD", "x.txt", "a b.md", "[a].md", "é.md",
    "{x}.md", ".md"]
)  # fmt: skip
_TEXT_TARGETS = (
    "p/a.md", "p/a.md", "p/s/a.md", "p/s/b.md", "p/s/b.md", "p/n", "p/s/n", "o.md", "a.md",
    "home/h.md",
    "p/c d.md", "p/日.md", "p/e.png", "p/.env", "p/a\\b.md", "p/(q).md", "p/_u_.md", "p/*w*.md",
    "p/-d.md",
    "p/.claude/a.md", "home/.claude/a.md", "m/a.md", "cfg/a.md", "p/s/t/a.md", "p/[k].md",
    "p/a.md,",
)  # fmt: skip
_READ = (
    "p/x.ts", "p/x.ts", "p/s/x.ts", "p/s/x.ts", "p/s/t/x.ts", "p/z", "p/s/t/b", "o/x.ts",
    "p/s/[a].ts", "p/s/é", "p/s/X.TS", "p/a{x.ts", "p/s/#", "p/s/a,x", "p/.x.ts", "p/s/t/!a",
)  # fmt: skip


def _put(tree: dict[str, Any], path: str, node: Any) -> bool:
    """Add an entry where nothing is in its way; return whether it has been added."""
    path = path.removeprefix("./")
    above = path.split("/")[:-1]
    parents = ["/".join(above[:depth]) for depth in range(1, len(above) + 1)]
    ways = [tree[parent] for parent in parents if parent in tree]
    if any(not isinstance(way, dict) or not way.keys() & {"dir", "git"} for way in ways):
        return False
    if path in tree or any(other.startswith(f"{path}/") for other in tree):
        return False
    tree[path] = node
    return True


@st.composite
def _instructions(draw: Draw, tree: dict[str, Any]) -> None:
    """Add an instruction file somewhere."""
    place = draw(st.sampled_from(["folder", "folder", "rule", "rule", "user", "managed", "config"]))
    name = draw(_RULE_NAMES)
    path = {
        "folder": f"{draw(_ANY_FOLDER)}/"
        + draw(st.sampled_from(["CLAUDE.md", "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"])),
        "rule": f"{draw(_ANY_FOLDER)}/.claude/rules/{name}",
        "user": draw(st.sampled_from(["home/.claude/CLAUDE.md", f"home/.claude/rules/{name}",
        "home/CLAUDE.md"])),
        "managed": draw(st.sampled_from(["m/CLAUDE.md", f"m/.claude/rules/{name}",
        "m/rules/r.md"])),
        "config": draw(st.sampled_from(["cfg/CLAUDE.md", f"cfg/rules/{name}", "p/cfg/CLAUDE.md"])),
    }[place]  # fmt: skip
    text = draw(_headed(f"F{len(tree)}", rule="/rules/" in path))
    _put(tree, path, text)


@st.composite
def _links(draw: Draw, tree: dict[str, Any]) -> None:
    """Add a symbolic link: to a file, a folder, out of the project, to itself, to nothing."""
    path = draw(
        st.sampled_from(
            ["p/l.md", "p/ld", "p/CLAUDE.md", "p/CLAUDE.local.md", "p/.claude/rules/l.md",
            "p/.claude/rules/ld",
             "p/.claude", "p/.claude/rules", "home/.claude", "home/.claude/rules/l.md",
             "p/s/CLAUDE.md",
             "p/s/.claude/rules/l.md", "p/.claude/CLAUDE.md", "home/.claude/CLAUDE.md", "p/lo.md",
             "p/s/l.ts"]
        )
    )  # fmt: skip
    target = draw(
        st.sampled_from([*sorted(tree), "p/a.md", "o.md", "p/s", "home/.claude", "nowhere"])
    )
    if path.endswith(".claude"):  # settings are written there
        target = "home" if path.startswith("p") else "p"
    _put(tree, path, {"symlink": {"path": target}})


@st.composite
def _repositories(draw: Draw, tree: dict[str, Any]) -> str:
    """Make folders repositories or worktrees; return where a session would start."""
    kind = draw(st.sampled_from(["", "", "", "", "p", "inner", "worktree", "beside", "bare"]))
    if kind in {"p", "inner", "worktree", "beside"}:
        tree["p"] = {"git": "repository"}
    if kind == "inner":
        tree["p/s"] = {"git": "repository"}
    elif kind == "worktree":
        tree["p/s"] = {"git": "worktree", "of": "p", "branch": "w"}
    elif kind == "beside":
        tree["p2"] = {"git": "worktree", "of": "p", "branch": "w"}
        tree["p2/CLAUDE.md"] = "beside @a.md"
        return draw(st.sampled_from(["p2", "p"]))
    elif kind == "bare":
        tree["p/.git"] = {"git": "bare"}
        tree["p/s"] = {"git": "worktree", "of": "p/.git", "branch": "w"}
    return draw(st.sampled_from([*_FOLDERS, "p/s", "home"]))


@st.composite
def _settings(draw: Draw) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for level in ("user", "project", "local", "flag", "managed"):
        if draw(st.integers(0, 9)) == 0:
            some = st.lists(_excludes(), min_size=1, max_size=3)
            settings[level] = {"claudeMdExcludes": draw(some)}
            if draw(st.integers(0, 9)) == 0:
                odd = st.sampled_from(["**", ["**", 5], [], None, {}, [""], [["**"]]])
                settings[level]["claudeMdExcludes"] = draw(odd)
    return settings


_CONFIG_DIRS = st.sampled_from(
    [in_tree("cfg"), in_tree("cfg"), in_tree("p/../cfg"), in_tree("cfg/"), in_tree("none"), "cfg",
    "./cfg",
     "../cfg", "~/cfg", "", " "]
)  # fmt: skip
_SWITCHES = st.sampled_from(["1", "true", "TRUE", "yes", "on", "0", "false", "no", "", " 1", "2"])


@st.composite
def _trees(draw: Draw) -> tuple[str, dict[str, Any]]:
    """Draw where a session starts, and the folders and files around it."""
    tree: dict[str, Any] = {"home": {"dir": True}}
    cwd = draw(_repositories(tree))
    if cwd not in tree:
        tree[cwd] = {"dir": True}
    for _ in range(draw(st.integers(1, 4))):
        draw(_instructions(tree))
    for path in draw(st.lists(st.sampled_from(_TEXT_TARGETS), max_size=4, unique=True)):
        _put(tree, path, draw(_texts(f"F{len(tree)}")))
    if draw(st.integers(0, 9)) == 0:
        for number in range(1, draw(st.integers(3, 6)) + 1):
            _put(tree, f"p/{number}.md", f"{number} @{number + 1}.md @{max(1, number - 1)}.md")
    if draw(st.integers(0, 3)) == 0:
        draw(_links(tree))
    return cwd, tree


_WAYS = st.sampled_from(["{}", "{}", "{}", "{}", "o/../{}", "p/../{}", "p/.//../{}"])


@st.composite
def layers(draw: Draw) -> Drawn:
    """Draw a few instruction files, what they include, and files that the agent reads."""
    cwd, tree = draw(_trees())
    args: dict[str, Any] = {"cwd": {"path": cwd}, "home": {"path": "home"}}
    read = draw(st.lists(st.sampled_from(_READ), max_size=3))
    read = [path for path in read if path in tree or _put(tree, path, "1")]
    if read:
        args["read_files"] = [in_tree(draw(_WAYS).format(path)) for path in read]
    if any(path.startswith("m/") for path in tree):
        args["managed_dir"] = {"path": "m"}
    if draw(st.integers(0, 9)) == 0 and _put(tree, "start", {"symlink": {"path": cwd}}):
        args["cwd"] = {"path": "start"}
    if settings := draw(_settings()):
        args["settings"] = settings
    if env := draw(_environments(configured=any(path.startswith("cfg/") for path in tree))):
        args["env"] = env
    return Drawn(args, tree)


@st.composite
def _environments(draw: Draw, *, configured: bool) -> dict[str, Any]:
    env: dict[str, Any] = {}
    if configured or draw(st.integers(0, 9)) == 0:
        env["CLAUDE_CONFIG_DIR"] = draw(_CONFIG_DIRS)
    if draw(st.integers(0, 19)) == 0:
        env["CLAUDE_CODE_DISABLE_CLAUDE_MDS"] = draw(_SWITCHES)
    return env
