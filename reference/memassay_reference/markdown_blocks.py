"""Cutting Markdown into its top-level blocks, the way the client does. Chapter index-window.

The client finds HTML comments by lexing the index as Markdown, so whether a comment goes or stays
depends on the block it stands in (IDX-9a to IDX-9i). In 500 random documents its lexer behaved
like that of the published library marked 15 without GitHub's additions: CommonMark with oddities,
and the oddities are kept here. Only the top level matters: nothing inline, and nothing nested but
what decides where a block ends.

Most rules are functions of a text and a position that return where the block beginning there ends,
or −1 if none does. `blocks` asks them in a fixed order; a paragraph is what is left.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memassay_reference.js_text import JS_WHITESPACE
from memassay_reference.markdown_lists import list_end

if TYPE_CHECKING:
    from collections.abc import Callable

_ANY = r"[^\n\u2028\u2029]"  # JavaScript's `.` (there are no carriage returns left)
_SPACE = f"[{JS_WHITESPACE}]"  # JavaScript's `\s`
_VISIBLE = f"[^{JS_WHITESPACE}]"
_EOL = r"(?=\n|\Z)"
_LINE_BREAK = re.compile(r"[\n\u2028\u2029]")
_HR = r" {0,3}(?:(?:-[\t ]*){3,}|(?:_[\t ]*){3,}|(?:\*[\t ]*){3,})" + _EOL
_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details"
    "|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header"
    "|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param"
    "|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_RAW_TAGS = "script|pre|style|textarea"
_MAX_LOOKS = 50  # into a quote, and into quotes in it; after that its lines just go on


class Block(NamedTuple):
    """A block: what it is, and its text with the line ends that belong to it."""

    kind: str
    text: str


def blocks(text: str, *, in_item: bool = False, labels: set[str] | None = None) -> list[Block]:
    """Return the top-level blocks of a Markdown text whose line ends are all LF.

    Their texts joined are the text again, but for two oddities of the lexer: link definitions are
    no block, so they are lost (IDX-9j), and a quoted list that goes on without `>` comes out
    garbled (IDX-9k).

    Up to its first list, the text of a list's item has no paragraphs but lines of `text`: each may
    begin something else, and those that follow each other are one block. The labels of link
    definitions are added to `labels`.
    """
    found: list[Block] = []
    return _append_blocks(
        found, text, 0, in_item=in_item, labels=set() if labels is None else labels
    )


def _append_blocks(
    found: list[Block], text: str, depth: int, *, in_item: bool = False, labels: set[str]
) -> list[Block]:
    headings, quotes = _SetextHeadings(text), _Quotes(text)
    position = 0
    while position < len(text):
        kind, end = _next_block(text, position, headings, quotes)
        block = _quote(text, position, end, depth)[0] if kind == "quote" else text[position:end]
        if kind == "paragraph" and in_item:
            kind, block = "text", text[position:].partition("\n")[0]
        in_item = in_item and kind != "list"
        position += len(block)
        last = found[-1] if found else Block("", "")
        if kind == "space" and len(block) == 1 and found:
            found[-1] = Block(last.kind, last.text + "\n" * (last.kind != "text"))
        elif kind in ("code", "definition") and last.kind in ("paragraph", "text"):
            found[-1] = Block(last.kind, f"{last.text}\n{block}")
        elif kind == last.kind == "text":
            found[-1] = Block(kind, f"{last.text}\n{block}")
        elif kind == "definition":
            labels.add(label_key(_LABEL.findall(block)[0]))
        else:
            found.append(Block("code" if kind == "fence" else kind, block))
    return found


def _next_block(
    text: str, start: int, headings: _SetextHeadings, quotes: _Quotes
) -> tuple[str, int]:
    at = _visible_at(text, start)
    first = text[at : at + 1]
    if first == ">":
        return "quote", quotes.reach(start)
    for kind, rule in _RULES.get(first, ()):
        end = rule(text, start)
        if end >= 0:
            return kind, end
    end = headings.end(start)
    if end >= 0:
        return "heading", end
    return "paragraph", _paragraph_end(text, start)


def _visible_at(text: str, start: int) -> int:
    """Return where a line's first character after up to three blanks is."""
    end = start
    while end < start + 3 and text.startswith(" ", end):
        end += 1
    return end


# Blank lines, code, headings, rules

_SPACE_LINES = re.compile(r"(?:[ \t]*\n)+(?:[ \t]+\Z)?|[ \t]+\Z")
_CODE_LINE = re.compile(r"(?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*\n)*(?:[ \t]+\Z)?)?")
_FENCE = re.compile(rf" {{0,3}}(`{{3,}}(?=[^`\n]*{_EOL})|~{{3,}})[^\n]*(?:\n|\Z)")
_HEADING = re.compile(rf" {{0,3}}#{{1,6}}(?={_SPACE}|\Z){_ANY}*(?:\n+|\Z)")
_THEMATIC_BREAK = re.compile(_HR)


def _match_end(pattern: re.Pattern[str]) -> Callable[[str, int], int]:
    def end(text: str, start: int) -> int:
        found = pattern.match(text, start)
        return -1 if found is None else found.end()

    return end


