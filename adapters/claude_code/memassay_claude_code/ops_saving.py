# Paths are texts here: what a case wrote must not be normalised.
# ruff: noqa: PTH118
"""Ops about saving a memory: topic_rewrite, topic_save, index_lint.

The model is played to call Write, Edit or Bash. What is on disk afterwards, and what the client
then says about the index, is the answer. The client has a session id and a clock of its own; where
it puts them, those of the request are put instead.
"""

from __future__ import annotations

import base64
import os
import posixpath
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

from memassay_claude_code.bench import DISABLED, pointed_at
from memassay_claude_code.client import Visit
from memassay_claude_code.errors import CannotWitnessError, ClientAskedError, WireChangedError
from memassay_claude_code.footprint import Footprint, case_roots
from memassay_claude_code.messages_api import InTurn, ToolCall, UseTools
from memassay_claude_code.observe import after_result, failed_tools, tool_results
from memassay_claude_code.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from memassay_claude_code.bench import Bench, Desk
    from memassay_claude_code.messages_api import ModelRequest, Script

    Args = Mapping[str, Any]
    Answer = dict[str, Any]

_INDEX = "MEMORY.md"
_TOOLS = "Read,Write,Edit,Bash"
_CALL = "toolu_memassay"
# What an Edit is played to take away; it stands at the end of the file and nowhere else.
_MARK = "zq8x-edited"
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_ISO_MS = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_CANARY = "- a line\n" * 201
_FEEDBACK = re.compile(
    r"^PostToolUse:\w+ hook additional context: [^\n]*"
    r"memory index at MEMORY\.md (?:is|at) (?P<shown>[^ ,]+(?: lines)?),"
    r" (?P<level>approaching the|over its) (?P<limit>[^ ]+) read limit\.[^\n]*"
    r" it to under (?P<target>[^ ]+(?: lines)?) now:",
    re.MULTILINE,
)
_LEVELS = {"approaching the": "approaching", "over its": "over"}
_MS_PER_S = 1000

_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}")
_BACKSLASH = r"\u005c"
_ESCAPED_CANARY = rf"{_BACKSLASH}u0041"
_CANARY_READ = r"\u0041"
_BLANK_LINE_END = re.compile("(?:[^\\S\r\n]|\ufeff)(?=[\r\n]|\\Z)")
_MARKDOWN = (".md", ".mdx")

_reading_escapes: WeakKeyDictionary[Bench, bool] = WeakKeyDictionary()
"""Of each bench that was asked whether the Write tool of its client reads escapes."""
_sees_feedback: WeakSet[Bench] = WeakSet()
"""The benches whose client was seen to say something about an index that is too long."""


@dataclass(frozen=True, slots=True)
class _Saved:
    """What a save left on disk, the requests of the turn, and when it began and ended (ISO)."""

    text: str
    requests: list[ModelRequest]
    began: str
    ended: str


def topic_rewrite(bench: Bench, args: Args) -> Answer:
    """Show what is on disk after a save (RWT-1 to RWT-5)."""
    saved = _save(bench, args)
    text = _renamed(saved, args)
    return {"text": text, "rewritten": saved.text != args["text"]}


def topic_save(bench: Bench, args: Args) -> Answer:
    """Let the client write a file of a real directory (RWT-1g, RWT-4c)."""
    directory, target = args["memory_dir"], args["file"]
    sent = _spelt(bench, args)
    roots = case_roots([directory, target])
    footprint = Footprint(roots)
    with Sandbox() as sandbox:
        visit = Visit(
            cwd=str(sandbox.work),
            home=str(sandbox.home),
            flags=(*pointed_at(directory), "--allowedTools", _TOOLS),
            binds=roots,
        )
        try:
            saved = _play(lambda script: bench.look_once(visit, sandbox, script), target, sent)
        except ClientAskedError:
            footprint.erase()
            return {"saved": False}
    # A session's start may make an index (BKF-1), which is not what a Write does.
    footprint.erase(keep=lambda path: path == target)
    _put(target, _renamed(saved, args).encode())
    return {"saved": True}


def index_lint(bench: Bench, args: Args) -> Answer:
    """Show what the client says about the index after a save (LNT-1, LNT-2)."""
    if bench not in _sees_feedback:
        if _feedback(_save(bench, {"file": _INDEX, "text": _CANARY})) is None:
            raise WireChangedError("the client says nothing about an index of 201 lines")
        _sees_feedback.add(bench)
    return {"feedback": _feedback(_save(bench, {"file": _INDEX, **args}))}


