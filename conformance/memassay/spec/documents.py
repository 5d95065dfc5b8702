"""Reading one YAML file of the spec as plain JSON values, remembering where each value stood."""

from __future__ import annotations

import warnings
from math import isfinite
from typing import TYPE_CHECKING, Any

from attrs import frozen
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.scalarfloat import ScalarFloat
from ruamel.yaml.scalarint import ScalarInt

from memassay.spec.errors import SpecError, Where

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


Step = str | int


@frozen
class Document:
    """One YAML file: its plain value, and the 1-based line on which each part of it begins.

    `lines` has a part by the steps to it, joined by tabs: texts, so that a kept document is read in
    no time.
    """

    path: Path
    value: Any
    lines: dict[str, int]

    def line(self, steps: Sequence[Step]) -> int | None:
        """Return the line of the value at `steps`, or of its nearest ancestor that is known."""
        key = _key(steps)
        while key not in self.lines:
            if not key:
                return None
            key = key.rpartition("\t")[0]
        return self.lines[key]

    def where(self, steps: Sequence[Step] = (), id: str | None = None) -> Where:  # noqa: A002
        """Return the place of the value at `steps`, for an error."""
        return Where(self.path, self.line(steps), id)


def read_text(path: Path) -> str:
    """Return the text of `path`. Raises `SpecError` if it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(
            f"is not UTF-8: {error.reason} at byte {error.start}", Where(path)
        ) from None
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror}", Where(path)) from None


def read_document(path: Path) -> Document:
    """Read `path` as YAML 1.2.

    Raises `SpecError` (with file and line) if the file cannot be read, is not UTF-8, is not YAML,
    repeats a key, or holds a value that JSON has no word for, such as an unquoted date.
    """
    return parse_document(read_text(path), path)


def parse_document(text: str, path: Path) -> Document:
    """Parse `text` as `read_document` does; `path` only names it in errors."""
    yaml = YAML(typ="rt", pure=True)
    yaml.allow_duplicate_keys = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ReusedAnchorWarning)
            tree = yaml.load(text)
    except ReusedAnchorWarning as error:
        words = str(error).strip().splitlines()
        hint = "what refers to it after that would mean something else; name one of the two anew"
        raise SpecError(words[0], Where(path), hint) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        problem = error.problem or error.context or "is not valid YAML"
        raise SpecError(problem.strip(), Where(path, line)) from None
    except (
        YAMLError,
        ValueError,
        RecursionError,
        KeyError,
        IndexError,
        AttributeError,
        TypeError,
        AssertionError,
        NotImplementedError,
    ) as error:
        # ruamel.yaml lets some plain Python errors escape on mangled input; the reader of
        # the message needs the file all the same.
        raise SpecError(
            f"is not valid YAML ({type(error).__name__}: {error})", Where(path)
        ) from None
    lines: dict[str, int] = {}
    try:
        value = _plain(tree, (), lines, path)
    except RecursionError:
        raise SpecError("is nested too deeply, or contains itself", Where(path)) from None
    return Document(path, value, lines)


def _key(steps: Sequence[Step]) -> str:
    return "\t".join(map(str, steps))


def _plain(node: Any, steps: tuple[Step, ...], lines: dict[str, int], path: Path) -> Any:
    """Return a node of ruamel's tree as a plain value, noting the line of everything in it."""
    if isinstance(node, (CommentedMap, CommentedSeq)):
        line = lines.setdefault(_key(steps), node.lc.line + 1)
        places = node.lc.data or {}
        mapping = isinstance(node, CommentedMap)
        children = {}
        for key, child in node.items() if mapping else enumerate(node):
            if mapping and not isinstance(key, str):
                raise SpecError(f"the key {key!r} is not text", Where(path, line), "quote it")
            step = str(key) if mapping else key
            lines[_key((*steps, step))] = places[key][0] + 1 if key in places else line
            children[step] = _plain(child, (*steps, step), lines, path)
        return children if mapping else list(children.values())
    if node is None or isinstance(node, bool):
        return node
    for kind, plain in ((str, str), (ScalarInt, int), (int, int), (ScalarFloat, float)):
        if isinstance(node, kind):
            return plain(node)
    if isinstance(node, float) and isfinite(node):
        return node
    raise SpecError(
        f"{type(node).__name__} {node} is no JSON value",
        Where(path, lines.get(_key(steps))),
        hint="quote it to make it text",
    )
