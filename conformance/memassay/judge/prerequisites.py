"""What a machine must have for the cases that are to be run: checked once, before the first."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memassay.spec.models import Case


@frozen
class MissingPrerequisiteError(Exception):
    """The machine lacks something without which cases cannot be put. Nothing is skipped over it.

    `message` says what, `hint` what to do, `case` names the first case that needs it.
    """

    message: str
    hint: str | None = None
    case: str | None = None

    def __str__(self) -> str:
        """Render in one or two lines: what is missing, for which case, and what to do."""
        text = self.message if self.case is None else f"{self.message} (case {self.case} needs it)"
        return f"{text}\n  {self.hint}" if self.hint else text


def check_prerequisites(cases: Iterable[Case], directory: str) -> None:
    """Check everything that `cases` require, by `requires:` or by the nodes of their trees.

    `directory` is an empty one to try things in. Raises `MissingPrerequisiteError` naming the
    first thing that is not there.
    """
    asked: dict[str, str] = {}
    for case in cases:
        for name in (*case.requires, *_needed(case.tree or {})):
            asked.setdefault(name, case.id)
    for name, case_id in asked.items():
        check = _CHECKS.get(name)
        if check is None:
            raise MissingPrerequisiteError(f"nobody knows what {name!r} is", case=case_id)
        complaint = check(directory)
        if complaint is not None:
            raise MissingPrerequisiteError(f"{name}: {complaint}", hint=_HINTS[name], case=case_id)


def _needed(tree: Mapping[str, Any]) -> Iterable[str]:
    for node in tree.values():
        if isinstance(node, dict):
            yield from (need for key, need in _NODES.items() if key in node)


def _git(_: str) -> str | None:
    program = shutil.which("git")
    if program is None:
        return "there is no such command"
    answer = subprocess.run([program, "--version"], capture_output=True, check=False)
    return None if answer.returncode == 0 else f"`git --version` ends with {answer.returncode}"


def _symlinks(directory: str) -> str | None:
    return _attempt(lambda path: os.symlink("target", path), f"{directory}/symlink")  # noqa: PTH211 (as trees make them)


def _fifo(directory: str) -> str | None:
    if not hasattr(os, "mkfifo"):
        return "this system has no named pipes"
    return _attempt(os.mkfifo, f"{directory}/fifo")


def _attempt(make: Callable[[str], None], path: str) -> str | None:
    try:
        make(path)
    except OSError as error:
        return f"cannot be made in {Path(path).parent}: {error.strerror}"
    Path(path).unlink()
    return None


_NODES = {"git": "git", "symlink": "symlinks", "fifo": "fifo"}
"""What a node of a tree needs, by the key that names its kind."""

_CHECKS: Mapping[str, Callable[[str], str | None]] = {
    "git": _git,
    "symlinks": _symlinks,
    "fifo": _fifo,
}

_HINTS = {
    "git": "install git and put it on the PATH",
    "symlinks": "name a directory in TMPDIR on a file system that has symbolic links",
    "fifo": "name a directory in TMPDIR on a file system that has named pipes",
}
