"""An implementation in our own process, behind the same connection as everybody else.

For the reference (`memassay run --reference`) and for tiny adapters in tests. There is no pipe, so
there is no time limit either: a callable that hangs cannot be ended.
"""

from __future__ import annotations

import traceback
from collections import deque
from typing import TYPE_CHECKING, Any

from memassay.adapter.messages import Fault, FaultKind
from memassay.adapter.protocol import complaint, is_answer, read_answer
from memassay.spec.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memassay.adapter.connection import Arrival
    from memassay.adapter.messages import Answer, Request, Started

    Answering = Callable[[str, dict[str, Any], str], Mapping[str, Any]]
    """From op, args and profile to the body of an answer: its `result`, `skipped` or `error`."""


class InProcessConnection:
    """A callable as a connection. See `Connection` for what its methods do."""

    max_open = 1

    backlogged = False

    def __init__(self, answering: Answering, started: Started, profile: str) -> None:
        self.started = started
        self._answering = answering
        self._profile = profile
        self._requests: deque[Request] = deque()

    def send(self, request: Request) -> None:
        """Keep one request for `receive`."""
        self._requests.append(request)

    def receive(self, timeout_s: float) -> Sequence[Arrival]:  # noqa: ARG002 (nothing to wait for)
        """Answer one request, here and now, however long it takes."""
        if not self._requests:
            return []
        request = self._requests.popleft()
        return [(request.id, self._answer(request))]

    def silence(self, time_limit_s: float) -> Fault:
        """Return `HANG`."""
        return Fault(FaultKind.HANG, f"no answer within {time_limit_s:g} s")

    def stderr_tail(self) -> str | None:
        """Return None: stderr is our own."""
        return None

    def finish(self) -> Sequence[Arrival]:
        """Forget everything."""
        self._requests.clear()
        return []

    def abort(self) -> None:
        """Forget everything."""
        self._requests.clear()

    def _answer(self, request: Request) -> Answer:
        try:
            body = self._answering(request.op, dict(request.args), self._profile)
            message = as_json({"id": request.id, **body})
        except Exception as error:  # noqa: BLE001 (whatever it is, it is an adapter's crash)
            trace = traceback.format_exc()
            return Fault(FaultKind.CRASH, f"it raised {type(error).__name__}: {error}", trace)
        if not is_answer(message):
            problem = complaint("answer", message) or "it is no `answer` message"
            return Fault(FaultKind.BAD_MESSAGE, f"a bad answer: {problem}")
        return read_answer(message)


def as_json(value: Any) -> Any:
    """Return `value` as it would be after a trip through JSON, without the trip.

    Tuples become lists, bytes `{"$bytes": base64}`; everything is a copy, so that nobody's later
    change reaches anybody else. What JSON has no word for stays, to be refused by the op's schema.
    """
    if isinstance(value, dict):
        return {key: as_json(child) for key, child in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(child) for child in value]
    return to_wire(value)
