"""What a memory directory is made of: an index, topic files, and what a topic's header means.

Chapter layout. The other chapters read and write these things; here stands what they are.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

INDEX_NAME = "MEMORY.md"
"""The index, in the root of the memory directory (LAY-1). Exact: `memory.md` is a topic."""

TOPIC_SUFFIX = ".md"
"""How a topic's file name ends (LAY-1). Exact too: `.MD` is no topic."""

TYPES = ("user", "feedback", "project", "reference")
"""The four types of memory (LAY-3)."""

DASH = " — "
"""What stands between an entry's link and its hook (LAY-2)."""

_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def is_topic_name(name: str) -> bool:
    """Return whether a file of that name, in any folder of the directory, is a topic (LAY-1)."""
    return name.endswith(TOPIC_SUFFIX) and name != INDEX_NAME


def link(path: str) -> str:
    """Return the link that starts a topic's line in the index (LAY-2).

    `path` is relative to the memory directory. The title is the file's stem, whatever its header's
    `name` says.
    """
    stem = path.rpartition("/")[2].removesuffix(TOPIC_SUFFIX)
    return f"- [{stem}]({path})"


def description(header: dict[str, Any]) -> str | None:
    """Return a header's description; one that is no text, or empty, is none (LAY-3)."""
    value = header.get("description")
    return value if isinstance(value, str) and value else None


def topic_type(header: dict[str, Any]) -> str | None:
    """Return a header's type, or None for an unknown one (LAY-3, LAY-4, LAY-5)."""
    value = _misplaced(header, "type")
    return value if isinstance(value, str) and value in TYPES else None


def modified_ms(header: dict[str, Any]) -> int | None:
    """Return when a header says that its topic was modified, in ms since 1970 (LAY-4, SCN-2).

    None if it does not say, or says it in a form that is no ISO time with a zone.
    """
    value = _misplaced(header, "modified")
    if not isinstance(value, str) or not _ISO_TIME.fullmatch(value):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return (moment - _EPOCH) // (datetime.resolution * 1000)
    except (ValueError, OverflowError):
        return None


def _misplaced(header: dict[str, Any], key: str) -> Any:
    """Return a key that belongs under `metadata` but is also taken from the top level (LAY-4)."""
    metadata = header.get("metadata")
    if isinstance(metadata, dict) and metadata.get(key) is not None:
        return metadata[key]
    return header.get(key)
