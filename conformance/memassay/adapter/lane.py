"""One process at work: a window of open requests, and what happens when it breaks."""

from __future__ import annotations

import threading
import time
from collections import deque
from queue import SimpleQueue
from typing import TYPE_CHECKING

from attrs import evolve

from memassay.adapter.errors import StartError
from memassay.adapter.ledger import Ledger
from memassay.adapter.messages import Fault, Request, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memassay.adapter.connection import Connect, Connection
    from memassay.adapter.messages import Answer, Task

    Delivery = tuple[Task, Answer] | Trouble | BaseException | None
    """What a lane hands to the caller: an answer, a trouble, an error of ours; None when done."""

_SLICE_S = 0.1  # how often a wait looks up to see whether it is still wanted
_ROOM_S = 0.005  # how often one looks up to see whether there is room for another task
_HOLD_S = 1.0  # how long an answer is held back while nothing else comes (see `Ledger`)
_WINDOW = 32  # how many requests are open before it is known how quick an adapter is
_AHEAD_S = 2.0  # and as many more as it answers in so many seconds
_START_ATTEMPTS = 2  # for a restart: what the dead process held may take a moment to be free


class Shared:
    """What the lanes of one run have in common. Every method may be called from any lane."""

    def __init__(
        self,
        connect: Connect,
        tasks: Iterable[Task],
        *,
        profile: str,
        jobs: int,
        window: int,
        time_limit_s: float,
        max_restarts: int,
    ) -> None:
        self.window = window
        self.time_limit_s = time_limit_s
        self.results: SimpleQueue[Delivery] = SimpleQueue()
        self.stopped = threading.Event()
        self.given_up: Fault | None = None
        # tasks that are prepared and not yet judged: they may hold directories
        self.room = threading.Semaphore(jobs * (2 * window + 2))
        self._connect = connect
        self._profile = profile
        self._tasks: Iterator[Task] = iter(tasks)
        self._exhausted = False
        self._max_restarts = max_restarts
        self._faults_in_a_row = 0
        self._lock = threading.Lock()

    def next_task(self) -> Task | None:
        """Return the next task, or None if there are no more."""
        with self._lock:
            if self._exhausted:
                return None
            task = next(self._tasks, None)
            self._exhausted = task is None
            return task

    def reconnect(self) -> Connection | None:
        """Start the adapter again; if it does not start, give up and return None."""
        last = None
        for _ in range(_START_ATTEMPTS):
            try:
                return self._connect(self._profile, self.stopped.is_set)
            except StartError as error:
                last = error
        if last is not None:
            self.given_up = Fault(
                last.kind, f"not put: the adapter did not start again: {last.message}", last.stderr
            )
        return None

    def deliver(self, settled: Iterable[tuple[Task, Answer]]) -> None:
        """Hand answers to the caller."""
        for task, answer in settled:
            if not isinstance(answer, Fault):
                self._faults_in_a_row = 0
            self.results.put((task, answer))

    def count_fault(self, fault: Fault) -> None:
        """Note that a connection broke; give up after too many without a good answer between."""
        with self._lock:
            self._faults_in_a_row += 1
            if self._faults_in_a_row >= self._max_restarts and self.given_up is None:
                self.given_up = evolve(
                    fault,
                    message=f"not put: the adapter failed {self._faults_in_a_row} times in a row "
                    f"without one good answer; the last time: {fault.message}",
                )


