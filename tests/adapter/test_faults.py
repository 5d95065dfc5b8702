"""Every way in which an adapter can break: the right case is blamed, the others are answered."""

from __future__ import annotations

import time

import pytest

from memassay.adapter.asker import Asker
from memassay.adapter.connect import connect_command
from memassay.adapter.messages import Fault, FaultKind, Result
from tests.adapter.harness import EchoTask, eight, miniature, run

QUICK_FAULTS = [
    ("crash_on_request", FaultKind.CRASH, "the process ended (exit status 1)"),
    ("killed_on_request", FaultKind.CRASH, "the process ended (killed by SIGKILL)"),
    ("partial_last_line", FaultKind.CRASH, 'in the middle of the line \'{"id": '),
    ("garbage_line", FaultKind.GARBAGE, "not JSON (Expecting value): 'Segmentation fault (core"),
    ("noise_before_answer", FaultKind.GARBAGE, "not JSON (Expecting value): 'debug: reading"),
    ("not_utf8", FaultKind.GARBAGE, "not UTF-8 (byte"),
    ("not_an_object", FaultKind.GARBAGE, "JSON that is not an object: '["),
    ("not_a_number", FaultKind.GARBAGE, "not JSON (NaN is no JSON value)"),
    ("wrong_id", FaultKind.WRONG_ID, "an answer with the id 10000"),
    ("duplicate_answer", FaultKind.DUPLICATE, "a second answer"),
    ("result_and_error", FaultKind.BAD_MESSAGE, "has result and error"),
    ("unknown_key", FaultKind.BAD_MESSAGE, "unknown key 'took_ms'"),
    ("answer_without_id", FaultKind.BAD_MESSAGE, "'id' is a required property"),
]


def check(answers, tasks, kind, message):
    culprit = answers["case-4"]
    assert isinstance(culprit, Fault)
    assert culprit.kind is kind
    assert message in culprit.message
    for task in tasks:
        if task.name != "case-4":
            assert answers[task.name] == task.right


@pytest.mark.parametrize("window", [1, 3, 32])
@pytest.mark.parametrize(("name", "kind", "message"), QUICK_FAULTS)
def test_fault_is_blamed_on_the_request_that_caused_it(name, kind, message, window):
    tasks = eight()
    outcome = run(miniature(name), tasks, window=window)
    check(outcome.answers, tasks, kind, message)


@pytest.mark.parametrize(
    ("name", "kind", "message"), [row for row in QUICK_FAULTS if row[0] != "duplicate_answer"]
)
def test_fault_is_blamed_on_the_question_that_caused_it(name, kind, message):
    tasks = eight()
    answers = ask_all(name, tasks)
    check(answers, tasks, kind, message)


def test_second_answer_to_a_question_is_the_next_ones_fault_if_it_comes_too_late():
    ((name, fault),) = [
        (name, answer)
        for name, answer in ask_all("duplicate_answer", eight()).items()
        if isinstance(answer, Fault)
    ]
    assert fault.kind is FaultKind.DUPLICATE
    assert name == "case-4" or (name == "case-5" and "to case case-4" in fault.message)


def ask_all(name, tasks):
    with Asker(connect_command(miniature(name)), profile="claude-code") as asker:
        return {task.name: asker.ask(task) for task in tasks}


def test_two_processes_share_the_work_and_the_blame_is_the_same():
    tasks = eight()
    outcome = run(miniature("crash_on_request"), tasks, jobs=2, window=2)
    check(outcome.answers, tasks, FaultKind.CRASH, "exit status 1")


@pytest.mark.parametrize("name", ["hang_on_request", "swallow_request"])
def test_hang_is_blamed_on_the_request_that_is_not_answered(name):
    tasks = eight()
    outcome = run(miniature(name), tasks, time_limit_s=1)
    check(outcome.answers, tasks, FaultKind.HANG, "no answer within 1 s")
    assert outcome.seconds < 8


@pytest.mark.parametrize(
    ("name", "message"),
    [("closes_stdin", "it closed its stdin"), ("closes_stdout", "it closed its stdout")],
)
def test_closed_pipe_is_told_from_a_crash_and_from_a_hang(name, message):
    tasks = eight()
    outcome = run(miniature(name), tasks, time_limit_s=20)
    check(outcome.answers, tasks, FaultKind.CLOSED, message)
    assert outcome.seconds < 10


