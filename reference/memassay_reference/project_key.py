"""The project key: one directory name for one project root (KEY-1, KEY-2, KEY-3).

The key loses information, so different roots can share one (KEY-3). That is asserted here, not
repaired: a key that tells such roots apart leads to another directory than the client's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memassay.spec import constants
from memassay_reference.js_text import java_hash, length_units, to_radix

if TYPE_CHECKING:
    from collections.abc import Callable

_BASIC = re.compile("[^A-Za-z0-9]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def slug(path: str) -> str:
    """Return `path` with every UTF-16 unit outside `[A-Za-z0-9]` as `-` (KEY-1).

    A character outside the basic plane is two units, so it becomes two dashes. Nothing is
    collapsed, trimmed, lower-cased or normalised.
    """
    return _BASIC.sub("-", _ASTRAL.sub("--", path))


def project_key(root: str) -> str:
    """Return the name of the project's directory below `projects/` (KEY-1, KEY-2).

    A slug of more than `project_key_max_units` keeps that many units and gets `-` and a hash in
    base 36. The hash is of the original path, not of the slug, and its sign is dropped: −2³¹ has no
    positive twin in 32 bits, but JavaScript's `Math.abs` works on doubles and returns 2³¹.
    """
    limit = constants()["project_key_max_units"]
    text = slug(root)
    if length_units(text) <= limit:
        return text
    digits = to_radix(abs(java_hash(root)), constants()["project_key_hash_radix"])
    return f"{text[:limit]}-{digits}"


def _project_key(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    return {"key": project_key(args["path"])}


OPS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {"project_key": _project_key}
