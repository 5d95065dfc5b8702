"""Real git repositories, linked worktrees and submodules for the trees of cases."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay.spec.builders import tree_path
from memassay.spec.errors import BuilderError

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS = {
    "repository": {"git", "separate_git_dir"},
    "bare": {"git"},
    "worktree": {"git", "of", "branch"},
    "submodule": {"git", "of", "from"},
}
# A fixed identity and time make every commit the same; the user's own configuration, hooks and
# templates stay out.
_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TEMPLATE_DIR": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "memassay",
    "GIT_AUTHOR_EMAIL": "memassay@example.invalid",
    "GIT_COMMITTER_NAME": "memassay",
    "GIT_COMMITTER_EMAIL": "memassay@example.invalid",
    "GIT_AUTHOR_DATE": "2026-11-30T12:00:00Z",
    "GIT_COMMITTER_DATE": "2026-11-30T12:00:00Z",
    "LC_ALL": "C",
}
_template_lock = threading.Lock()
_templates: dict[str, str] = {}


def git_available() -> bool:
    """Return whether a git command is on the path."""
    return shutil.which("git") is not None


def make_repository(path: str, node: Mapping[str, Any], root: str) -> None:
    """Make the repository, worktree or submodule that `node` describes at `path`.

    Raises `BuilderError` if the node is malformed, git is missing, or git refuses, with its words.
    """
    kind = node["git"]
    if kind not in _KEYS:
        raise BuilderError(f"`git: {kind}` is unknown", hint=f"one of: {', '.join(_KEYS)}")
    unknown = node.keys() - _KEYS[kind]
    if unknown:
        raise BuilderError(f"`git: {kind}` takes no `{min(unknown)}`")
    if kind == "worktree":
        branch = node.get("branch", "branch-" + Path(path).name)
        _git(tree_path(root, node["of"]), "worktree", "add", "-q", "-b", branch, path)
    elif kind == "submodule":
        outer = tree_path(root, node["of"])
        inner = os.path.relpath(path, outer)
        source = tree_path(root, node["from"])
        _git(
            outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source, inner
        )
    elif "separate_git_dir" in node:
        store = tree_path(root, node["separate_git_dir"])
        Path(path).mkdir(exist_ok=True)
        _git(path, "init", "-q", "--initial-branch=main", f"--separate-git-dir={store}")
        _git(path, "commit", "-q", "--allow-empty", "-m", "start")
    else:
        shutil.copytree(_template(kind), path, symlinks=True, dirs_exist_ok=True)


def _template(kind: str) -> str:
    """Return a repository to copy: `git init` and a commit cost more than all else in a case."""
    with _template_lock:
        if kind not in _templates:
            place = tempfile.mkdtemp(prefix="memassay-git-")
            atexit.register(shutil.rmtree, place, ignore_errors=True)
            source = f"{place}/repository"
            Path(source).mkdir()
            _git(source, "init", "-q", "--initial-branch=main")
            _git(source, "commit", "-q", "--allow-empty", "-m", "start")
            if kind == "bare":
                _git(place, "clone", "-q", "--bare", source, "bare")
                _git(f"{place}/bare", "remote", "remove", "origin")
            _templates[kind] = f"{place}/{kind}"
        return _templates[kind]


def _git(directory: str, *arguments: str) -> None:
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.devnull, **_ENVIRONMENT}
    try:
        subprocess.run(
            ["git", *arguments],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise BuilderError("needs git, which is not installed", hint="install git") from None
    except subprocess.CalledProcessError as error:
        raise BuilderError(f"git {arguments[0]} failed: {error.stderr.strip()}") from None
