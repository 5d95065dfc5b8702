"""A callable behind the same connection as everybody else."""

from __future__ import annotations

from memassay.adapter.connect import connect_callable, connect_command, connect_reference
from memassay.adapter.driver import drive
from memassay.adapter.messages import Errored, Fault, FaultKind, Result, Skipped
from tests.adapter.harness import EchoTask, miniature


def put(answering, tasks):
    connect = connect_callable(answering, implementation={"name": "inside"}, ops=["echo"])
    return {task.name: answer for task, answer in drive(connect, tasks, profile="port")}


def test_answers_are_those_of_a_pipe():
    tasks = [EchoTask(f"case-{n}", {"text": "a\ud83d", "n": [n, 1.5, None]}) for n in range(50)]
    over_pipe = drive(connect_command(miniature("good")), tasks, profile="port")
    assert put(lambda _op, args, _profile: {"result": args}, tasks) == {
        task.name: answer for task, answer in over_pipe
    }


def test_callable_is_told_op_args_and_profile():
    seen = []

    def answering(op, args, profile):
        seen.append((op, args, profile))
        return {"result": {}}

    put(answering, [EchoTask("only", {"text": "x"})])
    assert seen == [("echo", {"case": "only", "text": "x"}, "port")]


def test_all_kinds_of_answers():
    bodies = {
        "result": {"result": {"paths": ("a", "b"), "content": b"\xff"}},
        "skipped": {"skipped": {"reason": "r"}},
        "error": {"error": {"code": "c", "message": "m"}},
    }
    answers = put(lambda _op, args, _p: bodies[args["case"]], [EchoTask(name) for name in bodies])
    assert answers == {
        "result": Result({"paths": ["a", "b"], "content": {"$bytes": "/w=="}}),
        "skipped": Skipped("r"),
        "error": Errored("c", "m"),
    }


def test_exception_is_a_crash_of_that_case_alone():
    def answering(_op, args, _profile):
        if args["case"] == "case-1":
            raise LookupError("no such topic")
        return {"result": args}

    tasks = [EchoTask(f"case-{n}") for n in range(3)]
    answers = put(answering, tasks)
    fault = answers["case-1"]
    assert fault.kind is FaultKind.CRASH
    assert fault.message == "it raised LookupError: no such topic"
    assert 'raise LookupError("no such topic")' in fault.stderr
    assert answers["case-2"] == tasks[2].right


def test_a_body_that_is_no_mapping_is_a_crash_of_that_case_alone():
    bodies = {"none": None, "deep": None, "good": {"result": {}}}
    bodies["deep"] = {"result": {}}
    inner = bodies["deep"]["result"]
    for _ in range(5000):
        inner["a"] = inner = {}
    answers = put(lambda _op, args, _p: bodies[args["case"]], [EchoTask(name) for name in bodies])
    assert answers["none"].kind is answers["deep"].kind is FaultKind.CRASH
    assert answers["good"] == Result({})


def test_bad_body_is_a_bad_message():
    for body in ({}, {"result": {}, "more": 1}, {"result": []}):
        fault = put(lambda _op, _args, _profile, body=body: body, [EchoTask("only")])["only"]
        assert isinstance(fault, Fault)
        assert fault.kind is FaultKind.BAD_MESSAGE


def test_answer_is_a_copy():
    args = {"lines": ["a"]}
    task = EchoTask("only", args)
    answer = put(lambda _op, given, _profile: {"result": given}, [task])["only"]
    args["lines"].append("b")
    assert answer.value["lines"] == ["a"]


def test_reference_answers_in_process():
    connect = connect_reference()
    started = connect("claude-code").started
    assert started.implementation.name == "memassay-reference"
    assert "index_window" in started.ops
    task = EchoTask("only", op="no_such_op")
    ((_, answer),) = drive(connect, [task], profile="claude-code")
    assert isinstance(answer, Errored)
    assert answer.code == "unknown-op"
