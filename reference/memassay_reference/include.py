"""Which files an instruction file includes: `@path` in its text. Chapter layers (LYR-3).

A path counts only where Markdown has text: not in code, not in HTML and its comments, not in a link
definition. Which places are text is decided block by block (`markdown_blocks`), lists and quotes
inwards, and then inside a paragraph; the part inside a paragraph is a sketch of CommonMark that
knows code spans, tags, escapes, emphasis, links and images.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memassay.spec import table
from memassay_reference.js_path import join, resolve
from memassay_reference.js_text import JS_WHITESPACE
from memassay_reference.markdown_blocks import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = f"[{JS_WHITESPACE}]"
_MENTION = re.compile(rf"(?:\A|{_SPACE})@((?:[^{JS_WHITESPACE}\\]|\\ )+)")
_PLAIN_START = re.compile(r"[A-Za-z0-9._-]")
_ROOTED = ("./", "~/", "/")
_FRAGMENT = "#"

_LINE_END = re.compile(r"\r\n?")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_COMMENT_START = re.compile(r" {0,3}<!--")
_QUOTE_MARK = re.compile(r"^ {0,3}> ?", re.MULTILINE)
_ITEM = re.compile(r"( {0,3})([*+-]|[0-9]{1,9}[.)])([ \t]{1,4}(?=[^ \t\n])|[ \t]|$)")
_MAX_DEPTH = 50  # of quotes and lists within each other

# What is no text inside a paragraph, or is text of its own. The bounds keep unclosed marks cheap.
_INLINE = re.compile(
    r"\\[!-/:-@\[-`{-~]"  # an escape
    r"|(?P<ticks>`+)(?!`).{1,2000}?(?<!`)(?P=ticks)(?!`)"  # a code span
    r"|<!--.{0,2000}?-->|</?[A-Za-z][^<>]*>"  # a comment, a tag or an address in angle brackets
    r"|!\[[^\[\]]*\]\([^()]*\)"  # an image
    r"|\[(?P<label>[^\[\]]*)\]\([^()]*\)"  # a link
    r"|(?P<marks>(?<![A-Za-z0-9@*_])(?:\*{1,3}|_{1,3})|(?<![*_])\*{1,3}(?=[A-Za-z0-9]))"  # emphasis
    rf"(?=[^{JS_WHITESPACE}*_])"
    rf"(?P<inner>.{{0,2000}}?[^{JS_WHITESPACE}*_])(?P=marks)(?![A-Za-z0-9*_])",
    re.DOTALL,
)


def include_paths(text: str, base_dir: str, home: str) -> list[str]:
    """Return the absolute paths that a text includes, in order, each once (LYR-3a, LYR-3b).

    `text` is without its frontmatter; relative paths begin at `base_dir`, `~/` at `home`.
    """
    if "@" not in text:
        return []
    found: dict[str, None] = {}
    for stretch in _stretches(_LINE_END.sub("\n", text), 0):
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


def _stretches(text: str, depth: int, *, in_item: bool = False) -> Iterator[str]:
    """Yield the stretches of plain text in a Markdown text whose line ends are all LF.

    A paragraph right in a list's item is first taken as it is written, marks and all (LYR-3h).
    """
    if depth > _MAX_DEPTH:
        return
    for block in blocks(text):
        if block.kind == "html":
            if _COMMENT_START.match(block.text) and _COMMENT.search(block.text):
                yield _COMMENT.sub("", block.text)
        elif block.kind == "quote":
            yield from _stretches(_QUOTE_MARK.sub("", block.text), depth + 1)
        elif block.kind == "list":
            for item in _items(block.text):
                yield from _stretches(item, depth + 1, in_item=True)
        elif block.kind == "heading":
            yield from _inline(block.text.lstrip(" ").lstrip("#"))
        elif block.kind == "paragraph":
            if in_item:
                yield block.text
            yield from _inline(block.text.lstrip(" \n"))


def _items(block: str) -> Iterator[str]:
    """Yield the texts of a list's items, without marker and indentation."""
    lines: list[str] = []
    columns = 0
    for line in block.split("\n"):
        marker = _ITEM.match(line)
        if marker is not None and (not lines or len(marker[1]) < columns):
            if lines:
                yield "\n".join(lines)
            columns = len(marker[0])
            lines = [line[columns:]]
        else:
            spaced = line.replace("\t", "    ")
            indent = len(spaced) - len(spaced.lstrip(" "))
            lines.append(spaced[min(indent, columns) :])
    yield "\n".join(lines)


def _inline(text: str) -> Iterator[str]:
    start = 0
    for mark in _INLINE.finditer(text):
        yield text[start : mark.start()]
        for text_of_its_own in (mark["label"], mark["inner"]):
            if text_of_its_own:
                yield from _inline(text_of_its_own)
        start = mark.end()
    yield text[start:]
