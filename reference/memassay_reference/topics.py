"""The topic files as a selector sees them: scan, header, manifest. Chapter topics."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay.spec import constants
from memassay_reference import layout
from memassay_reference.frontmatter import parse_header, read_header
from memassay_reference.js_text import iso_ms

if TYPE_CHECKING:
    from collections.abc import Iterator

_NS_PER_MS = 1_000_000


def scan(memory_dir: Path) -> list[dict[str, Any]]:
    """Return the newest topics of a directory, newest first (SCN-1).

    A file that cannot be read is skipped and takes no place; a directory that cannot be read has no
    topics (SCN-3). Sorted by the file's time, whatever `modified` says (SCN-2).
    """
    try:
        found = sorted(_walk(os.fspath(memory_dir)), reverse=True, key=lambda topic: topic[0])
    except OSError:
        return []
    topics: list[dict[str, Any]] = []
    for mtime_ns, path in found:
        if len(topics) == constants()["scan_max_topics"]:
            break
        try:
            header = read_header(memory_dir / path)
        except OSError:
            continue
        mtime_ms = mtime_ns // _NS_PER_MS
        topics.append({"path": path, "mtime_ms": mtime_ms, **facts(header, mtime_ms)})
    return topics


def _walk(root: str) -> Iterator[tuple[int, str]]:
    """Yield the time (ns) and relative path of every topic. Links to files are followed (SCN-5)."""
    folders = [""]
    while folders:
        prefix = folders.pop()
        try:
            children = list(os.scandir(os.path.join(root, prefix)))  # noqa: PTH118 (20,000 of them)
        except OSError:
            if not prefix:
                raise
            continue
        for child in children:
            path = prefix + child.name
            if child.is_dir(follow_symlinks=False):
                folders.append(path + "/")
            elif layout.is_topic_name(child.name):
                try:
                    status = child.stat()
                except OSError:
                    continue  # a link to nowhere (SCN-3)
                if stat.S_ISREG(status.st_mode):  # never open a pipe: nobody may be writing
                    yield status.st_mtime_ns, path


def facts(header: dict[str, Any], mtime_ms: int) -> dict[str, Any]:
    """Return what a header says, with the file's time where it does not say one (SCN-2)."""
    modified = layout.modified_ms(header)
    return {
        "description": layout.description(header),
        "type": layout.topic_type(header),
        "modified_ms": mtime_ms if modified is None else modified,
    }


def manifest_line(topic: dict[str, Any]) -> str:
    """Return a topic's line for the selector (MAN-1)."""
    prefix = f"[{topic['type']}] " if topic["type"] in layout.TYPES else ""
    suffix = f": {topic['description']}" if topic["description"] else ""
    return f"- {prefix}{topic['path']} ({iso_ms(topic['mtime_ms'])}){suffix}"


def topics_header(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    """Answer the op `topics_header`."""
    return facts(parse_header(args["content"]), args["mtime_ms"])


def topics_scan(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    """Answer the op `topics_scan`."""
    return {"topics": scan(Path(args["memory_dir"]))}


def topics_manifest(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    """Answer the op `topics_manifest`."""
    return {"lines": [manifest_line(topic) for topic in args["topics"]]}


OPS = {
    "topics_header": topics_header,
    "topics_scan": topics_scan,
    "topics_manifest": topics_manifest,
}
