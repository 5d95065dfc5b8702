"""Which CLAUDE.md files a session starts with, and which ones come later. Chapter layers.

A session starts with all instruction files that apply to its working directory, the most general
first, and the memory index last (LYR-1). When the agent reads a file, the instructions of the
directories on the way to it are attached, and the rules that depend on such a file (LYR-2).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memassay.spec import constants
from memassay_reference import layers_picc, layout
from memassay_reference.globs import matches_exclude, matches_paths
from memassay_reference.html_comments import strip_comments
from memassay_reference.include import has_text_type, include_paths
from memassay_reference.index_window import read_index, strip_frontmatter
from memassay_reference.js_path import dirname, is_inside, join, resolve
from memassay_reference.js_text import trim
from memassay_reference.layers_picc import read_text
from memassay_reference.memory_dir import PICC_MEMORY, is_on, locate
from memassay_reference.project_root import git_root, project_root
from memassay_reference.rule_paths import patterns_of
from memassay_reference.settings import merge_environment, valid_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_CLAUDE_MD = "CLAUDE.md"
_LOCAL_MD = "CLAUDE.local.md"
_DOT_CLAUDE = ".claude"
_RULES = ".claude/rules"
_RULE_SUFFIX = ".md"


class Layer(NamedTuple):
    """One instruction file: where it is, which kind of layer, what of it reaches the model."""

    file: str
    kind: str
    text: str


class _Place(NamedTuple):
    """A directory that may hold instructions, and from where its rules' patterns are read."""

    kind: str
    directory: str
    rules: str
    base: str


