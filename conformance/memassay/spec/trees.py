"""Trees: how a case makes a real directory, and how a directory is looked at afterwards."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from memassay.spec.builders import Context, build, duration_us, fill, tree_path
from memassay.spec.errors import BuilderError
from memassay.spec.repositories import make_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_OWNER_ALL = stat.S_IRWXU


@frozen
class Entry:
    """One entry of a directory: its kind, and what tells a touched one from an untouched one.

    `digest` is the sha256 of a regular file's bytes, None for anything else or if unreadable;
    `target` is a symbolic link's target as written.
    """

    kind: str
    mtime_ns: int
    digest: str | None = None
    target: str | None = None


@frozen
class Snapshot:
    """Every entry below a directory, by relative path with forward slashes."""

    entries: Mapping[str, Entry]


def make_tree(tree: Mapping[str, Any], context: Context) -> None:
    """Make the tree's entries below `context.root`, an existing empty directory, in written order.

    Modification times and modes are set at the end, so that making one entry does not touch
    another. Raises `BuilderError` for a node that cannot be made, naming its path.
    """
    maker = _Maker(context)
    for name, node in tree.items():
        try:
            maker.make(name, node)
        except BuilderError as error:
            raise BuilderError(f"tree entry {name!r}: {error.message}", hint=error.hint) from None
        except OSError as error:
            raise BuilderError(f"tree entry {name!r} cannot be made: {error.strerror}") from None
    try:
        maker.finish()
    except OSError as error:
        raise BuilderError(
            f"time or mode of {error.filename} cannot be set: {error.strerror}"
        ) from None


def snapshot(root: str | Path) -> Snapshot:
    """Return what is below `root` now. Links are not followed."""
    base = os.fspath(root)
    return Snapshot({found.path[len(base) + 1 :]: _entry(found.path) for found in _walk(base)})


def remove_tree(root: str | Path) -> None:
    """Delete `root` and all below it, whatever modes it was given. A missing root is fine.

    Somebody may have put a link or a file in its place; that goes, and nothing behind it.
    """
    base = os.fspath(root)
    if os.path.islink(base) or os.path.isfile(base):  # noqa: PTH113, PTH114 (hot path)
        os.unlink(base)  # noqa: PTH108 (hot path)
    elif not _removed(base):
        _open_up(base)
        _removed(base)


def _removed(base: str) -> bool:
    """Delete a directory and what is in it, as far as that can be; return whether it is gone."""
    for found in reversed(list(_walk(base))):
        remove = os.rmdir if found.is_dir(follow_symlinks=False) else os.unlink
        with suppress(OSError):
            remove(found.path)
    try:
        os.rmdir(base)  # noqa: PTH106 (hot path)
    except OSError:
        return not os.path.isdir(base)  # noqa: PTH112 (hot path)
    return True


def _walk(base: str) -> Iterator[os.DirEntry[str]]:
    """Yield all that is below a directory, each directory before what is in it.

    It does not recurse: how deep a directory is, is up to the implementation under test.
    """
    waiting = [base]
    while waiting:
        try:
            children = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        yield from children
        waiting += [child.path for child in children if child.is_dir(follow_symlinks=False)]


def _open_up(base: str) -> None:
    """Give ourselves access to each directory, before looking into it."""
    with suppress(OSError):
        os.chmod(base, _OWNER_ALL)  # noqa: PTH101 (hot path)
    for found in _walk(base):
        if found.is_dir(follow_symlinks=False):
            with suppress(OSError):
                os.chmod(found.path, _OWNER_ALL)  # noqa: PTH101 (hot path)


def _entry(path: str) -> Entry:
    status = os.lstat(path)
    mtime_ns = status.st_mtime_ns
    if stat.S_ISREG(status.st_mode):
        try:
            with open(path, "rb") as file:  # noqa: PTH123 (hot path)
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            digest = None
        return Entry("file", mtime_ns, digest=digest)
    if stat.S_ISLNK(status.st_mode):
        return Entry("symlink", mtime_ns, target=os.readlink(path))  # noqa: PTH115 (text as written)
    if stat.S_ISDIR(status.st_mode):
        return Entry("dir", mtime_ns)
    return Entry("fifo" if stat.S_ISFIFO(status.st_mode) else "other", mtime_ns)


@frozen
class _Maker:
    context: Context
    times_us: dict[str, int] = field(factory=dict)
    modes: dict[str, int] = field(factory=dict)
    inside: set[str] = field(factory=set)  # directories that are there and lead out of nothing

    def make(self, name: str, node: Any) -> None:
        path = tree_path(self.context.root, name)
        self._make_parents(path)
        if isinstance(node, dict):
            for word, make in _MAKERS.items():
                if word in node:
                    make(self, path, node)
                    if word in _MOVERS:
                        self.inside.clear()
                    return
        self._write(path, build(node, self.context))

    def finish(self) -> None:
        clock_us = self.context.clock_ms * 1000
        for path in [found.path for found in _walk(self.context.root)]:
            time_ns = self.times_us.get(path, clock_us) * 1000
            os.utime(path, ns=(time_ns, time_ns), follow_symlinks=False)
        for path, mode in sorted(self.modes.items(), reverse=True):  # what is inside comes first
            os.chmod(path, mode)  # noqa: PTH101 (hot path)

    def _make_parents(self, path: str) -> None:
        parent = path.rpartition("/")[0]
        if parent in self.inside:
            return
        Path(parent).mkdir(parents=True, exist_ok=True)
        if not Path(parent).resolve().is_relative_to(self.context.root):
            raise BuilderError("leads out of the tree through a link")
        self.inside.add(parent)

    def _write(self, path: str, content: Any) -> None:
        if isinstance(content, str):
            try:
                content = content.encode()
            except UnicodeEncodeError:
                raise BuilderError(
                    "holds half of a surrogate pair, which no file can",
                    hint="write the bytes, with {hex: …}",
                ) from None
        if not isinstance(content, bytes):
            raise BuilderError(f"is no node of a tree: {content!r}", hint="see spec/README.md")
        Path(path).write_bytes(content)

    def _note(self, path: str, node: Mapping[str, Any], allowed: set[str]) -> None:
        unknown = node.keys() - allowed - {"age", "mode"}
        if unknown:
            raise BuilderError(f"has a key that its kind of node does not take: {min(unknown)}")
        if "age" in node:
            self.times_us[path] = self.context.clock_ms * 1000 - duration_us(node["age"])
        if "mode" in node:
            try:
                self.modes[path] = int(node["mode"], 8)
            except (TypeError, ValueError):
                raise BuilderError(f"mode {node['mode']!r} is not octal digits in quotes") from None

    def make_file(self, path: str, node: Mapping[str, Any]) -> None:
        self._note(path, node, {"file"})
        self._write(path, build(node["file"], self.context))

    def make_dir(self, path: str, node: Mapping[str, Any]) -> None:
        self._note(path, node, {"dir"})
        Path(path).mkdir(exist_ok=True)

    def make_symlink(self, path: str, node: Mapping[str, Any]) -> None:
        self._note(path, node, {"symlink"})
        os.symlink(build(node["symlink"], self.context), path)  # noqa: PTH211 (text as written)

    def make_hardlink(self, path: str, node: Mapping[str, Any]) -> None:
        self._note(path, node, {"hardlink"})
        os.link(tree_path(self.context.root, node["hardlink"]), path)

    def make_fifo(self, path: str, node: Mapping[str, Any]) -> None:
        self._note(path, node, {"fifo"})
        os.mkfifo(path)

    def make_files(self, path: str, node: Mapping[str, Any]) -> None:
        family = node["files"]
        wanted, optional = {"from", "to", "name", "text"}, {"age_step", "age"}
        if not isinstance(family, dict) or not wanted <= family.keys() <= wanted | optional:
            raise BuilderError("`files` takes {from, to, name, text} and maybe age_step, age")
        first, last = family["from"], family["to"]
        if type(first) is not int or type(last) is not int or not isinstance(family["name"], str):
            raise BuilderError("`files` counts from one whole number to another; `name` is text")
        Path(path).mkdir(exist_ok=True)
        step_us = duration_us(family.get("age_step", "0"))
        base_us = duration_us(family.get("age", "0"))
        text = build(family["text"], self.context)
        for number in range(first, last + 1):
            file = tree_path(path, fill(family["name"], number))
            self._write(file, fill(text, number) if isinstance(text, str) else text)
            self.times_us[file] = self.context.clock_ms * 1000 - base_us - number * step_us

    def make_git(self, path: str, node: Mapping[str, Any]) -> None:
        make_repository(path, node, self.context.root)

    def make_move(self, path: str, node: Mapping[str, Any]) -> None:
        if node.keys() != {"move"}:
            raise BuilderError("`move` keeps time and mode; it takes nothing else")
        source = tree_path(self.context.root, node["move"])
        os.rename(source, path)  # noqa: PTH104 (hot path)
        for table in (self.times_us, self.modes):
            for old in [key for key in table if key == source or key.startswith(f"{source}/")]:
                table[path + old[len(source) :]] = table.pop(old)

    def make_remove(self, path: str, node: Mapping[str, Any]) -> None:
        self._note(path, node, {"remove"})
        if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114 (hot path)
            shutil.rmtree(path)
        else:
            os.unlink(path)  # noqa: PTH108 (hot path)


_MAKERS: dict[str, Callable[[_Maker, str, Mapping[str, Any]], None]] = {
    "file": _Maker.make_file,
    "dir": _Maker.make_dir,
    "symlink": _Maker.make_symlink,
    "hardlink": _Maker.make_hardlink,
    "fifo": _Maker.make_fifo,
    "files": _Maker.make_files,
    "git": _Maker.make_git,
    "move": _Maker.make_move,
    "remove": _Maker.make_remove,
}
"""What makes a node, by the key that names its kind."""

_MOVERS = frozenset({"symlink", "git", "move", "remove"})
"""The nodes after which a path may lead elsewhere, or nowhere, than before."""
