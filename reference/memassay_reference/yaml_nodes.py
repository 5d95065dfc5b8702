"""Composing YAML into nodes, as laxly as the client's parser does: the ground of both readers.

`frontmatter` reads a header's texts off the nodes, `yaml_values` makes whole values of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.reader import Reader

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node


class UnreadableError(ValueError):
    """A text is not one YAML document that the client can read."""


class _LenientReader(Reader):
    """ruamel's reader without its refusal of control characters: the client's parser takes them."""

    def check_printable(self, data: Any) -> None:
        """Accept everything."""


def compose(source: str) -> Node | None:
    """Return the root node of a document, or None if it is empty.

    Raises `UnreadableError` if it is broken, holds NUL or more than one document.
    """
    if "\0" in source:
        raise UnreadableError("NUL")
    yaml = YAML(typ="safe", pure=True)
    yaml.Reader = _LenientReader
    try:
        yaml.composer.warn_double_anchors = False
        return yaml.compose(source)
    except (YAMLError, ValueError, RecursionError, LookupError, TypeError, AttributeError,
            ArithmeticError, AssertionError, NotImplementedError) as error:  # fmt: skip
        # ruamel lets some plain Python errors escape on mangled input
        raise UnreadableError(str(error)) from None
