"""Copying a project's memory from the client into a port's own directory, once. Chapter import.

Profile picc-memory keeps its memory elsewhere than the client. In the first session of a project it
takes over what the client has, if it has nothing of its own yet (IMP-1), and never again (IMP-2).
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay_reference import layout
from memassay_reference.memory_dir import locate, locate_picc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_LOGS = "logs"


def import_memory(args: Mapping[str, Any]) -> dict[str, Any]:
    """Copy the client's memory if the own directory holds no file; say what was done.

    The client's directory is found as the client finds it, its own switch aside: what the kill
    switch turns off is the import as a whole (IMP-1e).
    """
    own = locate_picc(args)
    nothing = {"imported": False, "source": None, "dir": own}
    if own is None:
        return nothing
    source = client_dir(args)
    if source is None or os.path.realpath(source) == os.path.realpath(own):
        return nothing
    if _holds_file(Path(own)):
        return nothing
    copied = [_copy(Path(source), Path(own), relative) for relative in _memory_files(Path(source))]
    return {"imported": True, "source": source, "dir": own} if copied else nothing


def client_dir(args: Mapping[str, Any]) -> str | None:
    """Return where the client keeps the memory of this project (IMP-1b, chapter memory-dir)."""
    env = {name: value for name, value in args["env"].items() if "DISABLE" not in name}
    return locate({**args, "env": env}, "claude-code")


def _holds_file(directory: Path) -> bool:
    """Return whether there is anything but empty directories below a directory (IMP-2a)."""
    if directory.is_symlink() or (directory.exists() and not directory.is_dir()):
        return True  # something stands in its place, and is not ours to touch
    return any(files for _, _, files in os.walk(directory))


def _memory_files(source: Path) -> Iterator[str]:
    """Yield the relative paths of what belongs to a memory (IMP-1a, IMP-1d)."""
    for folder, names, files in os.walk(source):
        names.sort()
        relative = os.path.relpath(folder, source)
        in_logs = Path(relative).parts[:1] == (_LOGS,)
        for name in sorted(files):
            path = Path(folder, name)
            if path.is_file() and (in_logs or name.endswith(layout.TOPIC_SUFFIX)):
                yield name if relative == "." else f"{relative}/{name}"


def _copy(source: Path, own: Path, relative: str) -> str:
    """Copy one file with its time, and its content if it is a link; never over another (IMP-2b)."""
    target = own / relative
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as new:
        new.write((source / relative).read_bytes())
    shutil.copystat(source / relative, target)
    return relative


def _import_memory(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    return import_memory(args)


OPS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {"import_memory": _import_memory}