def _code_end(text: str, start: int) -> int:
    """Lines indented by four spaces or a tab, and blank lines among and after them."""
    end = -1
    while found := _CODE_LINE.match(text, start):
        end = start = found.end()
        if text[end - 1] != "\n":
            break
    return end


def _fence_end(text: str, start: int) -> int:
    """Fenced code; a fence that is never closed runs to the end of the text."""
    opening = _FENCE.match(text, start)
    if opening is None:
        return -1
    close = re.compile(rf"(?<=\n) {{0,3}}{opening[1]}[~`]* *{_EOL}")
    found = close.search(text, opening.end())
    return len(text) if found is None else found.end()


class _SetextHeadings:
    """Headings made by a line of `=` or `-` below them.

    What may stand in them differs from what may stand in a paragraph: a comment that is followed by
    text on its line may, so it is not found when the heading is underlined.
    """

    _UNDERLINE = re.compile(r"\n {0,3}(?:=+|-+) *(?:\n+|\Z)")
    _STOP = re.compile(r"(?:[*+-]|[0-9]{1,9}[.)]) | {4}| {0,3}(?:\t|`{3}|~{3}|>|#|<[^\n>]+>\n)")
    _BLANK = re.compile(rf"{_SPACE}*?\n")

    def __init__(self, text: str) -> None:
        self._text = text
        self._none_before = 0  # no heading that begins before this position ends at all

    def end(self, start: int) -> int:
        """Return where the heading that begins at `start` ends, or −1."""
        if start < self._none_before:
            return -1
        text = self._text
        line = start
        while line < len(text) and not self._STOP.match(text, line):
            if line > start and self._BLANK.match(text, line):
                break
            line_end = _line_end(text, line)
            if underline := self._UNDERLINE.match(text, line_end):
                return underline.end()
            if not text.startswith("\n", line_end):
                break
            line = line_end + 1
        self._none_before = line
        return -1


def _line_end(text: str, start: int) -> int:
    """Return where the first line break is that JavaScript's `.` does not match."""
    found = _LINE_BREAK.search(text, start)
    return len(text) if found is None else found.start()


# Paragraphs

_INTERRUPTS = (
    rf"{_HR}| {{0,3}}#{{1,6}}(?:{_SPACE}|\Z)| {{0,3}}>"
    r"| {0,3}(?:`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*\n| {0,3}(?:[*+-]|1[.)]) "
    rf"|</?(?:{_BLOCK_TAGS})(?: +|\n|/?>)|<(?:{_RAW_TAGS}|!--)"
)
_PARAGRAPH_LINE = re.compile(rf"\n(?!{_INTERRUPTS}| +\n)[^\n]+")


def _paragraph_end(text: str, start: int) -> int:
    """Lines up to one that begins something else.

    Only a comment at the very start of a line does; an indented one goes on with the paragraph.
    """
    end = text.find("\n", start)
    while end >= 0:
        line = _PARAGRAPH_LINE.match(text, end)
        if line is None:
            return end
        end = line.end() if line.end() < len(text) else -1
    return len(text)


# Definitions

_DEFINITION = re.compile(
    rf" {{0,3}}\[(?!{_SPACE}*\])(?:\\{_ANY}|[^\[\]\\])+\]: *(?:\n[ \t]*)?"
    rf"(?:[^<{JS_WHITESPACE}]{_VISIBLE}*|<{_ANY}*?>)"
    r"(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)"
    r"(?:\"(?:\\\"?|[^\"\\])*\"|'[^'\n]*(?:\n[^'\n]+)*\n?'|\([^()]*\)))?"
    r" *(?:\n+|\Z)"
)

_LABEL = re.compile(r" {0,3}\[((?:\\.|[^\[\]\\])+)\]:", re.DOTALL)
_SPACES = re.compile(f"{_SPACE}+")


def label_key(label: str) -> str:
    """Return what a label and those that mean the same have in common."""
    return _SPACES.sub(" ", label.lower())


# HTML. A block of it goes on to what closes it, or to a blank line, or to the end of the text.

_ATTRIBUTE = r""" +[a-zA-Z:_][\w.:-]*(?: *= *"[^"\n]*"| *= *'[^'\n]*'| *= *[^\s"'=<>`]+)?"""
_BLANK_LINE = r"(?:\n[ \t]*)+\n"
_HTML = tuple(
    (re.compile(" {0,3}" + opening, re.IGNORECASE | re.ASCII), closing)
    for opening, closing in (
        (rf"<(?P<tag>{_RAW_TAGS})[{JS_WHITESPACE}>]", r"</{tag}>[^\n]*\n+"),
        (r"<!---?>", r"(?:\n+|\Z)"),
        (r"<!--", r"-->[^\n]*(?:\n+|\Z)"),
        (r"<\?", r"\?>\n*"),
        (r"<![A-Z]", r">\n*"),
        (r"<!\[CDATA\[", r"\]\]>\n*"),
        (rf"</?(?:{_BLOCK_TAGS})(?: +|\n|/?>)", _BLANK_LINE),
        (rf"<(?!{_RAW_TAGS})[a-z][\w-]*(?:{_ATTRIBUTE})*? */?>(?=[ \t]*(?:\n|\Z))", _BLANK_LINE),
        (rf"</(?!{_RAW_TAGS})[a-z][\w-]*{_SPACE}*>(?=[ \t]*(?:\n|\Z))", _BLANK_LINE),
    )
)