def test_closed_stdin_is_told_even_under_a_short_limit():
    tasks = eight()
    outcome = run(miniature("closes_stdin"), tasks, window=1, time_limit_s=0.4)
    assert outcome.answers["case-4"].kind is FaultKind.CLOSED


def test_crash_is_told_from_a_hang_even_if_the_pipes_stay_open():
    tasks = eight()
    outcome = run(miniature("ends_behind_a_child"), tasks, time_limit_s=1)
    check(outcome.answers, tasks, FaultKind.CRASH, "the process ended (exit status 5)")


def test_line_of_100_mb_is_a_flood_under_the_default_limit():
    tasks = eight()
    outcome = run(miniature("flood_line"), tasks)
    check(outcome.answers, tasks, FaultKind.FLOOD, "a line of more than 67,108,864 bytes")


def test_line_within_the_limit_is_no_flood_and_one_past_it_is():
    # {"id":1,"result":{"case":"case-0","text":"…"}} as Python writes it
    frame = len('{"id": 1, "result": {"case": "a", "text": ""}}')
    for text, fits in (("x" * 5000, True), ("x" * 5001, False)):
        task = EchoTask("a", {"text": text})
        outcome = run(miniature("good"), [task], line_limit_bytes=frame + 5000, max_restarts=1)
        answer = outcome.answers["a"]
        assert (answer == task.right) is fits
        assert isinstance(answer, Fault) is not fits


def test_stderr_flood_is_no_fault():
    tasks = eight()
    outcome = run(miniature("stderr_flood"), tasks)
    assert outcome.answers == {task.name: task.right for task in tasks}
    assert outcome.troubles == []


def test_fault_shows_the_end_of_stderr():
    outcome = run(miniature("stderr_flood_and_crash"), eight())
    (culprit,) = outcome.faults().values()
    assert culprit.stderr.endswith("e\nthe disk is full\n")
    assert len(culprit.stderr) == 16 * 1024
    traceback = run(miniature("crash_on_request"), eight()).faults()["case-4"].stderr
    assert traceback.endswith("RuntimeError: no such frontmatter\n")


def test_answers_may_come_in_any_order():
    tasks = [EchoTask(f"case-{n}") for n in range(200)]
    outcome = run(miniature("out_of_order"), tasks)
    assert outcome.answers == {task.name: task.right for task in tasks}
    assert list(outcome.answers) != [task.name for task in tasks]


def test_slow_but_steady_is_no_hang():
    tasks = [EchoTask(f"case-{n}") for n in range(20)]
    outcome = run(miniature("slow"), tasks, time_limit_s=1)
    assert outcome.answers == {task.name: task.right for task in tasks}
    assert outcome.seconds > 1


def test_adapter_that_never_reads_cannot_block_us():
    tasks = [EchoTask(f"case-{n}", {"text": "x" * 300_000}) for n in range(8)]
    outcome = run(miniature("never_reads"), tasks, time_limit_s=0.4, max_restarts=2)
    assert {fault.kind for fault in outcome.faults().values()} == {FaultKind.HANG}
    assert len(outcome.faults()) == 8
    assert outcome.seconds < 5


def test_pipes_full_both_ways_do_not_block():
    tasks = [EchoTask(f"case-{n}", {"text": "語" * 200_000}) for n in range(40)]
    outcome = run(miniature("good"), tasks)
    assert outcome.answers == {task.name: task.right for task in tasks}


# --- faults that depend on what the process did before --------------------------------------------


def test_crash_on_the_third_request_is_the_fault_of_the_one_that_was_open():
    tasks = eight()
    outcome = run(miniature("crash_on_third"), tasks, window=1)
    assert list(outcome.faults()) == ["case-2", "case-5"]
    assert {f.message for f in outcome.faults().values()} == {"the process ended (exit status 9)"}
    assert outcome.troubles == []


def test_crash_on_the_third_request_is_found_among_many():
    tasks = [EchoTask(f"case-{n}") for n in range(60)]
    outcome = run(miniature("crash_on_third"), tasks)
    # which ones were open alone depends on how quickly the crash was seen; that one was, does not
    assert {f.kind for f in outcome.faults().values()} == {FaultKind.CRASH}
    assert len(outcome.faults()) <= 20
    answered = [task for task in tasks if task.name not in outcome.faults()]
    assert all(outcome.answers[task.name] == task.right for task in answered)
    for trouble in outcome.troubles:
        assert trouble.fault.message == "the process ended (exit status 9)"
        assert len(trouble.cases) > 1


