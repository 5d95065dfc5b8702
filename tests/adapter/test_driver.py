"""The driver over connections that are made of nothing: whoever breaks, the sums must be right."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memassay.adapter.connect import connect_callable
from memassay.adapter.driver import Driver, drive
from memassay.adapter.errors import StartError
from memassay.adapter.messages import Fault, FaultKind, Implementation, Result, Started, Trouble
from tests.adapter.harness import EchoTask, Recorder, lanes, left_of, miniature, processes

BREAKS = {"crash": FaultKind.CRASH, "garbage": FaultKind.GARBAGE, "last": FaultKind.CRASH}


class Scripted:
    """A connection whose other end does what each request's name says, in a shuffled order."""

    started = Started(Implementation("scripted"), ("echo",))
    backlogged = False

    def __init__(self, seed, max_open):
        self.max_open = max_open
        self._dice = random.Random(seed)  # noqa: S311 (dice, not secrets)
        self._open = []
        self._broken = None
        self.ended = False

    def send(self, request):
        assert not self.ended
        assert len(self._open) < self.max_open
        self._open.append(request)

    def receive(self, timeout_s):
        if self._broken is not None:
            return [(None, self._broken)]
        if not self._open or (timeout_s == 0 and self._dice.random() < 0.5):
            return []
        arrivals = []
        for _ in range(self._dice.randint(1, len(self._open))):
            request = self._open.pop(self._dice.randrange(len(self._open)))
            arrivals += self._answer(request)
            if self._broken is not None:
                arrivals.append((None, self._broken))
                break
        return arrivals

    def _answer(self, request):
        right = (request.id, Result(request.args))
        behaviour = request.args["case"].partition("-")[0]
        if behaviour in BREAKS:
            self._broken = Fault(BREAKS[behaviour], "scripted")
        return {
            "crash": [],
            "garbage": [],
            "refused": [(request.id, Fault(FaultKind.BAD_MESSAGE, "scripted"))],
            "twice": [right, right],
            "stranger": [(request.id + 10**6, right[1])],
        }.get(behaviour, [right])

    def silence(self, time_limit_s):
        return Fault(FaultKind.HANG, f"{time_limit_s}")

    def stderr_tail(self):
        return None

    def finish(self):
        self.ended = True
        return []

    def abort(self):
        self.ended = True


KINDS = {
    "crash": FaultKind.CRASH,
    "garbage": FaultKind.GARBAGE,
    "refused": FaultKind.BAD_MESSAGE,
    "twice": FaultKind.DUPLICATE,
    "stranger": FaultKind.WRONG_ID,
}


@settings(deadline=None, max_examples=150)
@given(
    behaviours=st.lists(st.sampled_from(["good", "good", "good", "good", *KINDS]), max_size=60),
    window=st.integers(1, 40),
    max_open=st.integers(1, 40),
    jobs=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)
def test_every_task_gets_its_own_answer_once(behaviours, window, max_open, jobs, seed):
    connections = []

    def connect(_profile, _cancelled=None):
        connections.append(Scripted(seed, max_open))
        return connections[-1]

    tasks = [EchoTask(f"{behaviour}-{n}") for n, behaviour in enumerate(behaviours)]
    answers = {}
    for task, answer in drive(
        connect, tasks, profile="p", window=window, jobs=jobs, max_restarts=10**9
    ):
        assert task.name not in answers
        answers[task.name] = answer
    assert answers.keys() == {task.name for task in tasks}
    for task in tasks:
        answer, kind = answers[task.name], KINDS.get(task.name.partition("-")[0])
        if kind is None:
            assert answer == task.right
        else:
            assert isinstance(answer, Fault)
            assert answer.kind is kind
    assert all(connection.ended for connection in connections)
    assert lanes() == []


class Withholding(Scripted):
    """Answers nothing until it gets no more, then everything; notes how many that were."""

    def __init__(self):
        super().__init__(0, 10_000)
        self.batches = []
        self._before = 0

    def receive(self, timeout_s):  # noqa: ARG002 (it never waits)
        if len(self._open) > self._before:
            self._before = len(self._open)
            return []
        self.batches.append(len(self._open))
        arrivals = [(request.id, Result(request.args)) for request in self._open]
        self._open, self._before = [], 0
        return arrivals


def test_a_quick_adapter_gets_more_at_once_than_one_of_which_nothing_is_known():
    connection = Withholding()
    tasks = [EchoTask(f"good-{n}") for n in range(2000)]
    answers = list(drive(lambda _profile, _cancelled=None: connection, tasks, profile="p"))
    assert len(answers) == 2000
    assert connection.batches[0] == 32
    assert max(connection.batches) > 32


def test_break_with_nothing_open_is_the_fault_of_the_next():
    tasks = [EchoTask("last-0"), EchoTask("good-1"), EchoTask("last-2")]
    troubles = []
    running = drive(
        lambda _profile, _cancelled=None: Scripted(0, 1),
        tasks,
        profile="p",
        on_trouble=troubles.append,
    )
    answers = {task.name: answer for task, answer in running}
    fault = Fault(FaultKind.CRASH, "scripted")
    assert answers == {"last-0": tasks[0].right, "good-1": fault, "last-2": tasks[2].right}
    assert [task.prepared for task in tasks] == [1, 0, 1]
    # the second break has nobody to blame, and is told all the same
    assert troubles == [Trouble(fault)]


def inside(answering):
    return connect_callable(answering, implementation={"name": "inside"}, ops=["echo"])


def test_no_tasks_no_answers():
    assert list(drive(inside(lambda _op, args, _p: {"result": args}), [], profile="p")) == []


