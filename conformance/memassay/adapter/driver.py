"""Putting many cases to an implementation, quickly, and saying who is to blame when it breaks.

One thread a process (a `Lane`) takes tasks from the common iterator, prepares them and keeps a
window of requests open. When a connection breaks and one request was open, that request is the
culprit. When several were, all of them are put again to a fresh process, one at a time, so that the
culprit is named and the innocent are answered; then the window opens again.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from memassay.adapter.lane import Lane, Shared
from memassay.adapter.messages import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType
    from typing import Self

    from memassay.adapter.connection import Connect, Connection
    from memassay.adapter.messages import Answer, Started, Task

WINDOW = 1024
"""The most requests that a process may have open at once, unless another number is given.

Only a quick adapter gets so many (see `Lane`): enough to prepare while it takes a second for one.
"""

TIME_LIMIT_S = 10.0
"""How long an adapter with open requests may go without answering one, unless told otherwise."""

MAX_RESTARTS = 25
"""After so many faults in a row without one good answer nothing more is put."""

_JOIN_S = 5.0


class Driver:
    """Processes that have started, ready for one run. A context manager: leaving it ends them.

    Entering starts `jobs` processes at once and raises `StartError` if one of them does not start.
    `started` then says who answers and which ops, before any task is taken.
    """

    def __init__(
        self,
        connect: Connect,
        *,
        profile: str,
        jobs: int = 1,
        window: int = WINDOW,
        time_limit_s: float = TIME_LIMIT_S,
        max_restarts: int = MAX_RESTARTS,
    ) -> None:
        for name, number in (("jobs", jobs), ("window", window), ("max_restarts", max_restarts)):
            if number < 1:
                raise ValueError(f"{name} must be at least 1, not {number}")
        if time_limit_s <= 0:
            raise ValueError(f"time_limit_s must be more than 0, not {time_limit_s}")
        self._connect = connect
        self._profile = profile
        self._jobs = jobs
        self._window = window
        self._time_limit_s = time_limit_s
        self._max_restarts = max_restarts
        self._connections: list[Connection] = []
        self._running: Iterator[tuple[Task, Answer]] | None = None
        self._started: Started | None = None

    @property
    def started(self) -> Started:
        """What the adapter said about itself."""
        if self._started is None:
            raise RuntimeError("the driver has not been entered")
        return self._started

    def __enter__(self) -> Self:
        self._connections = _connect_all(self._connect, self._profile, self._jobs)
        self._started = self._connections[0].started
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._running is not None:
            # a generator that is being executed is closed by whoever executes it
            with suppress(ValueError):
                self._running.close()  # pyright: ignore[reportAttributeAccessIssue]
        _abort_all(self._connections)
        self._connections = []

    def run(
        self, tasks: Iterable[Task], on_trouble: Callable[[Trouble], None] | None = None
    ) -> Iterator[tuple[Task, Answer]]:
        """Yield every task with its answer, as the answers come in. Once for each entering.

        Tasks are drawn and prepared in the lanes' threads, one thread a process, not long before
        they are sent; the results are yielded in the caller's. A fault that no case is blamed for
        is passed to `on_trouble`, in the caller's thread too. An exception of a task's `prepare`
        or of the iterator is raised here.
        """
        if not self._connections or self._running is not None:
            raise RuntimeError("a driver runs once, after it has been entered")
        self._running = self._results(tasks, on_trouble)
        return self._running

    def _results(
        self, tasks: Iterable[Task], on_trouble: Callable[[Trouble], None] | None
    ) -> Iterator[tuple[Task, Answer]]:
        connections, self._connections = self._connections, []
        shared = Shared(
            self._connect,
            tasks,
            profile=self._profile,
            jobs=len(connections),
            window=self._window,
            time_limit_s=self._time_limit_s,
            max_restarts=self._max_restarts,
        )
        threads = [
            threading.Thread(
                target=Lane(shared, connection).work, name=f"memassay-lane-{n}", daemon=True
            )
            for n, connection in enumerate(connections)
        ]
        try:
            for thread in threads:
                thread.start()
            working = len(threads)
            while working:
                delivery = shared.results.get()
                if isinstance(delivery, tuple):
                    yield delivery
                    shared.room.release()
                elif isinstance(delivery, Trouble):
                    if on_trouble is not None:
                        on_trouble(delivery)
                elif delivery is None:
                    working -= 1
                else:
                    raise delivery
        finally:
            shared.stopped.set()
            for thread, connection in zip(threads, connections, strict=True):
                if thread.ident is None:  # interrupted before it began
                    connection.abort()
                else:
                    thread.join(_JOIN_S)


def drive(
    connect: Connect,
    tasks: Iterable[Task],
    *,
    profile: str,
    jobs: int = 1,
    window: int = WINDOW,
    time_limit_s: float = TIME_LIMIT_S,
    max_restarts: int = MAX_RESTARTS,
    on_start: Callable[[Started], None] | None = None,
    on_trouble: Callable[[Trouble], None] | None = None,
) -> Iterator[tuple[Task, Answer]]:
    """Start the adapter, put every task to it and yield each with its answer: `Driver` in one call.

    `on_start` is called once before a task is taken. Nothing is started before the first answer is
    asked for; close the generator (or use it up) to end the processes. Raises `StartError` before
    it yields anything.
    """
    with Driver(
        connect,
        profile=profile,
        jobs=jobs,
        window=window,
        time_limit_s=time_limit_s,
        max_restarts=max_restarts,
    ) as driver:
        if on_start is not None:
            on_start(driver.started)
        yield from driver.run(tasks, on_trouble)


def _connect_all(connect: Connect, profile: str, jobs: int) -> list[Connection]:
    """Open `jobs` connections at once; all of them or, with the first one's error, none."""
    if jobs == 1:
        return [connect(profile)]
    opened: list[Connection] = []
    errors: list[BaseException] = []
    cancelled = threading.Event()

    def connect_one() -> None:
        try:
            opened.append(connect(profile, cancelled.is_set))
        except BaseException as error:  # noqa: BLE001 (it is raised again in the caller's thread)
            errors.append(error)
            cancelled.set()

    threads = [threading.Thread(target=connect_one, daemon=True) for _ in range(jobs)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:
        cancelled.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join(_JOIN_S)
        _abort_all(opened)
        raise
    if errors:
        _abort_all(opened)
        raise errors[0]
    return opened


def _abort_all(connections: list[Connection]) -> None:
    for connection in connections:
        connection.abort()