class Lane:
    """One connection at a time, in one thread, until there are no more tasks.

    How many requests it keeps open follows the adapter's pace: a quick one that takes a second for
    one answer finds everything prepared afterwards, and of a slow one few have to be put again, one
    at a time, when it breaks.
    """

    def __init__(self, shared: Shared, connection: Connection) -> None:
        self._shared = shared
        self._connection: Connection | None = connection
        self._ledger = Ledger()
        self._number = 0
        self._again: deque[Task] = deque()  # suspects, to be put one at a time
        self._alone = False  # the open request is one of them
        self._dead: Fault | None = None  # the connection broke with nothing open
        self._began = 0.0  # when the first request had been put
        self._answers = 0
        self._pace = 0.0  # answers a second, up to the last one
        self._waited_s = 0.0  # spent waiting for the adapter since it last answered
        self._exhausted = False
        self._reserved = False

    def work(self) -> None:
        """Do everything; whatever goes wrong on our side is raised in the caller's thread."""
        try:
            while not self._shared.stopped.is_set() and self._step():
                pass
        except BaseException as error:  # noqa: BLE001 (it is raised again where it can be seen)
            self._shared.results.put(error)
        finally:
            if self._connection is not None:
                self._connection.abort()
            self._shared.results.put(None)

    def _step(self) -> bool:
        """Put one request if there is room, take what came in; return whether there is more."""
        if self._shared.given_up is not None:
            self._surrender()
            return False
        fed = self._feed()
        if self._ledger.open:
            self._receive(0.0 if fed else self._slice_s())
        elif self._exhausted and not self._again:
            self._finish()
            return False
        return True

    def _slice_s(self) -> float:
        """Return how long to wait for the adapter before looking whether it can be given more."""
        wants_room = not (self._exhausted or self._again or self._reserved)
        return _ROOM_S if wants_room and len(self._ledger.open) < self._limit() else _SLICE_S

    # --- out --------------------------------------------------------------------------------------

    def _feed(self) -> bool:
        """Put the next request if now is the time; return whether one was put."""
        if len(self._ledger.open) >= self._limit():
            return False
        if self._connection is not None and self._connection.backlogged:
            return False
        if self._again:
            self._put(self._again.popleft(), alone=True)
            return True
        if self._exhausted or not self._reserve():
            return False
        task = self._shared.next_task()
        if task is None:
            self._exhausted = True
            return False
        self._reserved = False
        self._put(task, alone=False)
        return True

    def _limit(self) -> int:
        if self._again or self._alone or self._connection is None:
            return 1
        pace = _WINDOW + int(_AHEAD_S * self._pace)
        return min(self._shared.window, self._connection.max_open, pace)

    def _reserve(self) -> bool:
        """Return whether one more task may be prepared; waits a little if there is nothing else."""
        if not self._reserved:
            idle = not self._ledger.open
            self._reserved = self._shared.room.acquire(idle, _SLICE_S if idle else None)
        return self._reserved

    def _put(self, task: Task, *, alone: bool) -> None:
        self._number += 1
        if self._dead is not None:
            # Had it been put a moment earlier it would have been open when the connection broke.
            # Saying so in both cases makes the verdict independent of that moment.
            fault, self._dead = self._dead, None
            self._ledger.put(self._number, task)
            self._break(fault)
            return
        if self._connection is None:
            self._connection = self._shared.reconnect()
            if self._connection is None:
                self._again.appendleft(task)  # it is given up with the rest
                return
        if not self._ledger.open:
            self._waited_s = 0.0
        try:
            request = Request(self._number, task.op, task.prepare())
            self._ledger.put(self._number, task)
            self._connection.send(request)
            self._began = self._began or time.monotonic()
        except Exception as error:
            error.add_note(f"this happened while case {task.name} was being put")
            raise
        self._alone = alone

    # --- in ---------------------------------------------------------------------------------------

    def _receive(self, timeout_s: float) -> None:
        connection = self._connection
        if connection is None:
            return
        limit_s = self._shared.time_limit_s
        began = time.monotonic()
        arrivals = connection.receive(min(timeout_s, max(0.0, limit_s - self._waited_s)))
        before = len(self._ledger.open)
        settled: list[tuple[Task, Answer]] = []
        broken = self._ledger.settle(arrivals, settled)
        self._shared.deliver(settled)
        answered = before - len(self._ledger.open)
        if answered:
            self._waited_s = 0.0
            self._count(answered)
        else:
            # Only our waiting counts: an adapter is not late because we were making a directory.
            self._waited_s += time.monotonic() - began
            if self._waited_s >= _HOLD_S:
                self._shared.deliver(self._ledger.release())
        if not self._ledger.open:
            self._alone = False
        if broken is not None:
            self._break(broken)
        elif self._ledger.open and self._waited_s >= limit_s:
            self._break(connection.silence(limit_s))

    def _count(self, answered: int) -> None:
        """Note that so many answers came just now."""
        self._answers += answered
        self._pace = self._answers / max(time.monotonic() - self._began, _SLICE_S)

    def _break(self, fault: Fault) -> None:
        """End the connection; blame the one request that was open, or put all of them again."""
        self._shared.deliver(self._ledger.release())
        suspects = list(self._ledger.open.values())
        if self._connection is not None:
            if fault.stderr is None:
                fault = evolve(fault, stderr=self._connection.stderr_tail())
            self._connection.abort()
            self._connection = None
        self._ledger = Ledger()
        self._alone = False
        if not suspects:
            self._dead = fault
            return
        if len(suspects) == 1:
            self._shared.deliver([(suspects[0], fault)])
        else:
            self._again.extendleft(reversed(suspects))
            self._shared.results.put(Trouble(fault, tuple(task.name for task in suspects)))
        self._shared.count_fault(fault)

    # --- the end ----------------------------------------------------------------------------------

    def _finish(self) -> None:
        if self._dead is not None:
            self._shared.results.put(Trouble(self._dead))
        if self._connection is None:
            return
        settled: list[tuple[Task, Answer]] = []
        self._ledger.settle(self._connection.finish(), settled)
        self._shared.deliver(settled)
        self._shared.deliver(self._ledger.release())
        self._connection = None

    def _surrender(self) -> None:
        """Give everything that is left the fault that says why nobody asks it any more."""
        self._shared.deliver(self._ledger.release())
        if self._connection is not None:
            self._connection.abort()
            self._connection = None
        fault = self._shared.given_up
        if fault is None:
            return
        self._shared.deliver((task, fault) for task in self._ledger.open.values())
        self._shared.deliver((task, fault) for task in self._again)
        while not self._shared.stopped.is_set() and (task := self._shared.next_task()) is not None:
            self._shared.deliver([(task, fault)])
