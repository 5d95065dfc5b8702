"""What a case costs over the pipe beyond the adapter's own work: `python benchmarks/bench_pipe.py`.

A minimal Python adapter echoes its arguments. The budget is 0.2 ms a case.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from typing import Any

from attrs import frozen

from memassay.adapter.asker import Asker
from memassay.adapter.connect import connect_callable, connect_command
from memassay.adapter.driver import Driver
from memassay.adapter.messages import Result

ECHO = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "run":
        reply = {"id": message["id"], "result": message["args"]}
    elif message["cmd"] == "start":
        reply = {"protocol": 1, "implementation": {"name": "echo"}, "ops": ["echo"]}
    else:
        break
    print(json.dumps(reply), flush=True)
"""


@frozen
class EchoTask:
    """A task whose answer is its arguments."""

    name: str
    args: dict[str, Any]
    op: str = "echo"

    def prepare(self) -> dict[str, Any]:
        """Return the arguments."""
        return self.args


def put_all(connect: Any, tasks: list[EchoTask], jobs: int) -> float:
    """Return the milliseconds a case, start-up and stop not counted."""
    with Driver(connect, profile="claude-code", jobs=jobs) as driver:
        began = time.perf_counter()
        good = ended = 0
        for task, answer in driver.run(tasks):
            good += answer == Result(task.args)
            ended = time.perf_counter()
        assert good == len(tasks)
    return (ended - began) / len(tasks) * 1000


def ask_all(connect: Any, tasks: list[EchoTask]) -> float:
    """Return the milliseconds a case when each answer is waited for."""
    with Asker(connect, profile="claude-code") as asker:
        began = time.perf_counter()
        for task in tasks:
            assert asker.ask(task) == Result(task.args)
        return (time.perf_counter() - began) / len(tasks) * 1000


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cases", type=int, default=5000)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    small = [EchoTask(f"small-{n}", {"text": f"- line {n}\n"}) for n in range(chosen.cases)]
    large = [EchoTask(f"large-{n}", {"text": "- l\n" * 6250}) for n in range(chosen.cases // 10)]
    pipe = connect_command([sys.executable, "-S", "-E", "-c", ECHO])
    inside = connect_callable(
        lambda _op, args, _profile: {"result": args}, implementation={"name": "echo"}, ops=["echo"]
    )
    for label, measure in (
        ("pipe, small cases, 1 process", lambda: put_all(pipe, small, 1)),
        ("pipe, small cases, 2 processes", lambda: put_all(pipe, small, 2)),
        ("pipe, 25,000-unit texts, 1 process", lambda: put_all(pipe, large, 1)),
        ("pipe, small cases, one at a time", lambda: ask_all(pipe, small)),
        ("in process, small cases", lambda: put_all(inside, small, 1)),
    ):
        figures = [measure() for _ in range(chosen.rounds)]
        print(
            f"{label:36} {statistics.median(figures):6.3f} ms a case"
            f"  ({min(figures):.3f} to {max(figures):.3f})"
        )


if __name__ == "__main__":
    main()
