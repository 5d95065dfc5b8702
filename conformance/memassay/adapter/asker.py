"""One adapter kept alive and asked one case at a time, for callers that cannot wait for more.

The pytest plugin is one: an item wants its answer before the next item begins. A whole run is the
driver's business; it is many times faster.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from attrs import evolve

from memassay.adapter.driver import MAX_RESTARTS, TIME_LIMIT_S, Driver
from memassay.adapter.errors import StartError
from memassay.adapter.ledger import Ledger
from memassay.adapter.messages import Fault, FaultKind, Request

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from memassay.adapter.connection import Connect, Connection
    from memassay.adapter.messages import Answer, Started, Task


class Asker:
    """An adapter, started at once. A context manager: leaving it ends the process.

    Raises `StartError` if the adapter does not start. After a fault it is started again for the
    next question; after `max_restarts` faults in a row it is not, and every answer is a fault.
    """

    def __init__(
        self,
        connect: Connect,
        *,
        profile: str,
        time_limit_s: float = TIME_LIMIT_S,
        max_restarts: int = MAX_RESTARTS,
    ) -> None:
        self._connect = connect
        self._profile = profile
        self._time_limit_s = time_limit_s
        self._max_restarts = max_restarts
        self._faults_in_a_row = 0
        self._number = 0
        self._given_up = Fault(FaultKind.NO_START, "not put: there is no adapter")
        self._ledger = Ledger()
        self._broken: Fault | None = None
        self._connection: Connection | None = connect(profile)
        self.started: Started = self._connection.started

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def driver(self) -> Driver:
        """Return a driver of a further process of the same adapter, for many questions at once."""
        return Driver(self._connect, profile=self._profile, time_limit_s=self._time_limit_s)

    def close(self) -> None:
        """End the process."""
        if self._connection is not None:
            self._connection.finish()
            self._connection = None

    def ask(self, task: Task) -> Answer:
        """Prepare one task, put it, and return its answer.

        If the connection broke after the last answer, with nothing open, the fault is this task's:
        the adapter owed it an answer and could not give one. So is a second answer to the last
        task, unless it came at once; the fault then names the task that was answered twice.
        """
        connection = self._connected()
        if connection is None:
            return self._given_up
        self._number += 1
        request = Request(self._number, task.op, task.prepare())
        self._ledger.put(self._number, task)
        connection.send(request)
        settled: list[tuple[Task, Answer]] = []
        broken, self._broken = self._broken or self._await(connection, settled), None
        if self._ledger.open and broken is not None:
            return self._break(connection, broken)
        # a second answer follows right behind the first, as a rule
        self._broken = broken or self._ledger.settle(connection.receive(0.0), settled)
        settled += self._ledger.release()
        self._faults_in_a_row = 0
        return settled[-1][1]

    def _connected(self) -> Connection | None:
        if self._connection is None and self._faults_in_a_row < self._max_restarts:
            try:
                self._connection = self._connect(self._profile)
            except StartError as error:
                self._faults_in_a_row = self._max_restarts
                self._given_up = Fault(error.kind, f"not put: {error.message}", error.stderr)
            self._ledger = Ledger()
        return self._connection

    def _await(self, connection: Connection, settled: list[tuple[Task, Answer]]) -> Fault | None:
        deadline = time.monotonic() + self._time_limit_s
        broken = None
        while broken is None and self._ledger.open:
            left = deadline - time.monotonic()
            if left <= 0:
                return connection.silence(self._time_limit_s)
            broken = self._ledger.settle(connection.receive(left), settled)
        return broken

    def _break(self, connection: Connection, fault: Fault) -> Fault:
        if fault.stderr is None:
            fault = evolve(fault, stderr=connection.stderr_tail())
        connection.abort()
        self._connection = None
        self._faults_in_a_row += 1
        self._given_up = evolve(
            fault,
            message=f"not put: the adapter failed {self._faults_in_a_row} times in a row "
            f"without one good answer; the last time: {fault.message}",
        )
        return fault
