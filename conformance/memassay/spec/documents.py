"""Reading one YAML file of the spec as plain JSON values, remembering where each value stood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.scalarfloat import ScalarFloat
from ruamel.yaml.scalarint import ScalarInt

from memassay.spec.errors import SpecError, Where

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


Step = str | int


@frozen
class Document:
    """One YAML file: its plain value, and the 1-based line on which each part of it begins."""

    path: Path
    value: Any
    lines: dict[tuple[Step, ...], int]

    def line(self, steps: Sequence[Step]) -> int | None:
        """Return the line of the value at `steps`, or of its nearest ancestor that is known."""
        key = tuple(steps)
        while key not in self.lines:
            if not key:
                return None
            key = key[:-1]
        return self.lines[key]

    def where(self, steps: Sequence[Step] = (), id: str | None = None) -> Where:  # noqa: A002
        """Return the place of the value at `steps`, for an error."""
        return Where(self.path, self.line(steps), id)


def read_document(path: Path) -> Document:
    """Read `path` as YAML 1.2.

    Raises `SpecError` (with file and line) if the file cannot be read, is not UTF-8, is not YAML,
    repeats a key, or holds a value that JSON has no word for, such as an unquoted date.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(
            f"is not UTF-8: {error.reason} at byte {error.start}", Where(path)
        ) from None
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror}", Where(path)) from None
    return parse_document(text, path)


def parse_document(text: str, path: Path) -> Document:
    """Parse `text` as `read_document` does; `path` only names it in errors."""
    yaml = YAML(typ="rt", pure=True)
    yaml.allow_duplicate_keys = False
    try:
        tree = yaml.load(text)
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
    lines: dict[tuple[Step, ...], int] = {}
    try:
        value = _plain(tree, (), lines, path)
    except RecursionError:
        raise SpecError("is nested too deeply, or contains itself", Where(path)) from None
    return Document(path, value, lines)


def _plain(
    node: Any, steps: tuple[Step, ...], lines: dict[tuple[Step, ...], int], path: Path
) -> Any:
    if isinstance(node, CommentedMap):
        lines.setdefault(steps, node.lc.line + 1)
        result = {}
        for key, child in node.items():
            if not isinstance(key, str):
                line = lines.get(steps)
                raise SpecError(f"the key {key!r} is not text", Where(path, line), "quote it")
            here = (*steps, str(key))
            lines[here] = node.lc.data[key][0] + 1 if key in (node.lc.data or {}) else lines[steps]
            result[str(key)] = _plain(child, here, lines, path)
        return result
    if isinstance(node, CommentedSeq):
        lines.setdefault(steps, node.lc.line + 1)
        result = []
        for index, child in enumerate(node):
            here = (*steps, index)
            data = node.lc.data or {}
            lines[here] = data[index][0] + 1 if index in data else lines[steps]
            result.append(_plain(child, here, lines, path))
        return result
    if node is None or isinstance(node, bool):
        return node
    if isinstance(node, str):
        return str(node)
    if isinstance(node, ScalarInt) or type(node) is int:
        return int(node)
    if isinstance(node, ScalarFloat) or type(node) is float:
        return float(node)
    line = None
    for cut in range(len(steps), -1, -1):
        if steps[:cut] in lines:
            line = lines[steps[:cut]]
            break
    raise SpecError(
        f"{type(node).__name__} is no JSON value",
        Where(path, line),
        hint="quote it to make it text",
    )
