"""Conversations with the client: one turn in one process, or many turns in one.

Both return the requests that reached the scripted API. A conversation of many turns uses the
client's documented stream-json input; `/clear` begins it anew, and the client then reads its memory
index again (observation J12-clear).
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any

from memassay_claude_code.client import command, last_words, raise_for_exit, run
from memassay_claude_code.errors import (
    ClientAskedError,
    ClientHungError,
    WireChangedError,
)
from memassay_claude_code.messages_api import MessagesApi, SayOk
from memassay_claude_code.sandbox import end, start

if TYPE_CHECKING:
    from memassay_claude_code.client import Client, Visit
    from memassay_claude_code.messages_api import ModelRequest, Script
    from memassay_claude_code.sandbox import Sandbox

PROMPT = "please say hello"
"""What the user says in every turn; it holds nothing that the client could take for a command."""

_ONE_TURN = ("-p", PROMPT, "--no-session-persistence")
_MANY_TURNS = (
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--verbose",
)
_UNSAVED = "--no-session-persistence"


def one_turn(
    client: Client,
    visit: Visit,
    sandbox: Sandbox,
    *,
    time_limit_s: float,
    private: bool,
    script: Script | None = None,
) -> list[ModelRequest]:
    """Run one process for one turn and return its main requests, at least one.

    Raises a `WitnessError` that names what the client did instead, or `CannotWitnessError`.
    """
    with MessagesApi() as api:
        api.play(script or SayOk())
        argv, cwd, env = command(
            client, _ONE_TURN, visit, sandbox, base_url=api.url, private=private
        )
        status, out, err = run(argv, cwd, env, time_limit_s)
        requests = api.requests()
    if status != 0:
        raise_for_exit(status, out, err)
    return _need_requests(requests, out, err)


class Conversation:
    """One client process that takes many turns. Close it; it never closes itself.

    With `saved` the client keeps the session in its home, and `session_id` names it after a turn.
    """

    def __init__(
        self,
        client: Client,
        visit: Visit,
        sandbox: Sandbox,
        *,
        time_limit_s: float,
        private: bool,
        saved: bool = False,
    ) -> None:
        self.session_id: str | None = None
        self._time_limit_s = time_limit_s
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._tail: list[str] = []
        self._api = MessagesApi()
        flags = _MANY_TURNS if saved else (*_MANY_TURNS, _UNSAVED)
        argv, cwd, env = command(
            client, flags, visit, sandbox, base_url=self._api.url, private=private
        )
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the process)
        self._api.__enter__()
        self._process = start(
            argv,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def turn(self, script: Script | None = None) -> list[ModelRequest]:
        """Take one turn and return its main requests, at least one."""
        self._api.play(script or SayOk())
        self._say(PROMPT)
        self._await_result()
        return _need_requests(self._api.requests(), "\n".join(self._tail), self._diagnostics())

    def clear(self) -> None:
        """Begin the conversation anew with the client's own command."""
        self._say("/clear")
        self._await_result()

    def compact(self) -> None:
        """Compact the conversation with the client's own command; the summary is one word."""
        self._api.play(SayOk())
        self._say("/compact")
        self._await_result()

    def finish(self) -> None:
        """Say that there will be no more turns, and let the client come to its own end.

        Only then is a session sure to be written down: some versions (2.1.220) do it a moment after
        the turn. Raises `ClientHungError` if it does not end.
        """
        assert self._process.stdin is not None  # noqa: S101 (we asked for a pipe)
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(self._time_limit_s)
        except subprocess.TimeoutExpired:
            limit = f"{self._time_limit_s:g} s"
            raise ClientHungError(f"not ended {limit} after its last turn") from None
        finally:
            self.close()

    def close(self) -> None:
        """End the process and the API."""
        end(self._process)
        self._api.__exit__(None, None, None)
        self._errors.close()

    def _say(self, text: str) -> None:
        message = {"type": "user", "message": {"role": "user", "content": text}}
        line = json.dumps(message).encode() + b"\n"
        try:
            assert self._process.stdin is not None  # noqa: S101 (we asked for a pipe)
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):  # the latter: closed under us, at the witness's end
            self._fail_exited()

    def _await_result(self) -> None:
        deadline = time.monotonic() + self._time_limit_s
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                words = last_words("\n".join(self._tail), self._diagnostics())
                limit = f"{self._time_limit_s:g} s"
                raise ClientHungError(f"no result in {limit}; last words: {words}") from None
            if line is None:
                self._fail_exited()
            else:
                message = self._parse(line)
                if message.get("type") == "control_request":
                    subtype = message.get("request", {}).get("subtype", "?")
                    raise ClientAskedError(f"it sent a control request: {subtype}")
                if message.get("type") == "result":
                    self.session_id = message.get("session_id", self.session_id)
                    return

    def _parse(self, line: bytes) -> dict[str, Any]:
        self._tail = [*self._tail[-4:], line.decode("utf-8", "replace").strip()]
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise WireChangedError(f"its output is not one JSON object a line: {line[:80]!r}")
        return message

    def _fail_exited(self) -> None:
        status = self._process.wait()
        raise_for_exit(status, "\n".join(self._tail), self._diagnostics())

    def _diagnostics(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def _listen(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 (we asked for a pipe)
        try:
            for line in self._process.stdout:
                self._lines.put(line)
        except (OSError, ValueError):
            pass  # closed under us: the end all the same
        self._lines.put(None)


def _need_requests(requests: list[ModelRequest], out: str, err: str) -> list[ModelRequest]:
    if not requests:
        raise WireChangedError(
            "the client ended a turn without a request of the known form to the Messages API; "
            f"last words: {last_words(out, err)}"
        )
    return requests
