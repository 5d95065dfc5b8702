"""What passes between the runner and an adapter, as values (protocol version 1)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

PROTOCOL = 1
"""The version of the adapter protocol that this runner speaks."""


@frozen
class Implementation:
    """What an adapter says about the implementation under test, in answer to `start`."""

    name: str
    version: str | None = None
    language: str | None = None
    homepage: str | None = None
    targets: tuple[str, ...] = ()


@frozen
class Started:
    """An adapter's answer to `start`: who it is, and the ops it owes."""

    implementation: Implementation
    ops: tuple[str, ...]


@frozen
class Request:
    """One `run` message. `args` is ready for the wire: bytes are `{"$bytes": base64}`."""

    id: int
    op: str
    args: Mapping[str, Any]


@frozen
class Result:
    """The adapter answered. `value` is as it came over the wire."""

    value: Any


@frozen
class Skipped:
    """The adapter declined one request of an op that it lists."""

    reason: str
    issue_url: str | None = None


@frozen
class Unsupported:
    """The adapter has no such op, and could not say so before it was asked (`--program` only)."""

    reason: str


@frozen
class Errored:
    """The implementation answered with an error of its own."""

    code: str
    message: str


class FaultKind(StrEnum):
    """What an adapter did instead of answering."""

    NOT_FOUND = "not-found"
    """The command cannot be started."""
    NO_START = "no-start"
    """It did not answer `start`, or with something else."""
    CRASH = "crash"
    """The process ended with the request open."""
    HANG = "hang"
    """No answer within the time limit."""
    GARBAGE = "garbage"
    """A line that is not a JSON object, or not UTF-8."""
    BAD_MESSAGE = "bad-message"
    """A message that its schema refuses."""
    WRONG_ID = "wrong-id"
    """An answer to a request that was never put."""
    DUPLICATE = "duplicate"
    """A second answer to one request."""
    FLOOD = "flood"
    """A line longer than the limit."""
    CLOSED = "closed"
    """It closed a pipe that the protocol needs."""
    CASSETTE = "cassette"
    """The recording that the case plays is missing or damaged; the adapter is not to blame."""


@frozen
class Fault:
    """The adapter, not the implementation, failed: there is no answer to judge."""

    kind: FaultKind
    message: str
    stderr: str | None = None


Answer = Result | Skipped | Unsupported | Errored | Fault


@frozen
class Trouble:
    """A connection broke, and no single request is to blame.

    `cases` names the requests that were open; each is put again on its own and gets its own answer
    or fault. A trouble that does not come back then is in no verdict: it must be told apart.
    """

    fault: Fault
    cases: tuple[str, ...] = ()


class Task(Protocol):
    """One case on its way to an adapter."""

    @property
    def op(self) -> str:
        """The op it asks for."""
        ...

    @property
    def name(self) -> str:
        """The case id, for messages."""
        ...

    def prepare(self) -> Mapping[str, Any]:
        """Make everything the case needs (its directory) and return the arguments for the wire.

        Called just before the request is sent, and again if it has to be sent again after a crash;
        the second call starts from nothing. A task whose answer is a `Fault` may never have been
        prepared: when the adapter is beyond help the rest is not put to it.
        """
        ...
