"""What the client's requests show: the memory section, the injected index, the tools' results.

Only fixed strings of the wire are looked for here, and each one only here. If one of them changes
in a later version, the check at the start of every run says so (`wire-changed`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memassay_claude_code.errors import WireChangedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SECTION = re.compile(r"^# Memory\n[^`]*`(.*?/)`", re.MULTILINE)
_SECTION_END = re.compile(r"^# |^(`{3,}|~{3,})[^`\n]*$", re.MULTILINE)
_INDEX = re.compile(r"^Contents of (.*/MEMORY\.md) \([^()\n]*\):\n\n", re.MULTILINE)
_OPENING = "<system-reminder>\n"
USUAL_ENDING = "\n</system-reminder>"
"""What follows the injected index in its block, in 2.1.296. Earlier versions say more there.

Line ends behind it are not counted: versions, and the copies of one session, differ in them.
"""

_LAYER = re.compile(
    r"\n\nContents of (/[^\n]*|(?:[^\n]*/)?(?:CLAUDE|MEMORY)\.md) \(([^()\n]*)\):\n\n"
)
"""A layer's heading. In a configuration directory that is not absolute its path is not, either."""

_LABELS = (
    ("auto-memory", "auto-memory"),
    ("policy", "managed"),
    ("private global", "user"),
    ("private project", "local"),
    ("project instructions", "project"),
)
"""Words of a layer's label, and the kind of layer that has them; the first that fits counts."""

