"""The project root: which directory a session's memory belongs to (ROOT-1, ROOT-2, ROOT-3).

Found by looking at the disk, never by asking git: no `git` process, no `GIT_DIR` and no other
variable takes part (ROOT-1d), and a repository that git itself would refuse is one here (ROOT-3d).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay_reference.js_path import basename, dirname, join, resolve
from memassay_reference.js_text import trim

if TYPE_CHECKING:
    from collections.abc import Callable

PI_PROJECT_MEMORY = "pi-project-memory"

_MARKER = ".git"
_GIT_FILE_PREFIX = "gitdir:"


def project_root(cwd: str, profile: str = "claude-code") -> str:
    """Return the root of the project that `cwd` (an absolute path) is in.

    The canonical git root if there is one (ROOT-1a), its main checkout if it is a linked worktree
    (ROOT-2a), else the canonical `cwd` itself (ROOT-1b).
    """
    start = os.path.realpath(cwd)
    root = git_root(start)
    if root is None:
        return start
    common_dir = shared_git_dir(root)
    if common_dir is None:
        return root
    if basename(common_dir) == _MARKER:
        return dirname(common_dir)  # ROOT-2a, ROOT-3c
    return root if profile == PI_PROJECT_MEMORY else common_dir  # ROOT-3g, ROOT-3b


def git_root(start: str) -> str | None:
    """Return the nearest directory at or above `start` that holds a `.git`, or None.

    Anything that is a file or a directory counts, through a link or not, whatever is in it
    (ROOT-3d); a dangling link, a pipe or a device does not (ROOT-3e).
    """
    directory = start
    while not _is_marker(join(directory, _MARKER)):
        parent = dirname(directory)
        if parent == directory:
            return None
        directory = parent
    return directory


def shared_git_dir(root: str) -> str | None:
    """Return the common directory of a linked worktree, or None if `root` is no sound one.

    Sound means: its `.git` is a file that names a git directory (ROOT-2b); that one's `commondir`
    names the directory whose `worktrees/` it stands in (ROOT-2c); and its `gitdir` names this very
    `.git` back (ROOT-2d). All paths are resolved as text, so a link on the way stays in the answer
    (ROOT-2e); only the backlink is compared by real path.
    """
    try:
        pointer = _read(join(root, _MARKER))
        if not pointer.startswith(_GIT_FILE_PREFIX):
            return None
        git_dir = resolve(root, trim(pointer.removeprefix(_GIT_FILE_PREFIX)))
        common_dir = resolve(git_dir, _read(join(git_dir, "commondir")))
        if dirname(git_dir) != join(common_dir, "worktrees"):
            return None
        backlink = os.path.realpath(resolve(git_dir, _read(join(git_dir, "gitdir"))), strict=True)
        if backlink != join(os.path.realpath(root), _MARKER):
            return None
    except (OSError, ValueError):  # ValueError: a NUL in a path
        return None
    return common_dir


def _is_marker(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 (paths are text in this module)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _read(path: str) -> str:
    return trim(Path(path).read_text(encoding="utf-8", errors="replace"))


def _project_root(args: dict[str, Any], profile: str) -> dict[str, Any]:
    return {"root": project_root(args["cwd"], profile)}


OPS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {"project_root": _project_root}
