"""Putting tasks to miniatures, and to connections that are made of nothing."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from attrs import Factory, define, frozen

from memassay.adapter.connect import connect_command
from memassay.adapter.driver import drive
from memassay.adapter.messages import Answer, Fault, Result

MINIATURES = Path(__file__).parent / "miniatures"


def miniature(name: str, *arguments: str) -> list[str]:
    """Return the command of a miniature; without site-packages, so that it starts in no time."""
    return [sys.executable, "-S", "-E", str(MINIATURES / f"{name}.py"), *arguments]


@define
class EchoTask:
    """A task whose right answer is its arguments. `prepared` counts how often it was put."""

    name: str
    args: dict[str, Any] = Factory(dict)
    op: str = "echo"
    prepared: int = 0

    def prepare(self) -> dict[str, Any]:
        self.prepared += 1
        return {"case": self.name, **self.args}

    @property
    def right(self) -> Result:
        return Result({"case": self.name, **self.args})


def eight(**bad_args: Any) -> list[EchoTask]:
    """Return eight tasks, the fifth of which is the one at which miniatures misbehave."""
    return [EchoTask(f"case-{n}", {"bad": True, **bad_args} if n == 4 else {}) for n in range(8)]


@frozen
class Outcome:
    """What came of a run: the answer of each case by name, troubles, how long it took."""

    answers: dict[str, Answer]
    troubles: list[Any]
    seconds: float

    def faults(self) -> dict[str, Fault]:
        return {name: a for name, a in self.answers.items() if isinstance(a, Fault)}


class Recorder:
    """A way of connecting that remembers every process that it started."""

    def __init__(self, command: list[str], **options: Any) -> None:
        self._connect = connect_command(command, **options)
        self.pids: list[int] = []

    def __call__(self, profile: str, *more: Any) -> Any:
        connection = self._connect(profile, *more)
        self.pids.append(connection._process._popen.pid)
        return connection


def run(command: list[str], tasks: list[EchoTask], **options: Any) -> Outcome:
    """Drive a command over tasks; check that each is answered once and that nothing is left."""
    connection_options = {
        key: options.pop(key) for key in ("start_limit_s", "line_limit_bytes") if key in options
    }
    recorder = Recorder(command, **connection_options)
    troubles: list[Any] = []
    answers: dict[str, Answer] = {}
    began = time.monotonic()
    for task, answer in drive(
        recorder, iter(tasks), profile="claude-code", on_trouble=troubles.append, **options
    ):
        assert task.name not in answers
        answers[task.name] = answer
    seconds = time.monotonic() - began
    assert answers.keys() == {task.name for task in tasks}
    assert left_of(recorder.pids) == []
    assert lanes() == []
    return Outcome(answers, troubles, seconds)


class Entry(NamedTuple):
    """A process in the system's table."""

    pid: int
    parent: int
    group: int


def processes() -> list[Entry]:
    """Return every process that is more than a zombie."""
    found = []
    if not Path("/proc/self/stat").exists():
        listing = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,pgid=,stat="], check=True, capture_output=True, text=True
        )
        for line in listing.stdout.splitlines():
            *numbers, state = line.split()[:4]
            if not state.startswith("Z"):
                found.append(Entry(*map(int, numbers)))
        return found
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, group = stat.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            found.append(Entry(int(stat.parent.name), int(parent), int(group)))
    return found


def left_of(groups: list[int]) -> list[int]:
    """Return which process groups still have anybody; what was just killed gets time to die."""
    deadline = time.monotonic() + 5
    while True:
        left = sorted({entry.group for entry in processes()}.intersection(groups))
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.02)


def lives(pid: int) -> bool:
    """Return whether a process is there."""
    return any(pid == entry.pid for entry in processes())


def lanes() -> list[str]:
    """Return the driver's threads that still run."""
    names = [thread.name for thread in threading.enumerate()]
    return [name for name in names if name.startswith("memassay-lane")]
