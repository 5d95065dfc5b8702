"""From what the user wrote to a way of connecting, and a digest of who answered."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict

from memassay.adapter.connection import never
from memassay.adapter.inprocess import InProcessConnection
from memassay.adapter.lines import LINE_LIMIT_BYTES
from memassay.adapter.messages import Implementation, Started
from memassay.adapter.pipe import START_LIMIT_S, PipeConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memassay.adapter.connection import Connect
    from memassay.adapter.inprocess import Answering


def connect_command(
    command: Sequence[str],
    *,
    start_limit_s: float = START_LIMIT_S,
    line_limit_bytes: int = LINE_LIMIT_BYTES,
) -> Connect:
    """Return how to connect to an adapter that speaks the protocol: `command` is its argv."""

    def connect(profile: str, cancelled: Callable[[], bool] = never) -> PipeConnection:
        return PipeConnection(
            command,
            profile,
            start_limit_s=start_limit_s,
            line_limit_bytes=line_limit_bytes,
            cancelled=cancelled,
        )

    return connect


def connect_program(command: str) -> Connect:
    """Return how to connect to a program that is run once a case (see `program`).

    `command` is one text, split into words as a shell would. Raises `StartError` if it cannot be.
    """
    from memassay.adapter.program import Program  # noqa: PLC0415 (seldom used)

    return Program(command)


def connect_callable(
    answering: Answering, *, implementation: Mapping[str, Any], ops: Iterable[str]
) -> Connect:
    """Return how to connect to a function of op, args and profile, in our own process.

    `implementation` is what a `started` message would say; `answering` returns the body of an
    answer: a mapping with `result`, `skipped` or `error`.
    """
    about = {**implementation, "targets": tuple(implementation.get("targets", ()))}
    started = Started(Implementation(**about), tuple(ops))

    def connect(profile: str, cancelled: Callable[[], bool] = never) -> InProcessConnection:  # noqa: ARG001 (it takes no time)
        return InProcessConnection(answering, started, profile)

    return connect


def connect_reference() -> Connect:
    """Return how to connect to the reference, in our own process."""
    from memassay_reference import adapter  # noqa: PLC0415 (only when it is asked for)

    ops = adapter.load_ops()
    return connect_callable(
        partial(adapter.answer, ops), implementation=adapter.implementation(), ops=sorted(ops)
    )


def digest(started: Started, command: Sequence[str]) -> str:
    """Return a SHA-256, in hex, of who answered: what it said of itself, and what was run.

    A word of the command that is a file counts by its contents and its last name, so the digest
    changes with the adapter and not with the directory it stands in.
    """
    about = {"started": asdict(started), "command": [_word(word) for word in command]}
    text = json.dumps(about, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _word(word: str) -> str | list[str]:
    path = Path(word)
    try:
        if not path.is_file():
            return word
        with path.open("rb") as file:
            return [path.name, hashlib.file_digest(file, "sha256").hexdigest()]
    except (OSError, ValueError):
        return word
