"""Cases over time: each step a request of its own, with new processes where the case says so."""

from __future__ import annotations

import os

import pytest
from attrs import define

from memassay.adapter.connect import connect_callable, connect_command
from memassay.adapter.driver import drive
from memassay.adapter.messages import Errored, Fault, FaultKind, Result, Skipped, Unsupported
from memassay.adapter.steps import in_steps
from memassay.spec.builders import clock_ms
from tests.adapter.harness import miniature

COUNT = {"op": "count", "args": {}}
AGAIN = {**COUNT, "restart": True}


@define
class Ask:
    name: str
    steps: list
    op: str = "steps"

    def prepare(self):
        return {"steps": self.steps} if self.op == "steps" else {}


def put(*tasks, connect=None):
    connect = connect or connect_command(miniature("remembers"))
    return {task.name: answer for task, answer in drive(in_steps(connect), tasks, profile="port")}


def counts(answer):
    return [step.get("result", {}).get("count") for step in answer.value["steps"]]


def test_steps_go_to_one_process_until_one_asks_for_another():
    assert counts(put(Ask("a", [COUNT, COUNT, AGAIN, COUNT, AGAIN]))["a"]) == [1, 2, 1, 2, 1]


def test_other_requests_go_on_beside_the_steps_in_a_process_of_their_own():
    tasks = [Ask(f"n{n}", [], "count") for n in range(5)]
    answers = put(*tasks[:2], Ask("s", [COUNT, AGAIN]), *tasks[2:], Ask("t", [COUNT, AGAIN]))
    assert sorted(answers[task.name].value["count"] for task in tasks) == [1, 2, 3, 4, 5]
    assert counts(answers["s"]) == [1, 1]
    assert counts(answers["t"]) == [2, 1]


def test_a_restart_kills_the_process_that_answered_the_step_before(tmp_path):
    living = {"op": "living", "args": {"file": str(tmp_path / "pids")}}
    answer = put(Ask("a", [living, {**living, "restart": True}, {**living, "restart": True}]))["a"]
    assert counts(answer) == [0, 0, 0]


def test_what_a_file_is_put_at_is_no_time_of_this_machine(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("x")
    os.utime(old, ns=(10**18, 10**18))
    put(Ask("a", [{"put": {"file": str(file), "content": "y"}} for file in (old, new)]))
    assert old.stat().st_mtime_ns == 10**18 + 10**9
    assert new.stat().st_mtime_ns == (clock_ms(None) + 1000) * 10**6


def test_a_second_answer_is_the_fault_of_the_case_that_got_it():
    twice = {"op": "twice", "args": {"pause": 0}}
    answers = put(Ask("a", [COUNT]), Ask("b", [twice, COUNT]), Ask("c", [COUNT]))
    assert answers["b"].kind is FaultKind.DUPLICATE
    assert counts(answers["a"]) == counts(answers["c"]) == [1]


def test_a_second_answer_that_is_late_is_told_and_costs_no_case_its_answer():
    twice = {"op": "twice", "args": {"pause": 0.2}}
    connect = in_steps(connect_command(miniature("remembers")))
    tasks = [Ask("a", [twice]), Ask("b", [COUNT]), Ask("c", [AGAIN])]
    troubles = []
    answers = {
        task.name: answer
        for task, answer in drive(connect, tasks, profile="p", on_trouble=troubles.append)
    }
    assert [trouble.fault.kind for trouble in troubles] == [FaultKind.DUPLICATE]
    assert all(isinstance(answer, Result) for answer in answers.values())


def test_a_process_that_ends_after_its_answer_is_replaced():
    leave = {"op": "leave", "args": {}}
    answers = put(*(Ask(f"a{n}", [COUNT, leave]) for n in range(9)), Ask("b", [COUNT]))
    assert [counts(answer) for answer in answers.values()] == [[1, 2]] * 9 + [[1]]


def test_a_file_is_put_and_taken_away_between_steps(tmp_path):
    file = tmp_path / "a" / "f"
    seen = []

    def answering(_op, _args, _profile):
        seen.append(file.read_bytes() if file.exists() else None)
        return {"result": {}}

    connect = connect_callable(answering, implementation={"name": "inside"}, ops=["count"])
    contents = ["é\r\n", {"$bytes": "/wA="}, None]
    steps = [one for c in contents for one in ({"put": {"file": str(file), "content": c}}, COUNT)]
    answer = put(Ask("a", steps), connect=connect)["a"]
    assert answer.value["steps"][::2] == [{"put": True}] * 3
    assert seen == ["é\r\n".encode(), b"\xff\0", None]


def test_what_stands_in_the_way_of_a_file_is_the_implementations_fault(tmp_path):
    (tmp_path / "f").mkdir()
    step = {"put": {"file": str(tmp_path / "f"), "content": "x"}}
    answer = put(Ask("a", [COUNT, step]))["a"]
    assert isinstance(answer, Errored)
    assert answer.code == "cannot-put"


def test_an_error_is_the_result_of_a_step():
    answer = put(Ask("a", [{"op": "fail", "args": {}}, COUNT]))["a"]
    assert answer == Result(
        {"steps": [{"error": {"code": "no", "message": "it fails"}}, {"result": {"count": 2}}]}
    )


def test_a_step_declined_declines_the_case():
    answer = put(Ask("a", [COUNT, {"op": "decline", "args": {}}, COUNT]))["a"]
    assert answer == Skipped("step 2: cannot")


def test_an_op_that_the_adapter_has_not_leaves_the_case_unsupported():
    answer = put(Ask("a", [COUNT, {"op": "unknown", "args": {}}]))["a"]
    assert isinstance(answer, Unsupported)
    assert "unknown" in answer.reason


@pytest.mark.parametrize("restart", [False, True])
def test_a_crash_is_the_fault_of_the_case_and_of_no_other(restart):
    crash = {"op": "crash", "args": {}, **({"restart": True} if restart else {})}
    answers = put(Ask("a", [COUNT]), Ask("b", [COUNT, crash, COUNT]), Ask("c", [COUNT, AGAIN]))
    assert isinstance(answers["b"], Fault)
    assert answers["b"].kind is FaultKind.CRASH
    assert isinstance(answers["a"], Result)
    assert isinstance(answers["c"], Result)


def test_a_process_that_does_not_start_again_is_a_fault(tmp_path):
    answers = put(
        Ask("a", [{"op": "echo", "args": {}}, {"op": "echo", "args": {}, "restart": True}]),
        connect=connect_command(miniature("starts_once", str(tmp_path / "mark"))),
    )
    assert isinstance(answers["a"], Fault)
