"""Questions like a given one with one piece less, for making a disagreement short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.fuzz.drawn import Drawn

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_LOOSE = frozenset({"env", "settings"})
"""Arguments that are mappings of anything: each entry of them can go."""

_WORDS = frozenset({"session_id", "tool", "type"})
"""Keys whose values are words of the op, or names: a part of them is none."""


def shorter_ones(drawn: Drawn, required: Collection[str]) -> Iterator[Drawn]:
    """Yield questions with one piece less: a file, a part, half of a repetition, a character.

    `required` are the arguments that a question cannot do without. The tree of some of them cannot
    be made: a worktree of a repository that is gone.
    """
    if drawn.tree is not None:
        for path, node in drawn.tree.items():
            rest = {key: value for key, value in drawn.tree.items() if key != path}
            if node != {"dir": True}:
                yield Drawn(drawn.args, rest)
            for less in _less(node):
                yield Drawn(drawn.args, {**drawn.tree, path: less})
    for name, value in drawn.args.items():
        if name not in required:
            yield Drawn({key: one for key, one in drawn.args.items() if key != name}, drawn.tree)
        for less in () if name in _WORDS else _less(value, loose=name in _LOOSE):
            if less not in ("", {"concat": [""]}):
                yield Drawn({**drawn.args, name: less}, drawn.tree)


def _less(value: Any, *, loose: bool = False) -> Iterator[Any]:
    """Yield values like `value` that are smaller; `loose` mappings lose whole entries."""
    if isinstance(value, str):
        yield from _less_text(value)
    elif isinstance(value, list):
        yield from _less_list(value)
    elif isinstance(value, dict):
        built = _SMALLER.keys() & value.keys()
        if loose and not built:
            yield from _less_mapping(value)
        elif "type" in value:
            for key in value.keys() - _WORDS:
                yield from ({**value, key: less} for less in _less(value[key]))
        for key in built:
            yield from _SMALLER[key](value)


def _less_text(text: str) -> Iterator[str]:
    for size in (len(text) // 2, 1):
        if 0 < size < len(text):
            for at in range(0, len(text), size):
                yield text[:at] + text[at + size :]


def _less_list(items: list[Any], *, spared: int = 0) -> Iterator[list[Any]]:
    for at, item in enumerate(items):
        if len(items) > 1 and at >= spared:
            yield [*items[:at], *items[at + 1 :]]
        for less in _less(item):
            yield [*items[:at], less, *items[at + 1 :]]


def _less_mapping(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for key, item in value.items():
        yield {name: one for name, one in value.items() if name != key}
        for less in _less(item, loose=True):
            yield {**value, key: less}


def _less_concat(value: dict[str, Any]) -> Iterator[Any]:
    parts = value["concat"]
    begins_a_path = isinstance(parts[0], dict) and "path" in parts[0]
    for less in _less_list(parts, spared=int(begins_a_path)):
        yield {"concat": less}


def _less_repeat(value: dict[str, Any]) -> Iterator[Any]:
    for times in dict.fromkeys((1, value["times"] // 2, value["times"] - 1)):
        if 0 < times < value["times"]:
            yield {**value, "times": times}


def _less_file(value: dict[str, Any]) -> Iterator[Any]:
    for less in _less(value["file"]):
        yield {**value, "file": less}


def _less_files(value: dict[str, Any]) -> Iterator[Any]:
    family = value["files"]
    for last in dict.fromkeys((family["from"], family["to"] // 2, family["to"] - 1)):
        if family["from"] <= last < family["to"]:
            yield {"files": {**family, "to": last}}


_SMALLER = {
    "concat": _less_concat,
    "repeat": _less_repeat,
    "file": _less_file,
    "files": _less_files,
}
