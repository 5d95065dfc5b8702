# Paths are texts here: what a case wrote must not be normalised.
# ruff: noqa: PTH100, PTH108, PTH112, PTH114, PTH118, PTH120
"""What the client leaves in a case's tree besides what the case asks about, and its removal.

The client keeps a state file and session records in its home, which for some ops is a directory
of the case's tree. They are not what is under test, so the witness takes them away again; the
memory directory stays as the client made it.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_WORKSPACE = re.compile(r"memassay-\d{4}")


def case_roots(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the directories that hold everything a case made, for the absolute paths it names.

    A case's tree is a directory of its own below a directory for temporary files, in the examiner's
    workspace if there is one. A path elsewhere, such as `/`, is not the case's to write in.
    """
    roots = set()
    for path in paths:
        whole = os.path.abspath(path)
        places = [place for place in _temporary_places() if is_below(whole, place)]
        if places:
            place = max(places, key=len)
            parts = os.path.relpath(whole, place).split("/")
            depth = 2 if _WORKSPACE.fullmatch(parts[0]) else 1
            roots.add(os.path.join(place, *parts[:depth]))
    outer = {root for root in roots if not any(is_below(root, other) for other in roots)}
    return tuple(sorted(root for root in outer if os.path.isdir(root)))


def _temporary_places() -> set[str]:
    # Where the examiner makes its workspace; nothing is made here by guessable names.
    places = (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 (see above)
    return {os.path.realpath(place) for place in places}


def is_below(path: str, other: str) -> bool:
    """Return whether `path` lies in the directory `other`, by its text."""
    return path != other and path.startswith(other.rstrip("/") + "/")


class Footprint:
    """What stood in some directories at one time."""

    def __init__(self, roots: Iterable[str]) -> None:
        self._roots = tuple(roots)
        self._times = {path: os.lstat(path) for path in self._paths()}

    def erase(self, keep: Callable[[str], bool] = lambda _path: False) -> None:
        """Delete what came since, but for the paths that `keep` wants and what they stand in.

        A directory that is again as it was gets its old times back.
        """
        came = [path for path in self._paths() if path not in self._times]
        kept = {path for path in came if keep(path)}
        for path in list(kept):
            while (path := os.path.dirname(path)) and path not in kept and path != "/":
                kept.add(path)
        disturbed = {os.path.dirname(path) for path in came}
        for path in came:
            if path not in kept:
                _remove(path)
        for parent in disturbed & self._times.keys():
            if not any(os.path.dirname(path) == parent for path in kept & set(came)):
                times = self._times[parent]
                os.utime(parent, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _paths(self) -> list[str]:
        paths = []
        for root in self._roots:
            paths.append(root)
            for directory, names, files in os.walk(root):
                paths += [os.path.join(directory, name) for name in (*names, *files)]
        return paths


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