def test_process_that_ends_after_each_answer_owes_the_next_one():
    tasks = eight()
    outcome = run(miniature("one_shot"), tasks, window=1)
    assert list(outcome.faults()) == ["case-1", "case-3", "case-5", "case-7"]
    assert {f.message for f in outcome.faults().values()} == {"the process ended (exit status 0)"}


def test_second_answer_that_comes_late_is_named_in_the_fault():
    outcome = run(miniature("duplicate_late"), eight(), window=1)
    (fault,) = outcome.faults().values()
    assert fault.kind is FaultKind.DUPLICATE
    assert "case-4" in fault.message


def test_break_with_nothing_left_to_put_is_trouble_and_nobodys_fault():
    outcome = run(miniature("one_shot"), [EchoTask("only")])
    assert outcome.faults() == {}
    # it may have been seen to end before it was asked to
    assert all(trouble.cases == () for trouble in outcome.troubles)


# --- beyond help ----------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_adapter_that_never_gives_a_good_answer_is_given_up(jobs):
    tasks = [EchoTask(f"case-{n}", {"bad": True}) for n in range(1000)]
    outcome = run(miniature("crash_on_request"), tasks, max_restarts=5, jobs=jobs)
    messages = [fault.message for fault in outcome.faults().values()]
    assert len(messages) == 1000
    asked = [message for message in messages if not message.startswith("not put: ")]
    assert len(asked) in {3, 4, 5, 6}  # a break with several open blames nobody
    rest = {message for message in messages if message.startswith("not put: ")}
    assert rest == {
        (
            "not put: the adapter failed 5 times in a row without one good answer; "
            "the last time: the process ended (exit status 1)"
        )
    }
    assert sum(task.prepared for task in tasks) < 100


def test_good_answer_in_between_keeps_it_going():
    tasks = [EchoTask(f"case-{n}", {"bad": n % 3 != 0}) for n in range(24)]
    outcome = run(miniature("crash_on_request"), tasks, max_restarts=4)
    assert len(outcome.faults()) == 16
    assert all(f.message == "the process ended (exit status 1)" for f in outcome.faults().values())


def test_bad_answers_with_ids_need_no_restart_and_are_not_given_up():
    tasks = eight()
    outcome = run(miniature("bad_answer_everywhere"), tasks, max_restarts=2)
    assert len(outcome.faults()) == 8
    assert {f.kind for f in outcome.faults().values()} == {FaultKind.BAD_MESSAGE}
    assert all(task.prepared == 1 for task in tasks)


def test_adapter_that_does_not_start_again_is_given_up(tmp_path):
    tasks = eight()
    outcome = run(miniature("starts_once", str(tmp_path / "marker")), tasks, window=1)
    assert list(outcome.faults()) == ["case-4", "case-5", "case-6", "case-7"]
    rest = outcome.answers["case-5"]
    assert rest.kind is FaultKind.NO_START
    assert rest.message.startswith("not put: the adapter did not start again: before it answered")
    assert rest.stderr == "the port 4711 is in use\n"


def test_asker_gives_up_too(tmp_path):
    connect = connect_command(miniature("starts_once", str(tmp_path / "marker")))
    with Asker(connect, profile="claude-code") as asker:
        answers = [asker.ask(task) for task in eight()]
    assert [isinstance(answer, Result) for answer in answers] == [True] * 4 + [False] * 4
    assert answers[-1].kind is FaultKind.NO_START
    always = [EchoTask(f"case-{n}", {"bad": True}) for n in range(6)]
    with Asker(
        connect_command(miniature("crash_on_request")), profile="claude-code", max_restarts=3
    ) as asker:
        answers = [asker.ask(task) for task in always]
    assert [answer.message.startswith("not put: ") for answer in answers] == [False] * 3 + [
        True
    ] * 3


# --- leaving nothing behind -----------------------------------------------------------------------


def test_adapter_that_ignores_stop_and_sigterm_is_killed(monkeypatch):
    monkeypatch.setattr("memassay.adapter.pipe.STOP_LIMIT_S", 0.2)
    monkeypatch.setattr("memassay.adapter.process.TERMINATE_S", 0.2)
    began = time.monotonic()
    tasks = eight()
    outcome = run(miniature("ignores_stop"), tasks)
    assert outcome.faults() == {}
    assert time.monotonic() - began < 5


def test_what_the_adapter_started_is_ended_with_it():
    # `run` itself checks that nothing of the group is left
    outcome = run(miniature("leaves_a_child"), [EchoTask("only")])
    assert outcome.answers["only"].value["pid"] > 0
