"""What an op is given to work with: the client, and ways to let it look at an index or a tree."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from memassay_claude_code.client import Visit
from memassay_claude_code.errors import CannotWitnessError, WireChangedError, WitnessError
from memassay_claude_code.observe import USUAL_ENDING, index_and_ending, memory_dir
from memassay_claude_code.sandbox import Sandbox
from memassay_claude_code.session import Conversation, one_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from memassay_claude_code.client import Client
    from memassay_claude_code.messages_api import ModelRequest, Script

Seen = TypeVar("Seen")

DISABLED = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
"""What a case with `enabled: false` sets (rule DIR-3)."""

_CANARY = "- the witness looks whether the index is read at all\n"
_CANARY_AGAIN = "- and whether it is read again after /clear\n"
_MAX_TURNS = 200
"""Turns after which a shared process is replaced, so that its memory does not grow for ever."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the witness works: `private` wants private roots, `isolate` one process a case.

    `ending` is what follows an injected index in its block (`Bench.learn_ending`).
    """

    client: Client
    time_limit_s: float
    private: bool = True
    isolate: bool = False
    ending: str = USUAL_ENDING


def pointed_at(directory: str | Path) -> tuple[str, ...]:
    """Return the documented flags that make `directory` the memory directory."""
    return ("--settings", json.dumps({"autoMemoryDirectory": str(directory)}))


class Bench:
    """One worker's place: it starts clients, and keeps one that many cases share.

    Not for two threads at once. Close it.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self._desk: Desk | None = None

    def look_once(
        self, visit: Visit, sandbox: Sandbox, script: Script | None = None
    ) -> list[ModelRequest]:
        """Start a client for one turn and return its main requests."""
        return one_turn(
            self.options.client,
            visit,
            sandbox,
            time_limit_s=self.options.time_limit_s,
            private=self.options.private,
            script=script,
        )

    def look_at_index(self, content: bytes) -> Mapping[str, Any]:
        """Return the body of the first request of a conversation whose MEMORY.md is `content`."""
        return self.at_desk(lambda desk: desk.look(content)[0].body)

    def at_desk(self, work: Callable[[Desk], Seen]) -> Seen:
        """Do `work` at a desk and return what it returns.

        The desk is the shared one, or a new one for this case alone (`isolate`). If a shared client
        fails, the case gets a second chance at a desk of its own: the fault may be an older one.
        """
        if not self.options.isolate:
            try:
                return work(self._shared_desk())
            except WitnessError:
                self._close_desk()
        return self.at_new_desk(work)

    def at_new_desk(self, work: Callable[[Desk], Seen], place: str | None = None) -> Seen:
        """Do `work` at a desk made for it, below `place` if that is given."""
        desk = Desk(self.options, place)
        try:
            return work(desk)
        finally:
            desk.close()

    def learn_ending(self) -> str:
        """Return what follows an injected index in its block, learnt from two known ones.

        Raises a `WitnessError` that says what the client does instead of injecting them.
        """
        return self.at_new_desk(Desk.learn_ending)

    def close(self) -> None:
        """End the shared client."""
        self._close_desk()

    def _shared_desk(self) -> Desk:
        if self._desk is not None and self._desk.turns >= _MAX_TURNS:
            self._close_desk()
        if self._desk is None:
            self._desk = Desk(self.options)
            self._desk.prove()
        return self._desk

    def _close_desk(self) -> None:
        if self._desk is not None:
            self._desk.close()
            self._desk = None


class Desk:
    """A memory directory, and one client process that looks at it as often as it is asked."""

    def __init__(self, options: Options, place: str | None = None) -> None:
        self.turns = 0
        self._options = options
        self._sandbox = Sandbox(place)
        self._conversation: Conversation | None = None
        self.memory_dir = self._sandbox.root / "memory"
        self.memory_dir.mkdir()

    def look(self, content: bytes | None, script: Script | None = None) -> list[ModelRequest]:
        """Make `content` the index (None: none), begin anew, and return the requests of a turn."""
        index = self.memory_dir / "MEMORY.md"
        index.unlink(missing_ok=True)
        if content is not None:
            index.write_bytes(content)
        if self._conversation is None:
            self._conversation = self._open()
        else:
            self._conversation.clear()
        self.turns += 1
        requests = self._conversation.turn(script)
        if memory_dir(requests[0].body) != str(self.memory_dir):
            raise WireChangedError("the memory section does not name the directory that was set")
        return requests

    def learn_ending(self) -> str:
        """Return what follows an index in its block.

        Raises `WireChangedError` unless this client injects an index as it stands, and reads it
        again after `/clear`.
        """
        endings = []
        for content in (_CANARY, _CANARY_AGAIN):
            index = content.strip()
            seen = index_and_ending(self.look(content.encode())[0].body) or ""
            if not seen.startswith(index):
                raise WireChangedError(f"of the index {index!r} comes {seen[: len(index)]!r}")
            endings.append(seen[len(index) :])
        if endings[0] != endings[1] or not endings[0]:
            raise WireChangedError("what follows the index in its block is not the same each time")
        return endings[0]

    def prove(self) -> None:
        """Make sure that this client, too, does what `learn_ending` has found.

        Raises `WireChangedError` if it does not.
        """
        if self.learn_ending() != self._options.ending:
            raise WireChangedError("what follows the index in its block has changed")

    def close(self) -> None:
        """End the client and delete the directory."""
        if self._conversation is not None:
            self._conversation.close()
        self._sandbox.remove()

    def _open(self) -> Conversation:
        visit = Visit(
            cwd=str(self._sandbox.work),
            home=str(self._sandbox.home),
            flags=(*pointed_at(self.memory_dir), "--allowedTools", "Read"),
        )
        return Conversation(
            self._options.client,
            visit,
            self._sandbox,
            time_limit_s=self._options.time_limit_s,
            private=self._options.private,
        )


def index_bytes(text: str) -> bytes:
    """Return a text as the bytes of a file.

    Raises `CannotWitnessError` for half a surrogate pair: no file holds one.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise CannotWitnessError("half a surrogate pair cannot stand in a file") from None