def _save(bench: Bench, args: Args) -> _Saved:
    """Let the client save a file, with the text that its tool must be given.

    Raises `CannotWitnessError` if it does not let the tool do what it is not asked for usually: a
    command in a shell that writes no topic, say. Of a topic that is an error of its own.
    """
    try:
        return _save_literally(bench, _spelt(bench, args))
    except ClientAskedError:
        if not _needs_leave(args):
            raise
        raise CannotWitnessError("the client does not let that tool write there") from None


def _needs_leave(args: Args) -> bool:
    """Return whether a save is not one of those that every client allows of itself."""
    path = posixpath.normpath(args["file"])
    is_topic = path.endswith(".md") and not path.startswith(("../", "/"))
    is_binary = args.get("tool") == "edit" and "\0" in args["text"]  # 2.1.332 edits no such file
    return args.get("tool", "write") == "shell" or not is_topic or is_binary


def _save_literally(bench: Bench, args: Args) -> _Saved:
    """Let the client save a file, at the shared desk if it needs no permission for it."""
    file, path = args["file"], posixpath.normpath(args["file"])
    if _needs_leave(args) or not args.get("enabled", True):
        return _save_once(bench, args)

    def work(desk: Desk) -> _Saved:
        target = os.path.join(desk.memory_dir, file)
        try:
            before = _before(args)
            index = before if path == _INDEX else None
            if before is not None and index is None:
                _put(target, before)
            return _play(lambda script: desk.look(index, script), target, args)
        finally:
            _take_away(target, str(desk.memory_dir))

    return bench.at_desk(work)


def _spelt(bench: Bench, args: Args) -> Args:
    r"""Return the arguments with the text that Write must be given to leave the one of the request.

    Write itself reads `\uXXXX` in what it is given, in any file, and leaves the character. So where
    there is one, each backslash is given in that form. Raises `CannotWitnessError` for what Write
    cannot leave.
    """
    text: str = args["text"]
    if args.get("tool", "write") != "write":
        return args
    if not args["file"].lower().endswith(_MARKDOWN) and _BLANK_LINE_END.search(text):
        raise CannotWitnessError("Write leaves no blanks at line ends, but in Markdown")
    if not _ESCAPE.search(text) or not _reads_escapes(bench):
        return args
    return {**args, "text": text.replace("\\", _BACKSLASH)}


def _reads_escapes(bench: Bench) -> bool:
    """Return whether the Write tool of this client reads escapes.

    Raises `WireChangedError` if it does otherwise than is known.
    """
    if bench not in _reading_escapes:
        left = _save_literally(bench, {"file": "a.md", "text": _ESCAPED_CANARY}).text
        if left not in (_ESCAPED_CANARY, _CANARY_READ):
            raise WireChangedError(f"Write was given {_ESCAPED_CANARY} and left {left[:120]!r}")
        _reading_escapes[bench] = left == _CANARY_READ
    return _reading_escapes[bench]


def _save_once(bench: Bench, args: Args) -> _Saved:
    """Let a client of its own save a file, with leave to use the tools anywhere."""
    with Sandbox() as sandbox:
        enabled = args.get("enabled", True)
        # Where memory is off, a directory that settings name is none (observation L08-disabled):
        # the default one is.
        directory = sandbox.root / "memory" if enabled else _default_directory(sandbox)
        directory.mkdir(parents=True)
        visit = Visit(
            cwd=str(sandbox.work),
            home=str(sandbox.home),
            env={} if enabled else DISABLED,
            flags=(*(pointed_at(directory) if enabled else ()), "--allowedTools", _TOOLS),
        )
        target = os.path.join(directory, args["file"])
        before = _before(args)
        if before is not None:
            _put(target, before)
        return _play(lambda script: bench.look_once(visit, sandbox, script), target, args)


def _default_directory(sandbox: Sandbox) -> Path:
    """Return the memory directory of the sandbox's project without settings (DIR-1, KEY-1)."""
    key = re.sub("[^A-Za-z0-9]", "-", str(sandbox.work))
    return sandbox.home / ".claude" / "projects" / key / "memory"


