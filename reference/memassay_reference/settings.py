"""What a session's settings files say together: which file wins, and which file counts at all.

Only as much of the settings as memory depends on; the files themselves are read by the adapter.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

WEAKEST_FIRST = ("user", "project", "local", "flag", "managed")
"""The settings files; a later one overrides an earlier one, key by key (DIR-1b)."""

MANAGED = "managed"

SHARED = frozenset({"project", "local"})
"""Files that come with a checkout. They may turn memory off, but not say where it is (DIR-1h)."""

_PLACES = frozenset(
    {
        "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
        "CLAUDE_CODE_REMOTE_MEMORY_DIR",
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_SIMPLE",
    }
)
"""Variables that a shared file's `env` cannot set."""

_PROCESS_ONLY = frozenset({"CLAUDE_CODE_REMOTE"})
"""Variables that no file's `env` can set (DIR-3f)."""

_TYPES: dict[str, Callable[[Any], bool]] = {
    "autoMemoryDirectory": lambda value: isinstance(value, str),
    "autoMemoryEnabled": lambda value: isinstance(value, bool),
    "env": lambda value: isinstance(value, dict),
}


def valid_files(settings: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and content of the files that count, the weakest first (DIR-2f).

    One value of a wrong type voids the whole file; the managed one loses that value only.
    """
    for name in WEAKEST_FIRST:
        content = settings.get(name, {})
        wrong = {key for key, fits in _TYPES.items() if key in content and not fits(content[key])}
        if name == MANAGED:
            yield name, {key: value for key, value in content.items() if key not in wrong}
        elif not wrong:
            yield name, content


def merge_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of all files that count, as one.

    Whether a directory is any good is asked afterwards: a refused one that wins leaves none, not
    the next best (DIR-2g).
    """
    merged: dict[str, Any] = {}
    for _, content in valid_files(settings):
        merged.update(content)
    return merged


def merge_environment(env: Mapping[str, str], settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the process environment overridden by the `env` of the files that count (DIR-1h)."""
    merged = dict(env)
    for name, content in valid_files(settings):
        for key, value in content.get("env", {}).items():
            if key in _PROCESS_ONLY or (name in SHARED and key in _PLACES):
                continue
            merged[key] = value if isinstance(value, str) else json.dumps(value)
    return merged
