"""Who asked what, on one connection, and what the answers that come in mean for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memassay.adapter.messages import Fault, FaultKind
from memassay.adapter.protocol import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memassay.adapter.connection import Arrival
    from memassay.adapter.messages import Answer, Task


class Ledger:
    """The requests put on one connection: which are open, and what has been settled.

    The answer that came in last is held back until the next message arrives, the connection is
    finished, or whoever waits loses patience. A second answer that follows the first one is
    therefore blamed on the request that it answers twice, however the pipe cut the lines.
    """

    def __init__(self) -> None:
        self.open: dict[int, Task] = {}
        self._names: dict[int, str] = {}
        self._blamed: set[int] = set()
        self._held: tuple[int, Task, Answer] | None = None

    def put(self, number: int, task: Task) -> None:
        """Note that `task` goes out as request `number`."""
        self.open[number] = task
        self._names[number] = task.name

    def settle(
        self, arrivals: Sequence[Arrival], settled: list[tuple[Task, Answer]]
    ) -> Fault | None:
        """Take what came in; append to `settled` what is now certain.

        Returns the fault that ends the connection, if there is one that names no open request.
        """
        for number, answer in arrivals:
            if number is None:
                return answer if isinstance(answer, Fault) else None
            task = self.open.pop(number, None)
            if task is not None:
                settled.extend(self.release())
                self._held = (number, task, answer)
                if isinstance(answer, Fault):
                    self._blamed.add(number)
            elif number in self._blamed:
                continue  # it has its fault already
            elif self._held is not None and self._held[0] == number:
                self._held = (number, self._held[1], _twice())
                self._blamed.add(number)
            else:
                return self._stray(number, answer)
        return None

    def release(self) -> list[tuple[Task, Answer]]:
        """Return the answer that was held back, if there is one: nothing can change it now."""
        if self._held is None:
            return []
        _, task, answer = self._held
        self._held = None
        return [(task, answer)]

    def _stray(self, number: int, answer: Answer) -> Fault:
        if number in self._names:
            return _twice(f" to case {self._names[number]}, after others had followed the first")
        if isinstance(answer, Fault):
            return answer
        return Fault(
            FaultKind.WRONG_ID,
            f"an answer with the id {shown(number)}, which no request had",
        )


def _twice(more: str = "") -> Fault:
    return Fault(FaultKind.DUPLICATE, f"a second answer{more}")
