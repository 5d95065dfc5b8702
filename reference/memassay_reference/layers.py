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
from memassay_reference.globs import matches_paths
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
from memassay_reference.shell_patterns import matches_exclude, with_real_folders

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
        # An empty text is a relative directory, too: the session's own.
        self._config = env.get("CLAUDE_CONFIG_DIR", join(self._home, _DOT_CLAUDE))
        self._managed = args.get("managed_dir")
        self._excludes = tuple(_excludes(settings))
        self._shown: set[str] = set()  # by the paths that the model was told
        self._seen: set[str] = set()  # in this start or Read, by real paths too

    def start(self) -> list[Layer]:
        """Return the layers that a session starts with, in order (LYR-1)."""
        if self.off:
            return []
        found = [layer for place in self._general() for layer in self._load_general(place)]
        for place, shared in self._walk():
            found += self._load_project(place, shared=shared)
        self._shown.update(layer.file for layer in found)
        found += self._memory()
        return [layer._replace(text=trim(layer.text)) for layer in found]

    def read(self, file: str) -> list[Layer]:
        """Return what is attached when the agent reads a file (LYR-1f, LYR-2a).

        Every Read gathers anew what there is for its file; then what was shown before goes, by its
        path (LYR-1i). So what it includes may come where it was too deep before.
        """
        file = resolve("/", file)  # `..` goes as text, as in every read (STL-2d)
        self._shown.add(file)
        self._seen = set()
        if self.off or not is_inside(file, self.cwd):
            return []
        found = [layer for layer in self._gather(file) if layer.file not in self._shown]
        self._shown.update(layer.file for layer in found)
        return found

    def _gather(self, file: str) -> list[Layer]:
        found = [layer for place in self._general() for layer in self._depending(place, file)]
        for directory in _between(self.cwd, dirname(file)):
            place = _project_place(directory)
            found += self._load_project(place, shared=True)
            # What is looked for first, and left out since it depends, is looked for anew.
            before, self._seen = self._seen, set(self._seen)
            found += self._always(place)
            after, self._seen = self._seen, before
            found += self._depending(place, file)
            self._seen |= after
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
        """Yield a folder's files; its rules come before its local file at the start only."""
        if shared:
            yield from self._load(join(place.directory, _CLAUDE_MD), "project")
            yield from self._load(join(place.directory, _DOT_CLAUDE, _CLAUDE_MD), "project")
            if place.directory == self.cwd or not is_inside(place.directory, self.cwd):
                yield from self._always(place)
        yield from self._load(join(place.directory, _LOCAL_MD), "local")

    def _always(self, place: _Place) -> Iterator[Layer]:
        """Yield rules that do not depend on a file, and what any rule includes (LYR-2e, LYR-2g)."""
        return (layer for layer in self._load_rules(place) if not self._patterns(layer))

    def _depending(self, place: _Place, file: str) -> Iterator[Layer]:
        if not is_inside(file, place.base):
            return
        relative = os.path.relpath(file, place.base)
        for layer in self._load_rules(place):
            patterns = self._patterns(layer)
            if patterns and matches_paths(patterns, relative):
                yield layer

    def _load_rules(self, place: _Place) -> Iterator[Layer]:
        for path, link in self._rules(place):
            yield from self._load(path, place.kind, link=link)

    def _patterns(self, layer: Layer) -> tuple[str, ...]:
        return patterns_of(read_text(self._real(layer.file)))

    def _rules(self, place: _Place) -> Iterator[tuple[str, str]]:
        """Yield the real path of every rule, and the path that led to it (LYR-1c, LYR-1d)."""
        for found in _markdown_below(self.cwd, place.rules, set()):
            real = self._real(found)
            if real == found or place.kind == "user" or self._is_within(real):
                yield real, found

    def _load(
        self, path: str, kind: str, depth: int = 0, link: str | None = None
    ) -> Iterator[Layer]:
        """Yield a file and what it includes; nothing if it is excluded or has been loaded."""
        real = self._real(path)
        if {path, real} & self._seen or not os.path.isfile(real):  # noqa: PTH113 (paths are text)
            return
        if kind != "managed" and any(
            matches_exclude(pattern, name)
            for pattern in self._excludes
            for name in {path, link or path}
        ):
            return
        self._seen |= {path, real}
        text = strip_comments(strip_frontmatter(read_text(real)))
        if trim(text):
            yield Layer(path, kind, text)
            yield from self._included(path, kind, depth + 1)

    def _included(self, path: str, kind: str, depth: int) -> Iterator[Layer]:
        if depth > constants()["include_max_levels"]:
            return
        real = self._real(path)
        text = strip_frontmatter(read_text(real))
        for target in include_paths(text, dirname(real), self._home):
            if has_text_type(target) and (kind == "user" or self._is_within(target)):
                yield from self._load(target, kind, depth)

    def _real(self, path: str) -> str:
        """Return a real path; only those of a relative configuration directory are not absolute."""
        return os.path.realpath(resolve(self.cwd, path))

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


def _markdown_below(cwd: str, directory: str, visited: set[str]) -> Iterator[str]:
    """Yield the `.md` files below a directory, in the directory's own order, through links."""
    real = os.path.realpath(resolve(cwd, directory))
    if real in visited:
        return
    visited.add(real)
    try:
        names = os.listdir(real)  # noqa: PTH208 (paths are text in this module)
    except OSError:
        return
    for name in names:
        entry, path = join(real, name), join(directory, name)
        if os.path.isdir(entry):  # noqa: PTH112 (paths are text)
            yield from _markdown_below(cwd, path, visited)
        elif name.endswith(_RULE_SUFFIX) and os.path.isfile(entry):  # noqa: PTH113 (as above)
            yield path


def _excludes(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the patterns of all settings files; a list with anything but texts is none (LYR-4c)."""
    for _, content in valid_files(settings):
        patterns = content.get("claudeMdExcludes")
        if isinstance(patterns, list) and all(isinstance(one, str) for one in patterns):
            yield from (whole for pattern in patterns for whole in with_real_folders(pattern))


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
