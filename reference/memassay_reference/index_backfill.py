"""Making a missing MEMORY.md from the topic files that are there. Chapter index-backfill."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay.spec import constants
from memassay_reference import layout
from memassay_reference.frontmatter import read_header
from memassay_reference.js_text import ELLIPSIS, JS_WHITESPACE, length_units, shorten
from memassay_reference.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLIENT = "claude-code"
_SKIPPED_FOLDERS = {"logs", "team", "sessions"}
_SKIPPED_ENDS = ". "  # what some file systems drop from the end of a name
_UNLINKABLE = frozenset("()[]\t\n\r")  # would end a link, or a line
_BLANKS = re.compile(f"[{JS_WHITESPACE}]+")


def backfill(memory_dir: Path, *, profile: str) -> str | None:
    """Make the index if it is missing, and return its text; None if nothing was made (BKF-1).

    Raises `OSError` if the directory cannot be read or the index cannot be written.
    """
    index = memory_dir / layout.INDEX_NAME
    if os.path.lexists(index):  # an empty index, a directory, a dangling link: all are left alone
        return None
    text = "".join(_lines_that_fit(memory_dir, profile))
    if not text:
        return None
    try:
        with index.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:  # made by someone else in the meantime: theirs stays
        return None
    return text


def _lines_that_fit(memory_dir: Path, profile: str) -> Iterator[str]:
    """Yield the index's lines, newest topic first, until one does not fit (BKF-2).

    Headers are read one at a time, so no more of them than there are lines.
    """
    max_lines, max_units = limits(profile)
    count = size = 0
    for path in linkable_topics(memory_dir):
        try:
            header = read_header(memory_dir / path)
        except OSError:
            continue  # a topic that cannot be read is not linked (BKF-5)
        line = entry(path, layout.description(header)) + "\n"
        count += 1
        size += length_units(line)
        if count > max_lines or size > max_units:
            return
        yield line


def limits(profile: str) -> tuple[int, int]:
    """Return the most lines and the most units, line ends included, of a new index (BKF-2)."""
    numbers = constants()
    if profile == _CLIENT:
        return numbers["backfill_max_lines"], numbers["backfill_max_units"]
    return numbers["backfill_ceiling_lines"], numbers["backfill_ceiling_units"]


def linkable_topics(memory_dir: Path) -> list[str]:
    """Return the relative paths of the topics that a new index may link, newest first (BKF-4).

    Topics of the same time stay in the order in which the directory gave them.
    """
    found = sorted(_walk(os.fspath(memory_dir), ""), reverse=True, key=lambda topic: topic[0])
    return [path for _, path in found]


def _walk(root: str, prefix: str) -> Iterator[tuple[int, str]]:
    """Yield the time (ns) and path of every linkable topic (BKF-5). Links are never followed."""
    folders = [prefix]
    while folders:
        prefix = folders.pop()
        try:
            children = list(os.scandir(os.path.join(root, prefix)))  # noqa: PTH118 (20,000 of them)
        except OSError:
            if not prefix:
                raise
            continue
        for child in children:
            # A backslash is a separator to the client in this one respect.
            if child.name.rpartition("\\")[2].startswith(".") or child.is_symlink():
                continue
            path = prefix + child.name
            if child.is_dir(follow_symlinks=False):
                if child.name.rstrip(_SKIPPED_ENDS).lower() not in _SKIPPED_FOLDERS:
                    folders.append(path + "/")
            elif layout.is_topic_name(child.name) and is_linkable(path):
                try:
                    status = child.stat(follow_symlinks=False)
                except OSError:
                    continue  # it has gone in the meantime
                # A second hard link could be a way out of the directory, like a symbolic one.
                if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
                    yield status.st_mtime_ns, path


def is_linkable(path: str) -> bool:
    """Return whether a path can stand in a link as it is (BKF-5a).

    It cannot if it has brackets, a line end, or anything that sanitising would change.
    """
    try:
        path.encode()
    except UnicodeEncodeError:  # a name that is no UTF-8
        return False
    return _UNLINKABLE.isdisjoint(path) and sanitise(path) == path


def entry(path: str, description: str | None) -> str:
    """Return a topic's line, without line end (BKF-3).

    The link is never cut. A description that is too long ends in an ellipsis; if there is no room
    for one unit of it and the ellipsis, there is none.
    """
    link = layout.link(path)
    hook = "" if description is None else one_line(description)
    room = constants()["index_entry_max_units"] - length_units(link) - length_units(layout.DASH)
    if not hook or room <= length_units(ELLIPSIS):
        return link
    return link + layout.DASH + shorten(hook, room)


def one_line(description: str) -> str:
    """Return a description as an index may hold it: sanitised, then on one line (BKF-6a)."""
    return _BLANKS.sub(" ", sanitise(description)).strip(" ")


def index_backfill(args: dict[str, Any], profile: str) -> dict[str, Any]:
    """Answer the op `index_backfill`."""
    text = None
    if args.get("enabled", True):
        text = backfill(Path(args["memory_dir"]), profile=profile)
    return {"created": text is not None, "text": text}


OPS = {"index_backfill": index_backfill}