def _before(args: Args) -> bytes | None:
    """Return what must be in the file for the tool to leave the text of the request; None: no file.

    Raises `CannotWitnessError` for what no tool can leave there.
    """
    if args.get("tool", "write") != "edit":
        return None
    text: str = args["text"]
    line_feeds, returns = text.count("\n"), text.count("\r\n")
    if _MARK in text or returns not in (0, line_feeds):
        raise CannotWitnessError("Edit gives a file one kind of line ends; this text has two")
    try:
        return f"{text}{_MARK}".encode()
    except UnicodeEncodeError:
        raise CannotWitnessError("half a surrogate pair cannot stand in a file") from None


def _play(look: Callable[[Script], list[ModelRequest]], target: str, args: Args) -> _Saved:
    """Take the turn in which the file is saved, and return what came of it."""
    began = _now()
    calls = (ToolCall(_CALL, *_call(target, args)),)
    requests = look(InTurn([UseTools(calls)]))
    ended = _now()
    body = requests[-1].body
    result = tool_results(body).get(_CALL)
    if result is None:
        raise WireChangedError("the client did not send the result of a tool")
    if _CALL in failed_tools(body):
        raise ClientAskedError(f"{calls[0].name} was refused: {result[:120]!r}")
    try:
        # Normalised: the folder in `folder/../x.md` need not be there.
        with open(os.path.normpath(target), "rb") as file:  # noqa: PTH123
            content = file.read()
    except OSError as error:
        raise WireChangedError(f"{calls[0].name} left no file: {error.strerror}") from None
    return _Saved(content.decode(), requests, began, ended)


def _call(target: str, args: Args) -> tuple[str, dict[str, Any]]:
    """Return the tool and its input."""
    tool, text = args.get("tool", "write"), args["text"]
    if tool == "edit":
        return "Edit", {"file_path": target, "old_string": _MARK, "new_string": ""}
    if tool == "shell":
        coded = base64.b64encode(text.encode()).decode()
        return "Bash", {"command": f"printf %s {coded} | base64 -d > '{target}'"}
    return "Write", {"file_path": target, "content": text}


def _renamed(saved: _Saved, args: Args) -> str:
    """Return the text with the session and the time of the request where the client put its own.

    Raises `WireChangedError` if it put more than one of either.
    """
    text, given = saved.text, args["text"]
    sessions = set(_UUID.findall(text)) - set(_UUID.findall(given))
    times = set(_ISO_MS.findall(text)) - set(_ISO_MS.findall(given))
    if len(sessions) > 1 or len(times) > 1:
        raise WireChangedError(f"more than one id or time came into the file: {text[:200]!r}")
    for session in sessions:
        text = text.replace(session, args["session_id"])
    for moment in times:
        if not saved.began <= moment <= saved.ended:
            raise WireChangedError(f"the time {moment} is not that of the save")
        text = text.replace(moment, _iso(args["now_ms"]))
    return text


def _feedback(saved: _Saved) -> Answer | None:
    """Return what the client said about the index after the last tool, or None (LNT-1, LNT-2)."""
    found = [
        match
        for text in after_result(saved.requests[-1].body, _CALL)
        for match in _FEEDBACK.finditer(text)
    ]
    if not found:
        return None
    said = found[-1].groupdict()
    limit = said["limit"].replace("-line", " lines")
    return {
        "level": _LEVELS[said["level"]],
        "measure": "lines" if limit.endswith(" lines") else "size",
        "shown": said["shown"],
        "limit": limit,
        "target": said["target"],
    }


def _put(target: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
    with open(target, "wb") as file:  # noqa: PTH123
        file.write(content)


def _take_away(target: str, directory: str) -> None:
    """Delete the file, and the folders below the memory directory that the save made."""
    target = os.path.realpath(target)
    if os.path.lexists(target):
        os.unlink(target)  # noqa: PTH108
    folder = os.path.dirname(target)  # noqa: PTH120
    while folder.startswith(f"{directory}/"):
        os.rmdir(folder)  # noqa: PTH106
        folder = os.path.dirname(folder)  # noqa: PTH120


def _now() -> str:
    return _iso(time.time_ns() // 1_000_000)


def _iso(epoch_ms: int) -> str:
    seconds, rest = divmod(epoch_ms, _MS_PER_S)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03}Z"