def _html_end(text: str, start: int) -> int:
    for opening, closing in _HTML:
        if found := opening.match(text, start):
            pattern = closing.format(**found.groupdict()) if "tag" in found.groupdict() else closing
            close = re.compile(pattern, re.IGNORECASE | re.ASCII).search(text, found.end())
            return len(text) if close is None else close.end()
    return -1


# Quotes

_QUOTE_MARK = re.compile(r" {0,3}> ?")
_QUOTED_UNDERLINE = re.compile(rf"\n {{0,3}}((?:=+|-+) *){_EOL}")
_MARKS = re.compile(r"(?:\A|(?<=[\n\u2028\u2029])) {0,3}>[ \t]?")


def quoted_blocks(quote: str, labels: set[str]) -> list[Block]:
    """Return the blocks in a quote, which `quote` is: its marked lines and the others in turns."""
    return _quote(quote, 0, len(quote), 0, labels)[1]


class _Quotes:
    """How far quotes may go: lines with `>`, and lines without that go on with a paragraph."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._reach = 0  # of the last quote, and of any that begins before it

    def reach(self, start: int) -> int:
        """Return where a quote that begins at `start` ends at the latest."""
        if start >= self._reach:
            self._reach = _quote_end(self._text, start)
        return self._reach


def _quote_end(text: str, start: int) -> int:
    end = -1
    while mark := _QUOTE_MARK.match(text, start):
        end = mark.end()
        if end < len(text) and text[end] != "\n":
            end = _paragraph_end(text, end)
        start = end + 1
    return min(start, len(text)) if end >= 0 else -1


def _quote(
    text: str, start: int, end: int, depth: int, labels: set[str] | None = None
) -> tuple[str, list[Block]]:
    """Return the text of a quote that begins at `start` and could go on up to `end`.

    Beside it stand the blocks in it; the last of them only if `labels` are to be found, too.
    Lines without `>` belong to it unless what they would go on with is code.
    """
    while end > start and text[end - 1] == "\n":
        end -= 1
    inner: list[Block] = []
    taken: list[str] = []
    while True:
        chunk_end = _chunk_end(text, start, end)
        chunk = text[start:chunk_end]
        taken.append(chunk)
        start = chunk_end + 1
        if start > end and labels is None:
            break
        if depth >= _MAX_LOOKS:
            taken.append(text[start:end])
            break
        chunk = _QUOTED_UNDERLINE.sub("\n    \\1", chunk)
        count = len(inner)
        found = set() if labels is None else labels
        _append_blocks(inner, _MARKS.sub("", chunk), depth + 1, labels=found)
        if 0 < count < len(inner) and inner[count - 1].kind == inner[count].kind == "paragraph":
            before = inner.pop(count - 1)
            inner[count - 1] = Block("paragraph", f"{before.text}\n{inner[count - 1].text}")
        last = inner[-1] if inner else Block("", "")
        if start > end or last.kind == "code":
            break
        if last.kind in ("quote", "list"):
            so_far = "\n".join(taken)
            keep = so_far[: max(0, len(so_far) - len(last.text))]
            text = f"{last.text}\n{text[start:end]}"
            if last.kind == "quote":
                whole = _quote(text, 0, _quote_end(text, 0), depth + 1)[0]
                inner[-1] = Block("quote", whole)
                return keep + whole, inner
            depth += 1
            start, end = list_end(text, 0), len(text)
            inner[-1] = Block("list", text[:start])
            taken = [keep + text[:start]]
    return "\n".join(taken), inner


def _chunk_end(text: str, start: int, end: int) -> int:
    """Return where the line ends after which the first without `>` follows one that has it."""
    marked = False
    line = start
    while line <= end:
        if _QUOTE_MARK.match(text, line):
            marked = True
        elif marked:
            return line - 1
        line_end = text.find("\n", line, end)
        if line_end < 0:
            break
        line = line_end + 1
    return end


_Rules = tuple[tuple[str, "Callable[[str, int], int]"], ...]
_BLANKS: _Rules = (("space", _match_end(_SPACE_LINES)), ("code", _code_end))
_LISTS: _Rules = (("list", list_end),)
_BREAK: _Rules = (("rule", _match_end(_THEMATIC_BREAK)),)
_RULES: dict[str, _Rules] = {
    **dict.fromkeys(("", *"\n\t "), _BLANKS),
    **dict.fromkeys("`~", (("fence", _fence_end),)),
    **dict.fromkeys("*-", _BREAK + _LISTS),
    **dict.fromkeys("+0123456789", _LISTS),
    "_": _BREAK,
    "#": (("heading", _match_end(_HEADING)),),
    "<": (("html", _html_end),),
    "[": (("definition", _match_end(_DEFINITION)),),
}
"""The rules to ask, in order, by the first character after an indentation of up to three blanks."""
