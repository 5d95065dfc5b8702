"""The op caching: which copies of the index each request carries over a session (CCH-1, CCH-2)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memassay_claude_code.bench import index_bytes, pointed_at
from memassay_claude_code.client import Visit
from memassay_claude_code.errors import CannotWitnessError, WireChangedError
from memassay_claude_code.messages_api import InTurn, ToolCall, UseTools
from memassay_claude_code.observe import failed_tools, index_copies, looks_warned
from memassay_claude_code.sandbox import Sandbox
from memassay_claude_code.session import Conversation

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memassay_claude_code.bench import Bench

    Args = Mapping[str, Any]
    Answer = dict[str, Any]

_HEADER = "---"


def caching(bench: Bench, args: Args) -> Answer:
    """Show the copies of the index in the request of each turn of a script."""
    steps = args["events"]
    for text in (args["index"], *(step["text"] for step in steps if "text" in step)):
        if looks_warned(text):
            raise CannotWitnessError("a text holds the words of the client's warning itself")
    with Sandbox() as sandbox:
        session = _Session(bench, sandbox)
        session.edit(args["index"])
        try:
            return {"turns": [copies for step in steps for copies in session.take(step)]}
        finally:
            session.close()


class _Session:
    """A session of the client over one or more processes, and its memory directory."""

    def __init__(self, bench: Bench, sandbox: Sandbox) -> None:
        self._bench = bench
        self._sandbox = sandbox
        self._index = sandbox.root / "memory" / "MEMORY.md"
        self._index.parent.mkdir()
        self._conversation: Conversation | None = None
        self._session_id: str | None = None

    def take(self, step: Mapping[str, Any]) -> list[list[str]]:
        """Do one step of the script; return the copies of each request it asks about."""
        kind = step["type"]
        if kind == "request":
            return [self._turn(InTurn([]))]
        if kind == "edit":
            self.edit(step["text"])
        elif kind == "write":
            self._write(step["text"])
        elif kind == "compact":
            self._open().compact()
        elif kind == "clear":
            self._open().clear()
        elif kind == "resume":
            self._resume()
        else:
            raise CannotWitnessError(f"there is no way to ask the client for {kind} from outside")
        return []

    def edit(self, text: str) -> None:
        """Change the index on disk, as another program would."""
        self._index.write_bytes(index_bytes(text))

    def close(self) -> None:
        """End the client."""
        if self._conversation is not None:
            self._conversation.close()

    def _turn(self, script: InTurn) -> list[str]:
        return index_copies(self._open().turn(script)[-1].body, self._bench.options.ending)

    def _write(self, text: str) -> None:
        """Let the model write the index with the client's own tool.

        Earlier versions (2.1.220) want a file to be read before it is written anew.
        """
        if text.startswith(_HEADER):
            raise CannotWitnessError("the client may change a text with a header as it writes it")
        call = ToolCall("write", "Write", {"file_path": str(self._index), "content": text})
        read = ToolCall("read", "Read", {"file_path": str(self._index)})
        body = self._open().turn(InTurn([UseTools((call,))]))[-1].body
        if "write" in failed_tools(body):
            again = replace(call, id="write-again")
            body = self._open().turn(InTurn([UseTools((read,)), UseTools((again,))]))[-1].body
        if "write-again" in failed_tools(body) or self._index.read_bytes() != index_bytes(text):
            raise WireChangedError("the client did not write the index as it was told")

    def _resume(self) -> None:
        if self._conversation is not None:
            # A process that was resumed and has taken no turn has not said its session's name yet.
            self._session_id = self._conversation.session_id or self._session_id
        if self._conversation is None or self._session_id is None:
            raise CannotWitnessError("there is no session yet that could be taken up again")
        self._conversation.finish()
        self._conversation = None
        self._conversation = self._start("--resume", self._session_id)

    def _open(self) -> Conversation:
        if self._conversation is None:
            self._conversation = self._start()
        return self._conversation

    def _start(self, *flags: str) -> Conversation:
        options = self._bench.options
        directory: Path = self._index.parent
        visit = Visit(
            cwd=str(self._sandbox.work),
            home=str(self._sandbox.home),
            flags=(*pointed_at(directory), "--allowedTools", "Write", *flags),
        )
        return Conversation(
            options.client,
            visit,
            self._sandbox,
            time_limit_s=options.time_limit_s,
            private=options.private,
            saved=True,
        )
