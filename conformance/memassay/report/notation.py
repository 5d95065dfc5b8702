"""A case's arguments and tree as its author wrote them, in short: `"-" + "😀" × 15,000`.

Builders are not expanded: a reader of a failure wants the recipe, not 30,000 characters.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

from memassay.judge.expectation import ABSENT, REST, UNTOUCHED
from memassay.judge.matchers import is_matcher
from memassay.report.visible import short, shown_bytes, visible
from memassay.spec.builders import fill, is_builder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

TREE = "<TREE>"
"""What stands for the root of a case's tree in every view."""


def notate(value: Any, limit: int = 60) -> str:
    """Return one value of a case on one line, builders as short formulas.

    Never fails: a value that its builder would refuse is shown as it stands.
    """
    if is_builder(value):
        (name,) = [key for key in value if key in _BUILDERS] or [None]
        try:
            return _BUILDERS[name](value, limit) if name else short(value, limit)
        except (TypeError, ValueError, KeyError, AttributeError, binascii.Error):
            return short(value, limit)
    if isinstance(value, dict):
        inner = ", ".join(f"{visible(str(k))}: {notate(v, limit)}" for k, v in value.items())
        return "{" + inner + "}"
    if isinstance(value, list):
        return "[" + ", ".join(notate(child, limit) for child in value) + "]"
    return short(value, limit)


def _repeat(value: Mapping[str, Any], limit: int) -> str:
    piece = notate(value["repeat"], limit)
    if is_builder(value["repeat"]):
        piece = f"({piece})"
    return f"{piece} × {value['times']:,}"


def _concat(value: Mapping[str, Any], limit: int) -> str:
    return " + ".join(notate(piece, limit) for piece in value["concat"]) or '""'


def _lines(value: Mapping[str, Any], limit: int) -> str:
    spec = value["lines"]
    shape = notate(spec["format"], limit)
    if "separator" in spec:
        shape = f"{shape} with {notate(spec['separator'], limit)} between"
    return f"lines {shape} for n = {spec['from']:,} to {spec['to']:,}"


def _base64(value: Mapping[str, Any], _: int) -> str:
    return shown_bytes(base64.b64decode(value["base64"], validate=True))


def _hex(value: Mapping[str, Any], _: int) -> str:
    return shown_bytes(bytes.fromhex(value["hex"]))


def _path(value: Mapping[str, Any], _: int) -> str:
    return TREE if value["path"] == "." else f"{TREE}/{visible(value['path'])}"


def _clock(value: Mapping[str, Any], _: int) -> str:
    offset = visible(str(value["clock_ms"]))
    if offset == "0":
        return "the case clock"
    return f"the case clock {'−' if offset.startswith('-') else '+'} {offset.removeprefix('-')}"


_BUILDERS: dict[str | None, Callable[[Mapping[str, Any], int], str]] = {
    "repeat": _repeat,
    "concat": _concat,
    "lines": _lines,
    "hex": _hex,
    "base64": _base64,
    "utf16": lambda value, _: f"UTF-16 units {visible(value['utf16'])}",
    "path": _path,
    "slug_of": lambda value, _: f"slug of {_path({'path': value['slug_of']}, 0)}",
    "clock_ms": _clock,
    "literal": lambda value, limit: short(value["literal"], limit),
}


def tree_lines(tree: Mapping[str, Any], limit: int = 60) -> Iterator[str]:
    """Yield one line for each node of a case's tree, in the order in which it is made."""
    for name, node in tree.items():
        path = visible(name)
        if isinstance(node, dict) and not is_builder(node):
            yield _node_line(path, node, limit)
        else:
            yield f"{path}: {notate(node, limit)}"


def _node_line(path: str, node: Mapping[str, Any], limit: int) -> str:
    shapes: dict[str, Callable[[], str]] = {
        "file": lambda: f"{path}: {notate(node['file'], limit)}",
        "dir": lambda: f"{path.removesuffix('/')}/",
        "symlink": lambda: f"{path} → {_target(node['symlink'])}",
        "fifo": lambda: f"{path}: a named pipe",
        "files": lambda: _family(path, node["files"], limit),
        "git": lambda: f"{path}/ is a git {_repository(node)}",
        "hardlink": lambda: f"{path}: the file {visible(str(node['hardlink']))} by another name",
        "move": lambda: f"{path} is {visible(str(node['move']))} renamed",
        "remove": lambda: f"{path} is removed again",
    }
    for key, shape in shapes.items():
        if key in node:
            extra = [f"{node['age']} old"] if "age" in node else []
            extra += [f"mode {node['mode']}"] if "mode" in node else []
            return " · ".join([shape(), *extra])
    return f"{path}: {short(node, limit)}"


def _target(target: Any) -> str:
    return notate(target) if isinstance(target, dict) else visible(str(target))


def _family(path: str, files: Any, limit: int) -> str:
    try:
        first, last = (fill(files["name"], files[end]) for end in ("from", "to"))
        count = files["to"] - files["from"] + 1
        text = notate(files.get("text", ""), limit)
    except (KeyError, TypeError, AttributeError, ValueError):
        return f"{path}: {short(files, limit)}"
    step = f", each {files['age_step']} older" if "age_step" in files else ""
    prefix = "" if path == "." else f"{path.removesuffix('/')}/"
    return f"{prefix}{first} … {last}: {count:,} files of {text}{step}"


def _repository(node: Mapping[str, Any]) -> str:
    kind = str(node["git"])
    for key, word in (("of", "of"), ("branch", "on branch"), ("b", "on branch"), ("from", "from")):
        if key in node:
            kind += f" {word} {node[key]}"
    if "separate_git_dir" in node:
        kind += f", its git directory in {node['separate_git_dir']}"
    return kind


def expect_lines(expect: Mapping[str, Any], limit: int = 60) -> Iterator[str]:
    """Yield one line for each part of a case's expectation, matchers in words."""
    for name, value in expect.items():
        if name == "tree" and isinstance(value, dict):
            rest = "everything else" if len(value) > 1 else "everything"
            for path, wanted in value.items():
                shown = wanted if wanted in (UNTOUCHED, ABSENT) else in_words(wanted, limit)
                yield f"afterwards {rest if path == REST else visible(path)}: {shown}"
        else:
            yield f"{visible(name)}: {in_words(value, limit)}"


def in_words(value: Any, limit: int = 60) -> str:
    """Return an expectation on one line, matchers in words: `contains "a" and line count 3`."""
    if not is_matcher(value):
        return notate(value, limit)
    return " and ".join(
        f"{name.replace('_', ' ')} {in_words(argument, limit)}" for name, argument in value.items()
    )
