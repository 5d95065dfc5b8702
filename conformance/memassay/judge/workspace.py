"""The directories in which tree cases happen: short, canonical, pure ASCII, and gone afterwards."""

from __future__ import annotations

import hashlib
import os
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attrs import field, frozen

from memassay.judge.prerequisites import MissingPrerequisiteError
from memassay.spec.trees import remove_tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_MOST_CHARACTERS = 80  # of the base, so that paths in the tree stay far below a key's 200 units
_NAME_CHARACTERS = 12
_ATTEMPTS = 10_000

_MEMORY = "/dev/shm"  # noqa: S108 (the name is checked, the directory private)
_MEMORY_BYTES = 256 * 1024 * 1024  # free there, many times what the cases under way take
_MEMORY_ENTRIES = 100_000
_CHOICES = ("TMPDIR", "TEMP", "TMP")  # by which a user names a directory, as `tempfile` has it


@frozen
class Workspace:
    """A run's own directory; each case gets one in it, named by its id, the same in every run.

    A context manager: leaving it removes everything, whatever modes the cases gave it. What is
    discarded before is removed by a thread of its own: on many disks, removing directories takes
    longer than all else in a run.
    """

    root: str
    _sweeper: ThreadPoolExecutor = field(
        init=False,
        factory=partial(ThreadPoolExecutor, 1, "memassay-sweeper"),
        repr=False,
        eq=False,
    )
    _swept: dict[str, Future[None]] = field(init=False, factory=dict, repr=False, eq=False)

    @classmethod
    def create(cls, base: str | None = None) -> Workspace:
        """Make a new one in memory, or below `base` or the directory that TMPDIR names.

        Making and deleting thousands of files takes longer than all else in a run on many disks,
        and nothing of them is kept. Where a system has no such place, or a small one, it is the
        temporary directory.

        The names are tried in order, so that one run after another finds the same one: some
        answers depend on the length or the hash of a path, and equal runs are to be equal.
        Raises `MissingPrerequisiteError` if there is no directory that will do.
        """
        parent = _parent(base)
        for number in range(1, _ATTEMPTS):
            root = f"{parent}/memassay-{number:04}"
            try:
                Path(root).mkdir(mode=0o700)
            except FileExistsError:
                continue
            except OSError as error:
                raise MissingPrerequisiteError(
                    f"a directory cannot be made in {parent}: {error.strerror}",
                    hint="name another one in TMPDIR",
                ) from None
            return cls(root)
        raise MissingPrerequisiteError(
            f"{parent} is full of directories memassay-0001, memassay-0002, …",
            hint="delete them; they are left over from runs that were killed",
        )

    def path_of(self, case_id: str) -> str:
        """Return the directory of a case; all are of the same length."""
        digest = hashlib.sha256(case_id.encode()).hexdigest()
        return f"{self.root}/{digest[:_NAME_CHARACTERS]}"

    def fresh(self, case_id: str) -> str:
        """Return the directory of a case after making it anew, empty."""
        path = self.path_of(case_id)
        swept = self._swept.pop(path, None)
        if swept is not None:
            swept.result()
        remove_tree(path)
        Path(path).mkdir()
        return path

    def discard(self, case_id: str) -> None:
        """Have the directory of a case removed before long. There need not be one."""
        path = self.path_of(case_id)
        self._swept[path] = self._sweeper.submit(remove_tree, path)

    def sweep(self, end: Callable[[], None]) -> None:
        """Have something else of a case ended before long, in the same thread."""
        self._sweeper.submit(end)

    def settle(self) -> None:
        """Wait until all that was discarded is gone."""
        wait([*self._swept.values()])

    def close(self) -> None:
        """Remove it and all that is in it."""
        self._sweeper.shutdown()
        remove_tree(self.root)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Remove it."""
        self.close()


def _parent(base: str | None) -> str:
    candidates = [base] if base is not None else _candidates()
    complaints = []
    for candidate in candidates:
        path = os.path.realpath(candidate)
        complaint = _complaint(path)
        if complaint is None:
            return path.rstrip("/")
        complaints.append(f"{path} {complaint}")
    raise MissingPrerequisiteError(
        f"no directory for the cases: {'; '.join(dict.fromkeys(complaints))}",
        hint="name one in TMPDIR that is short, plain ASCII and in no git repository",
    )


def _candidates() -> list[str]:
    usual = [tempfile.gettempdir(), "/tmp", "/var/tmp"]  # noqa: S108 (as above)
    chosen = any(os.environ.get(name) for name in _CHOICES)
    return usual if chosen or not _has_room(_MEMORY) else [_MEMORY, *usual]


def _has_room(path: str) -> bool:
    try:
        status = os.statvfs(path)
    except OSError:
        return False
    # A file system that does not count its entries says that it has none, free or not.
    entries = not status.f_files or status.f_favail >= _MEMORY_ENTRIES
    return status.f_bavail * status.f_frsize >= _MEMORY_BYTES and entries


def _complaint(path: str) -> str | None:
    if not path.isascii() or not path.isprintable():
        return "is not plain ASCII"
    if len(path) > _MOST_CHARACTERS:
        return f"is longer than {_MOST_CHARACTERS} characters"
    if not os.access(path, os.W_OK | os.X_OK):
        return "is no directory that can be written"
    for ancestor in (Path(path), *Path(path).parents):
        if os.path.lexists(ancestor / ".git"):
            return f"is in a git repository ({ancestor})"
    return None
