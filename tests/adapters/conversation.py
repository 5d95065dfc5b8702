"""Talking to an adapter process one message at a time, as its author would by hand."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memassay.spec.schemas import validator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ADAPTERS = Path(__file__).parents[2] / "adapters"

TIME_LIMIT_S = 60

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


class Conversation:
    """An adapter that has been started; every answer is checked against the message schemas."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._last_id = 0

    def write(self, line: bytes) -> None:
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def read(self, schema: str) -> dict[str, Any]:
        message = json.loads(self._process.stdout.readline())
        validator(f"messages/{schema}").validate(message)
        return message

    def start(self, profile: str = "claude-code") -> dict[str, Any]:
        self.write(json.dumps({"cmd": "start", "protocol": 1, "profile": profile}).encode() + b"\n")
        return self.read("started")

    def ask(self, op: str, *, ascii_only: bool = True, **args: Any) -> dict[str, Any]:
        """Put one request and return its answer without the id."""
        self._last_id += 1
        message = {"cmd": "run", "id": self._last_id, "op": op, "args": args}
        self.write(json.dumps(message, ensure_ascii=ascii_only).encode() + b"\n")
        answer = self.read("answer")
        assert answer.pop("id") == self._last_id
        return answer

    def end(self, *, stop: bool = True) -> tuple[int, str]:
        """Say `stop`, or only close the pipe, and return the exit code and all of stderr."""
        _, stderr = self._process.communicate(b'{"cmd":"stop"}\n' if stop else b"", TIME_LIMIT_S)
        return self._process.returncode, stderr.decode()


@contextmanager
def conversation(*command: str | Path, env: dict[str, str] | None = None) -> Iterator[Conversation]:
    with subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
    ) as process:
        try:
            yield Conversation(process)
        finally:
            process.kill()


def finish(
    command: Sequence[str | Path], stdin: bytes = b"", **options: Any
) -> tuple[int, bytes, str]:
    """Run a command to its end: exit code, stdout, stderr."""
    done = subprocess.run(
        [str(part) for part in command],
        input=stdin,
        capture_output=True,
        timeout=TIME_LIMIT_S,
        check=False,
        **options,
    )
    return done.returncode, done.stdout, done.stderr.decode()
