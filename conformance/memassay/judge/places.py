"""Taking a machine's paths out of an answer, so that the same behaviour is the same anywhere.

The root of a case's directory becomes `<TREE>`, its project key `<TREE-SLUG>`. A text that has
such a sign of its own keeps it, escaped: nothing is lost, and nobody can answer with the sign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

TREE = "<TREE>"
TREE_SLUG = "<TREE-SLUG>"

STAND_IN = "/memassay-tree"
"""The root in place of `<TREE>` wherever answers are judged: an absolute path like any other."""

MODEL = "<MODEL>"
"""In place of the address of the model that the runner plays."""

_OPEN = "<TREE"
_ESCAPED = "<TREE-LITERAL"
_SIGN = re.compile(r"<TREE(?:-LITERAL|-SLUG>|>)")
_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9]")
_STAND_IN_SLUG = _NOT_IN_KEYS.sub("-", STAND_IN)
_SHOWN = {_ESCAPED: _OPEN, TREE: STAND_IN, TREE_SLUG: _STAND_IN_SLUG}


def hide(value: Any, root: str | None) -> Any:
    """Return a JSON value with `root` and its key, in all texts, replaced by their signs.

    Without a root there is nothing to hide and the value comes back as it is.
    """
    if root is None:
        return value
    slug = _NOT_IN_KEYS.sub("-", root)

    def hidden(text: str) -> str:
        if _OPEN in text:
            text = text.replace(_OPEN, _ESCAPED)
        return text.replace(root, TREE).replace(slug, TREE_SLUG)

    return _in_texts(value, hidden)


def hide_url(value: Any, url: str) -> Any:
    """Return a JSON value with `url`, with or without its scheme, replaced by `<MODEL>`."""
    address = url.removeprefix("http://")
    return _in_texts(value, lambda text: text.replace(url, MODEL).replace(address, MODEL))


def show(value: Any) -> Any:
    """Return a JSON value that `hide` made, with the stand-in where the root was."""
    return _in_texts(value, _shown)


def _shown(text: str) -> str:
    # Whoever knows the stand-in and answers with it did not find the directory.
    text = text.replace(STAND_IN, f"{STAND_IN}?").replace(_STAND_IN_SLUG, f"{_STAND_IN_SLUG}?")
    return _SIGN.sub(lambda match: _SHOWN[match[0]], text) if _OPEN in text else text


def _in_texts(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key): _in_texts(child, change) for key, child in value.items()}
    if isinstance(value, list):
        return [_in_texts(child, change) for child in value]
    return value