def test_tasks_are_prepared_just_in_time():
    tasks = [EchoTask(f"case-{n}") for n in range(500)]
    window, jobs = 4, 2
    ahead = 0
    running = drive(
        inside(lambda _op, args, _p: {"result": args}), tasks, profile="p", window=window, jobs=jobs
    )
    for done, _ in enumerate(running):
        time.sleep(0.0005)
        ahead = max(ahead, sum(task.prepared for task in tasks) - done)
    assert ahead <= jobs * (2 * window + 2) + 1
    assert all(task.prepared == 1 for task in tasks)


def test_error_while_preparing_is_raised_in_the_caller_and_names_the_case():
    class Unprepared(EchoTask):
        def prepare(self):
            raise OSError(28, "no space left")

    tasks = [EchoTask("case-0"), Unprepared("case-1"), EchoTask("case-2")]
    recorder = Recorder(miniature("good"))
    with pytest.raises(OSError, match="no space left") as caught:
        list(drive(recorder, tasks, profile="p"))
    assert caught.value.__notes__ == ["this happened while case case-1 was being put"]
    nothing_left(recorder)


def test_arguments_that_are_no_json_are_our_own_fault():
    recorder = Recorder(miniature("good"))
    with pytest.raises(ValueError, match="Out of range float"):
        list(drive(recorder, [EchoTask("case-0", {"days": float("nan")})], profile="p"))
    nothing_left(recorder)


def test_time_that_we_spend_preparing_is_not_the_adapters():
    class Slow(EchoTask):
        def prepare(self):
            time.sleep(0.8)
            return super().prepare()

    tasks = [Slow(f"case-{n}") for n in range(2)]
    answers = list(drive(Recorder(miniature("slow")), tasks, profile="p", time_limit_s=0.6))
    assert [answer for _, answer in answers] == [task.right for task in tasks]


@pytest.mark.parametrize("name", ["good", "hang_on_request"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_closing_the_generator_ends_everything_at_once(name, jobs):
    recorder = Recorder(miniature(name))
    tasks = (EchoTask(f"case-{n}", {"bad": n == 1}) for n in range(10**9))
    began = time.monotonic()
    with closing(drive(recorder, tasks, profile="p", jobs=jobs)) as running:
        next(running)
    assert time.monotonic() - began < 5
    nothing_left(recorder)


def test_error_in_the_callers_loop_ends_everything():
    recorder = Recorder(miniature("good"))
    tasks = (EchoTask(f"case-{n}") for n in range(10**9))

    def interrupted():
        with Driver(recorder, profile="p", jobs=2) as driver:
            for _ in driver.run(tasks):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    nothing_left(recorder)


def nothing_left(recorder):
    assert recorder.pids
    assert left_of(recorder.pids) == []
    assert lanes() == []


@pytest.mark.parametrize(
    ("name", "waits"),
    [("hang_on_request", "for an answer"), ("no_start_answer", "for the start")],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupt_ends_everything_at_once(name, waits, jobs, tmp_path):
    script = tmp_path / "interrupted.py"
    script.write_text(
        textwrap.dedent(
            f"""
            from contextlib import closing
            from memassay.adapter.driver import drive
            from tests.adapter.harness import EchoTask, Recorder, miniature

            class Telling(Recorder):
                def __call__(self, profile, *more):
                    connection = super().__call__(profile, *more)
                    print("started", *self.pids, flush=True)
                    return connection

            if {name == "no_start_answer"}:
                print("starting", flush=True)
            tasks = [EchoTask(f"case-{{n}}", {{"bad": True}}) for n in range(200)]
            running = drive(Telling(miniature({name!r})), tasks, profile="p", jobs={jobs})
            with closing(running):
                for _ in running:
                    print("answered", flush=True)
            """
        )
    )
    child = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    try:
        lines = [child.stdout.readline() for _ in range(1 if waits == "for the start" else jobs)]
        assert all(lines)
        time.sleep(0.5)  # let it settle into its wait
        mine = [entry.pid for entry in processes() if entry.parent == child.pid]
        assert len(mine) == jobs
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        _, stderr = child.communicate(timeout=10)
        assert time.monotonic() - began < 5
        assert stderr.endswith("KeyboardInterrupt\n")
        assert left_of(mine) == []
    finally:
        child.kill()
        child.communicate()


def test_options_are_checked():
    connect = inside(lambda _op, args, _p: {"result": args})
    for bad in ({"jobs": 0}, {"window": 0}, {"max_restarts": 0}, {"time_limit_s": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            Driver(connect, profile="p", **bad)


def test_driver_runs_once_after_it_was_entered():
    driver = Driver(inside(lambda _op, args, _p: {"result": args}), profile="p")
    with pytest.raises(RuntimeError):
        driver.run([])
    with pytest.raises(RuntimeError):
        driver.started  # noqa: B018 (asking is the test)
    with driver:
        assert list(driver.run([])) == []
        with pytest.raises(RuntimeError):
            driver.run([])


def test_restart_that_is_interrupted_is_no_answer():
    """A lane that is starting its adapter again gives up as soon as the caller has gone."""
    starts = threading.Event()

    def connect(_profile, cancelled=lambda: False):
        if starts.is_set():
            while not cancelled():
                time.sleep(0.01)
            raise StartError(FaultKind.NO_START, "it was interrupted")
        starts.set()
        return Scripted(0, 1)

    tasks = [EchoTask("good-0"), EchoTask("crash-1"), EchoTask("good-2")]
    began = time.monotonic()
    with closing(drive(connect, tasks, profile="p")) as running:
        assert [task.name for task, _ in (next(running), next(running))] == ["good-0", "crash-1"]
        time.sleep(0.1)
    assert time.monotonic() - began < 3
    assert lanes() == []
