"""The instruction layers as picc-memory has them (LYR-7): the simpler cousin of `layers`.

Nothing is stripped, included, conditional or excluded. The local files form a layer of their own
after all project files, and managed rules stand in `rules/` of the managed directory.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay_reference import layout
from memassay_reference.index_window import read_index
from memassay_reference.js_path import dirname, join
from memassay_reference.js_text import trim
from memassay_reference.memory_dir import PICC_MEMORY, locate_picc

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def start(args: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return file, kind and text of every layer, in order."""
    kinds: dict[str, str] = {}
    for path, kind in _files(args):
        kinds.setdefault(path, kind)  # a file belongs to the first layer that has it
    found = [(path, kind, read_text(path)) for path, kind in kinds.items()]
    complete = {**args, "env": args.get("env") or {}, "settings": args.get("settings") or {}}
    directory = locate_picc(complete)
    if directory is not None:
        window = read_index(Path(directory), PICC_MEMORY)
        text = "\n\n".join(filter(None, window))
        found.append((join(directory, layout.INDEX_NAME), "auto-memory", text))
    return [
        {"file": path, "kind": kind, "text": trim(text)} for path, kind, text in found if trim(text)
    ]


def _files(args: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    places = [("user", join(args["home"], ".claude"))]
    if args.get("managed_dir") is not None:
        places.insert(0, ("managed", args["managed_dir"]))
    for kind, place in places:
        yield join(place, "CLAUDE.md"), kind
        yield from ((path, kind) for path in _rules(join(place, "rules")))
    directories = [os.path.realpath(args["cwd"])]
    while directories[-1] != "/":
        directories.append(dirname(directories[-1]))
    for directory in reversed(directories):
        yield join(directory, "CLAUDE.md"), "project"
        yield join(directory, ".claude", "CLAUDE.md"), "project"
        yield from ((path, "project") for path in _rules(join(directory, ".claude/rules")))
    for directory in reversed(directories):
        yield join(directory, "CLAUDE.local.md"), "local"


def _rules(directory: str) -> list[str]:
    try:
        names = os.listdir(directory)  # noqa: PTH208 (paths are text)
    except OSError:
        return []
    return [join(directory, name) for name in names if name.endswith(".md")]


def read_text(path: str) -> str:
    """Return a file as text, U+FFFD for what is no UTF-8; empty if it cannot be read (LYR-5a)."""
    try:
        return Path(path).read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