class Session:
    """What a session knows: where it is, what is excluded, and what has been loaded already."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        settings = args.get("settings") or {}
        env = merge_environment(args.get("env") or {}, settings)
        self.off = is_on(env.get("CLAUDE_CODE_DISABLE_CLAUDE_MDS"))
        self.cwd = os.path.realpath(args["cwd"])
        self._args = {**args, "env": args.get("env") or {}, "settings": settings}
        self._home = args["home"]
        config = env.get("CLAUDE_CONFIG_DIR") or join(self._home, _DOT_CLAUDE)
        self._config = resolve(self.cwd, config)
        self._managed = args.get("managed_dir")
        self._excludes = tuple(_excludes(settings))
        self._seen: set[str] = set()

    def start(self) -> list[Layer]:
        """Return the layers that a session starts with, in order (LYR-1)."""
        if self.off:
            return []
        found = [layer for place in self._general() for layer in self._load_general(place)]
        for place, shared in self._walk():
            found += self._load_project(place, shared=shared)
        found += self._memory()
        return [layer._replace(text=trim(layer.text)) for layer in found]

    def read(self, file: str) -> list[Layer]:
        """Return what is attached when the agent reads a file (LYR-1f, LYR-2a)."""
        file = resolve("/", file)  # `..` goes as text, as in every read (STL-2d)
        self._seen |= {file, os.path.realpath(file)}
        if self.off or not is_inside(file, self.cwd):
            return []
        found = [layer for place in self._general() for layer in self._depending(place, file)]
        for directory in _between(self.cwd, dirname(file)):
            place = _project_place(directory)
            found += self._load_project(place, shared=True)
            found += self._depending(place, file)
        for place, shared in self._walk():
            found += self._depending(place, file) if shared else []
        return found

    # Places

    def _general(self) -> Iterator[_Place]:
        if self._managed is not None:
            rules = join(self._managed, _RULES)
            yield _Place("managed", self._managed, rules, self.cwd)
        yield _Place("user", self._config, join(self._config, "rules"), self.cwd)

    def _walk(self) -> Iterator[tuple[_Place, bool]]:
        """Yield the directories from the outermost to the working directory (LYR-1b).

        False beside those whose checked-in files do not count: a worktree that stands inside its
        main checkout has them itself (LYR-6a).
        """
        worktree, main = git_root(self.cwd), project_root(self.cwd)
        nested = worktree is not None and is_inside(worktree, main)
        for directory in [*_between("/", self.cwd)]:
            in_main = directory == main or is_inside(directory, main)
            in_worktree = directory == worktree or is_inside(directory, worktree or "/")
            yield _project_place(directory), not (nested and in_main and not in_worktree)

    # Loading

    def _load_general(self, place: _Place) -> Iterator[Layer]:
        yield from self._load(join(place.directory, _CLAUDE_MD), place.kind)
        yield from self._always(place)

    def _load_project(self, place: _Place, *, shared: bool) -> Iterator[Layer]:
        if shared:
            yield from self._load(join(place.directory, _CLAUDE_MD), "project")
            yield from self._load(join(place.directory, _DOT_CLAUDE, _CLAUDE_MD), "project")
        if place.directory == self.cwd or not is_inside(place.directory, self.cwd):
            if shared:
                yield from self._always(place)
            yield from self._load(join(place.directory, _LOCAL_MD), "local")
        else:  # attached later: the local file comes before the rules (LYR-1f)
            yield from self._load(join(place.directory, _LOCAL_MD), "local")
            yield from self._always(place)

    def _always(self, place: _Place) -> Iterator[Layer]:
        for path, link in self._rules(place):
            if patterns_of(read_text(path)):
                # Its includes do not depend (LYR-2e).
                yield from self._included(path, place.kind, 1)
            else:
                yield from self._load(path, place.kind, link=link)

    def _depending(self, place: _Place, file: str) -> Iterator[Layer]:
        if not is_inside(file, place.base):
            return
        relative = os.path.relpath(file, place.base)
        for path, link in self._rules(place):
            patterns = patterns_of(read_text(path))
            if patterns and matches_paths(patterns, relative):
                yield from self._load(path, place.kind, link=link)

    def _rules(self, place: _Place) -> Iterator[tuple[str, str]]:
        """Yield the real path of every rule, and the path that led to it (LYR-1c, LYR-1d)."""
        for found in _markdown_below(place.rules, set()):
            real = os.path.realpath(found)
            if real == found or place.kind == "user" or self._is_within(real):
                yield real, found

    def _load(
        self, path: str, kind: str, depth: int = 0, link: str | None = None
    ) -> Iterator[Layer]:
        """Yield a file and what it includes; nothing if it is excluded or has been loaded."""
        real = os.path.realpath(path)
        if {path, real} & self._seen or not os.path.isfile(path):  # noqa: PTH113 (paths are text)
            return
        if kind != "managed" and any(
            matches_exclude(pattern, name)
            for pattern in self._excludes
            for name in {path, link or path}
        ):
            return
        self._seen |= {path, real}
        text = strip_comments(strip_frontmatter(read_text(path)))
        if trim(text):
            yield Layer(path, kind, text)
            yield from self._included(path, kind, depth + 1)

    def _included(self, path: str, kind: str, depth: int) -> Iterator[Layer]:
        if depth > constants()["include_max_levels"]:
            return
        text = strip_frontmatter(read_text(path))
        for target in include_paths(text, dirname(os.path.realpath(path)), self._home):
            if has_text_type(target) and (kind == "user" or self._is_within(target)):
                yield from self._load(target, kind, depth)

    def _is_within(self, path: str) -> bool:
        return is_inside(os.path.realpath(path), self.cwd)

    def _memory(self) -> Iterator[Layer]:
        directory = locate(self._args, "claude-code")
        if directory is not None:
            # One that is not absolute means relative to the session's directory (DIR-1f).
            window = read_index(Path(resolve(self.cwd, directory)), "claude-code")
            if window.kept:
                text = "\n\n".join(filter(None, window))
                yield Layer(join(directory, layout.INDEX_NAME), "auto-memory", text)


def _project_place(directory: str) -> _Place:
    return _Place("project", directory, join(directory, _RULES), directory)


def _between(outer: str, inner: str) -> list[str]:
    """Return the directories below `outer` (and `/` itself) down to `inner`, `inner` included."""
    found = []
    while inner != outer:
        found.append(inner)
        inner = dirname(inner)
    return [*(["/"] if outer == "/" else []), *reversed(found)]


def _markdown_below(directory: str, visited: set[str]) -> Iterator[str]:
    """Yield the `.md` files below a directory, in the directory's own order, through links."""
    real = os.path.realpath(directory)
    if real in visited:
        return
    visited.add(real)
    try:
        names = os.listdir(directory)  # noqa: PTH208 (paths are text in this module)
    except OSError:
        return
    for name in names:
        path = join(directory, name)
        if os.path.isdir(path):  # noqa: PTH112 (paths are text)
            yield from _markdown_below(path, visited)
        elif name.endswith(_RULE_SUFFIX) and os.path.isfile(path):  # noqa: PTH113 (paths are text)
            yield path


def _excludes(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the patterns of all settings files; a list with anything but texts is none (LYR-4c)."""
    for _, content in valid_files(settings):
        patterns = content.get("claudeMdExcludes")
        if isinstance(patterns, list) and all(isinstance(one, str) for one in patterns):
            yield from patterns


def layers(args: dict[str, Any], profile: str) -> dict[str, Any]:
    """Answer the op `layers`."""
    if profile == PICC_MEMORY:
        started = layers_picc.start(args)
        return {"layers": started, "attached": [[] for _ in args.get("read_files") or []]}
    session = Session(args)
    started = [layer._asdict() for layer in session.start()]
    attached = [
        [{"file": layer.file, "text": layer.text} for layer in session.read(file)]
        for file in args.get("read_files") or []
    ]
    return {"layers": started, "attached": attached}


OPS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {"layers": layers}
