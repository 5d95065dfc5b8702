"""Which files an instruction file includes: `@path` in its text. Chapter layers (LYR-3).

A path counts only where Markdown has text: not in code, not in HTML and its comments, not in a link
definition. Which places are text is decided block by block (`markdown_blocks`), lists and quotes
inwards, and then inside a paragraph (`markdown_inline`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memassay.spec import table
from memassay_reference.js_path import join, resolve
from memassay_reference.js_text import JS_WHITESPACE, trim
from memassay_reference.markdown_blocks import blocks, quoted_blocks
from memassay_reference.markdown_inline import plain_stretches
from memassay_reference.markdown_lists import list_items

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay_reference.markdown_blocks import Block

_SPACE = f"[{JS_WHITESPACE}]"
_MENTION = re.compile(rf"(?:\A|{_SPACE})@((?:[^{JS_WHITESPACE}\\]|\\ )+)")
_PLAIN_START = re.compile(r"[A-Za-z0-9._-]")
_ROOTED = ("./", "~/", "/")
_FRAGMENT = "#"

_LINE_END = re.compile(r"\r\n?")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_COMMENT_START = re.compile(r" {0,3}<!--")
_HASHES = re.compile(r" {0,3}#{1,6}(?!#)")
_CLOSING_HASHES = re.compile(r"(?:\A|(?<=[ \t]))#+\Z")
_MAX_DEPTH = 50  # of quotes and lists within each other


def include_paths(text: str, base_dir: str, home: str) -> list[str]:
    """Return the absolute paths that a text includes, in order, each once (LYR-3a, LYR-3b).

    `text` is without its frontmatter; relative paths begin at `base_dir`, `~/` at `home`.
    """
    if "@" not in text:
        return []
    found: dict[str, None] = {}
    for stretch in _stretches(_LINE_END.sub("\n", text)):
        for mention in _MENTION.finditer(stretch):
            path = _path(mention[1], base_dir, home)
            if path is not None:
                found[path] = None
    return list(found)


def has_text_type(path: str) -> bool:
    """Return whether a file may be included by its name: no extension, or a known one (LYR-3d)."""
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return not dot or not stem or extension.lower() in _extensions()


def _extensions() -> frozenset[str]:
    return frozenset(table("include-extensions")["extensions"].split())


def _path(written: str, base_dir: str, home: str) -> str | None:
    written = written.partition(_FRAGMENT)[0].replace("\\ ", " ")
    if written.startswith("~/"):
        return resolve("/", join(home, written[2:]))
    if written.startswith(_ROOTED) or _PLAIN_START.match(written):
        return resolve(base_dir, written)
    return None


def _stretches(text: str) -> Iterator[str]:
    """Yield the stretches of plain text in a Markdown text whose line ends are all LF."""
    labels: set[str] = set()  # of all link definitions, wherever they stand
    for is_source, words in list(_leaves(blocks(text, labels=labels), labels, 0)):
        yield from [words] if is_source else plain_stretches(words, labels)


def _leaves(found: list[Block], labels: set[str], depth: int) -> Iterator[tuple[bool, str]]:
    """Yield texts that hold no blocks, and of each whether it is searched as it is written.

    What stands right in a list's item is searched as it is written, marks and all, and then like
    any paragraph (LYR-3h).
    """
    if depth > _MAX_DEPTH:
        return
    for block in found:
        if block.kind == "html":
            if _COMMENT_START.match(block.text) and _COMMENT.search(block.text):
                yield True, _COMMENT.sub("", block.text)
        elif block.kind == "quote":
            yield from _leaves(quoted_blocks(block.text, labels), labels, depth + 1)
        elif block.kind == "list":
            for item in list_items(block.text):
                inside = blocks(item, in_item=True, labels=labels)
                yield from _leaves(inside, labels, depth + 1)
        elif block.kind == "heading":
            yield False, _heading(block.text)
        elif block.kind in {"paragraph", "text"}:
            if block.kind == "text":
                yield True, block.text
            yield False, block.text.rstrip("\n")


def _heading(block: str) -> str:
    """Return the words of a heading: without its hashes, or the line below it."""
    if hashes := _HASHES.match(block):
        return _CLOSING_HASHES.sub("", trim(block[hashes.end() :]))
    return block.rstrip("\n").rpartition("\n")[0]