_ATTACHED = re.compile(r"(?:\A|\n\n)Contents of (/[^\n]*):\n\n")
_TOKENS_LEFT = re.compile(r"(?:\A|\n\n)<total_tokens>\d+ tokens left</total_tokens>\Z")
_GAP = "\n\n"
_WARNING = "> WARNING: MEMORY.md is "
_REMINDER = re.compile(r"^<system-reminder>This memory is (\d+) days? old\b", re.MULTILINE)
_NUMBERED = re.compile(r"^ *\d+(?:\t|→)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Window:
    """What of an index reached the model: the text without the warning, and the warning or None."""

    kept: str
    warning: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a Read of a file showed: days in a reminder or None, and whether it came first."""

    days: int | None
    before_content: bool | None


@dataclass(frozen=True, slots=True)
class Layer:
    """One instruction file as the model was shown it. `kind` is None where no label is shown."""

    file: str
    kind: str | None
    text: str


NOTHING = Window("", None)


def texts(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield role (`system` for the system prompt) and text of all that a request says in words."""
    for block in _blocks(body.get("system", [])):
        if block.get("type") == "text":
            yield "system", block["text"]
    for message in body.get("messages", []):
        for block in _blocks(message["content"]):
            if block.get("type") == "text":
                yield message["role"], block["text"]


def memory_dir(body: Mapping[str, Any]) -> str | None:
    """Return the directory that the memory section names, without its final slash; None without.

    Rule DIR-1 is seen here.
    """
    for role, text in texts(body):
        if role == "system" and (found := _SECTION.search(text)):
            return found[1].removesuffix("/") or "/"
    return None


def memory_section(body: Mapping[str, Any]) -> str | None:
    """Return the section of the system prompt about memory, from its heading; None without.

    It ends before the next heading of its level that is in no code block. Rule PRM-3 is seen here.
    """
    for role, text in texts(body):
        if role == "system" and (found := _SECTION.search(text)):
            return text[found.start() : _section_end(text, found.end())].strip()
    return None


def _section_end(text: str, start: int) -> int:
    fence = ""
    for found in _SECTION_END.finditer(text, start):
        if found[1] is None and not fence:
            return found.start()
        if found[1] is not None and not fence:
            fence = found[1]
        elif found[1] is not None and found[0].strip().startswith(fence):
            fence = ""
    return len(text)


def index_body(body: Mapping[str, Any], ending: str = USUAL_ENDING) -> str | None:
    """Return the index as it was injected, warning and all; None if nothing was.

    `ending` is what follows an index in its block. Raises `WireChangedError` if it does not.
    """
    rest = index_and_ending(body)
    return None if rest is None else _without(rest, ending, "index")


def index_copies(body: Mapping[str, Any], ending: str = USUAL_ENDING) -> list[str]:
    """Return every injected copy of the index, oldest first: a resumed session may have several.

    Raises `WireChangedError` if what follows a copy is not `ending`.
    """
    return [_without(found, ending, "index") for found in _indexes_and_endings(body)]


def _without(text: str, ending: str, what: str) -> str:
    """Return a block's text without its ending. `what` names the block in an error."""
    if not text.endswith(ending):
        raise WireChangedError(f"the block with the {what} ends in {text[-60:]!r}")
    return text[: len(text) - len(ending)]


def index_and_ending(body: Mapping[str, Any]) -> str | None:
    """Return what follows the heading of the index to the end of its block; None without one."""
    return next(_indexes_and_endings(body), None)


def _indexes_and_endings(body: Mapping[str, Any]) -> Iterator[str]:
    for role, text in texts(body):
        if role != "user" or not text.startswith("<system-reminder>"):
            continue
        found = _INDEX.search(text)
        if found is not None:
            yield text[found.end() :].rstrip("\n")


def window(body: Mapping[str, Any], ending: str = USUAL_ENDING) -> Window:
    """Return the injected index, its warning apart (IDX-7, IDX-8).

    An index that holds the warning's words itself must not be asked about (`looks_warned`).
    """
    text = index_body(body, ending)
    if text is None:
        return NOTHING
    # The warning stands alone if nothing is kept, so give it the gap that it has otherwise.
    kept, separator, rest = f"{_GAP}{text}".rpartition(f"{_GAP}{_WARNING}")
    return Window(kept.removeprefix(_GAP), _WARNING + rest) if separator else Window(text, None)


def looks_warned(text: str) -> bool:
    """Return whether an index holds words that could be taken for the client's warning."""
    return _WARNING in text


def layers_of(body: Mapping[str, Any], ending: str = USUAL_ENDING) -> list[Layer]:
    """Return the instruction files that a conversation starts with, in their order (LYR-1).

    A file that holds the heading of another one must not be asked about. `ending` is what follows
    the last one. Raises `WireChangedError` if the block is not as it is known.
    """
    for role, text in texts(body):
        if role == "user" and text.startswith("<system-reminder>") and _LAYER.search(text):
            parts = _LAYER.split(_without(text.rstrip("\n"), ending, "instructions"))
            rows = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
            return [Layer(file, _kind(label), words) for file, label, words in rows]
    return []


def _kind(label: str) -> str:
    for words, kind in _LABELS:
        if words in label:
            return kind
    raise WireChangedError(f"no known label of a layer: {label!r}")


def after_result(body: Mapping[str, Any], call: str) -> Iterator[str]:
    """Yield what the client said right after the result of a tool call, block by block.

    Versions differ in who says it and in what it is wrapped: a message of the system that ends in a
    count of tokens (2.1.296), one without (2.1.220), reminders of the user (2.1.332). Blocks come
    without all that.
    """
    found = False
    for message in body.get("messages", []):
        for block in _blocks(message["content"]):
            if not found:
                found = block.get("tool_use_id") == call
            elif message["role"] == "assistant":
                return
            elif block.get("type") == "text":
                yield _unwrapped(block["text"])


def _unwrapped(text: str) -> str:
    inner = text.removesuffix("\n")
    if inner.startswith(_OPENING) and inner.endswith(USUAL_ENDING):
        return inner[len(_OPENING) : -len(USUAL_ENDING)]
    return _TOKENS_LEFT.sub("", text)


def attached(body: Mapping[str, Any], call: str) -> list[Layer]:
    """Return the instruction files that came right after the result of a tool call, in order."""
    found: list[Layer] = []
    for text in after_result(body, call):
        if _ATTACHED.match(text):
            parts = _ATTACHED.split(text)
            rows = zip(parts[1::2], parts[2::2], strict=True)
            found += [Layer(file, None, words) for file, words in rows]
    return found


def tool_results(body: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of every tool result in a request, by the id of the call."""
    results = {}
    for message in body.get("messages", []):
        for block in _blocks(message["content"]):
            if block.get("type") == "tool_result":
                parts = _blocks(block.get("content") or [])
                words = [part["text"] for part in parts if part.get("type") == "text"]
                results[block["tool_use_id"]] = "\n".join(words)
    return results


def failed_tools(body: Mapping[str, Any]) -> set[str]:
    """Return the ids of the calls whose tool results in a request are errors."""
    return {
        block["tool_use_id"]
        for message in body.get("messages", [])
        for block in _blocks(message["content"])
        if block.get("type") == "tool_result" and block.get("is_error")
    }


def reading(result: str) -> Reading:
    """Return what the result of a Read says about the age of the file (STL-2)."""
    reminder = _REMINDER.search(result)
    if reminder is None:
        return Reading(None, None)
    content = _NUMBERED.search(result)
    return Reading(int(reminder[1]), content is None or reminder.start() < content.start())


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [{"type": "text", "text": x} if isinstance(x, str) else x for x in content]
