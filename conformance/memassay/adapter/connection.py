"""What the driver asks of a connection, whatever is at its other end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memassay.adapter.messages import Answer, Fault, Request, Started

    Arrival = tuple[int | None, Answer]
    """One thing that came in: the id of the request it answers, and the answer.

    The id is None for a `Fault` that names no request. Such a fault ends the connection.
    """


def never() -> bool:
    """Return False: nobody cancels."""
    return False


class Connection(Protocol):
    """One implementation under test that has introduced itself and takes requests.

    A connection belongs to one thread. It ends by `finish` (politely) or `abort` (now); both may
    be called twice, and after either of them no process is left.
    """

    @property
    def started(self) -> Started:
        """Who answers, and which ops."""
        ...

    @property
    def max_open(self) -> int:
        """How many requests it takes before it has answered one."""
        ...

    @property
    def backlogged(self) -> bool:
        """Whether so much waits to be written that sending more would only fill memory."""
        ...

    def send(self, request: Request) -> None:
        """Take one request; never waits for the other end."""
        ...

    def receive(self, timeout_s: float) -> Sequence[Arrival]:
        """Wait at most `timeout_s` seconds for something to come in, and return all that did.

        May return nothing earlier than that. A fault without an id comes last.
        """
        ...

    def silence(self, time_limit_s: float) -> Fault:
        """Return the fault of not having answered within `time_limit_s` seconds."""
        ...

    def stderr_tail(self) -> str | None:
        """Return the end of what the implementation wrote to stderr, or None if nothing."""
        ...

    def finish(self) -> Sequence[Arrival]:
        """Say `stop`, wait a little for the end, and return what still came in."""
        ...

    def abort(self) -> None:
        """End it now."""
        ...


class Connect(Protocol):
    """How to get a connection: called for the first one, for each further job, and to restart."""

    def __call__(self, profile: str, cancelled: Callable[[], bool] = never) -> Connection:
        """Start the implementation under test for `profile`; return when it has introduced itself.

        Raises `StartError` if it does not, or as soon as `cancelled()` is true.
        """
        ...
