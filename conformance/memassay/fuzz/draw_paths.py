"""Random paths and trees about where memory lives: project_key, project_root, memory_dir."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from memassay.fuzz.drawn import NAMES, Drawn, fill, in_tree
from memassay.spec.constants import constants

if TYPE_CHECKING:
    Draw = st.DrawFn


@st.composite
def project_keys(draw: Draw) -> Drawn:
    """Draw an absolute path: odd names, or a key that is about as long as it may be.

    There is no backslash in it: the client takes one in its working directory for a slash.
    """
    names = st.lists(NAMES.filter(lambda name: "\\" not in name), min_size=1, max_size=3)
    parts: list[Any] = [f"/t/{'/'.join(draw(names))}"]
    if draw(st.booleans()):
        length = constants()["project_key_max_units"] + draw(st.integers(-2, 3))
        filler = draw(st.sampled_from(["/ab", "/é", "/😀", "/d-x"]))
        parts.append("/z")
        fill(draw, parts, length, "units", filler)
    return Drawn({"path": {"concat": [part for part in parts if part != ""]}})


_FOLDERS = st.sampled_from(["a", "b", "a/b", "a/c", "a/b/d", "e", "é", "w x"])
_GIT_FILES = st.sampled_from(
    ["gitdir: ../b/.git\n", "gitdir: nowhere", "", "\n", "gitdir:\n", "gitdir: .", "not a pointer",
     "gitdir: ../a/.git/worktrees/w\n", "GITDIR: ../b/.git\n", "gitdir: ../a/.git"]
)  # fmt: skip


@st.composite
def _git_nodes(draw: Draw, tree: dict[str, Any]) -> None:
    """Put something into a tree that makes a repository of a folder, or looks as if it did."""
    folder = draw(_FOLDERS)
    if folder in tree or any(path.startswith(f"{folder}/") for path in tree):
        return
    kind = draw(st.sampled_from(["repository", "worktree", "submodule", "bare", "file", "dir"]))
    of = next((path for path, node in tree.items() if node.get("git") == "repository"), None)
    inside_of = of is not None and folder.startswith(f"{of}/")
    if kind in {"repository", "bare"}:
        tree[folder] = {"git": kind}
    elif kind == "worktree" and of is not None:
        tree[folder] = {"git": "worktree", "of": of, "branch": f"w{len(tree)}"}
    elif kind == "submodule" and inside_of:
        tree["source"] = {"git": "repository"}
        tree[folder] = {"git": "submodule", "of": of, "from": "source"}
    elif kind == "file":
        tree[f"{folder}/.git"] = {"file": draw(_GIT_FILES)}
    else:
        tree[f"{folder}/.git"] = {"dir": True}


@st.composite
def project_roots(draw: Draw) -> Drawn:
    """Draw folders with repositories, worktrees and what looks like them, and one to work in."""
    tree: dict[str, Any] = {}
    for _ in range(draw(st.integers(0, 4))):
        draw(_git_nodes(tree))
    cwd = draw(st.one_of(_FOLDERS, st.sampled_from([".", *sorted(_directories(tree))])))
    if cwd != "." and cwd not in tree:
        tree[f"{cwd}/f"] = {"file": "x"}
    if draw(st.integers(0, 3)) == 0:
        tree["link"] = {"symlink": cwd}
        cwd = "link"
    return Drawn({"cwd": {"path": cwd}}, tree)


def _directories(tree: dict[str, Any]) -> set[str]:
    return {path for path in tree if not path.endswith("/.git") and path != "source"}


_PATHS = st.one_of(
    st.sampled_from(
        ["x", "x/", "x//y", "x/../y", "x/./y", "home/m", "p/m", "é", "e\u0301", "x/..", "x\\y",
         "x y"]
    ).map(in_tree),
    st.sampled_from(
        ["~", "~/", "~/m", "~/m/", "~//m", "~m", "~/../m", "~\\m", "~/.", "~/..", "m", "./m",
         "../m", ".", "..", "", " ", "  ~/m", "~/m ", "/", "//", "C:\\m", "$HOME/m", "~/a\u0000b",
         "~/\u200bm", "~/e\u0301"]
    ),
)  # fmt: skip
_SWITCHES = st.sampled_from(["1", "true", "TRUE", "yes", "on", "0", "false", "no", "", " 1", "2"])
_NO_TEXT = st.sampled_from([None, 1, True, [], {}])


@st.composite
def memory_dirs(draw: Draw) -> Drawn:
    """Draw variables and settings that say where memory is, or that there is none."""
    env: dict[str, Any] = {}
    for name, values in (
        ("CLAUDE_CONFIG_DIR", _PATHS),
        ("CLAUDE_CODE_REMOTE_MEMORY_DIR", _PATHS),
        ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", _SWITCHES),
        ("CLAUDE_CODE_REMOTE", _SWITCHES),
    ):
        if draw(st.integers(0, 3)) == 0:
            env[name] = draw(values)
    settings: dict[str, Any] = {}
    for level in ("user", "project", "local", "flag", "managed"):
        if draw(st.integers(0, 2)) == 0:
            settings[level] = {}
            if draw(st.booleans()):
                settings[level]["autoMemoryDirectory"] = draw(st.one_of(_PATHS, _PATHS, _NO_TEXT))
            if draw(st.integers(0, 3)) == 0:
                values = st.one_of(st.booleans(), st.sampled_from(["false", 0, None]))
                settings[level]["autoMemoryEnabled"] = draw(values)
    tree = {"home": {"dir": True}, "p": {"dir": True}}
    if draw(st.booleans()):
        tree["p/.git"] = {"dir": True}
    args = {"cwd": {"path": "p"}, "home": {"path": "home"}, "env": env, "settings": settings}
    return Drawn(args, tree)
