"""One process a case."""

from __future__ import annotations

import shlex
import sys
import textwrap
from pathlib import Path

import pytest

from memassay.adapter.connect import connect_program
from memassay.adapter.driver import drive
from memassay.adapter.errors import StartError
from memassay.adapter.messages import (
    Errored,
    Fault,
    FaultKind,
    Implementation,
    Result,
    Skipped,
    Unsupported,
)
from memassay.adapter.program import Program, every_op
from tests.adapter.harness import EchoTask, lanes

HEAD = """
import json, os, sys, time
op = sys.argv[-1]
if op == "--ops":
    {ops}
assert os.environ["MEMASSAY_OP"] == op
args = json.load(sys.stdin)
"""


def program(tmp_path, body, ops="sys.exit(2)"):
    script = tmp_path / "port.py"
    script.write_text(HEAD.format(ops=ops) + textwrap.dedent(body))
    return shlex.join([sys.executable, "-S", "-E", str(script), "--flag"])


def put(command, tasks, **options):
    running = drive(connect_program(command), tasks, profile="p", **options)
    answers = {task.name: answer for task, answer in running}
    assert lanes() == []
    return answers


@pytest.mark.parametrize("jobs", [1, 2])
def test_result_is_what_it_prints(tmp_path, jobs):
    command = program(tmp_path, 'print(json.dumps({"op": op, **args}, indent=2))')
    tasks = [EchoTask(f"case-{n}", {"text": "語\ud83d" * 40_000}) for n in range(6)]
    answers = put(command, tasks, jobs=jobs)
    assert answers == {task.name: Result({"op": "echo", **task.right.value}) for task in tasks}


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("sys.exit(75)", Skipped("the program gave no reason")),
        ('print("no git here", file=sys.stderr); sys.exit(75)', Skipped("no git here")),
        ('print("no such op", file=sys.stderr); sys.exit(64)', Unsupported("no such op")),
        ('print("{}"); sys.exit("bad path")', Errored("exit-1", "bad path")),
        ("sys.exit(3)", Errored("exit-3", "")),
    ],
)
def test_exit_status_is_an_answer(tmp_path, body, answer):
    assert put(program(tmp_path, body), [EchoTask("only")]) == {"only": answer}


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("print('kept')", FaultKind.GARBAGE, "it exited 0 and wrote a line that is not JSON"),
        ("pass", FaultKind.GARBAGE, "it exited 0 and wrote an empty line"),
        ("print([1])", FaultKind.GARBAGE, "it exited 0 and wrote a line of JSON that is not"),
        ("os.kill(os.getpid(), 11)", FaultKind.CRASH, "the process was killed by SIGSEGV"),
    ],
)
def test_other_ends_are_faults(tmp_path, body, kind, message):
    fault = put(program(tmp_path, body), [EchoTask("only")])["only"]
    assert isinstance(fault, Fault)
    assert fault.kind is kind
    assert fault.message.startswith(message)


def test_program_that_hangs_is_blamed_and_the_others_are_answered(tmp_path):
    command = program(tmp_path, 'args.get("bad") and time.sleep(600); print(json.dumps(args))')
    tasks = [EchoTask(f"case-{n}", {"bad": n == 1}) for n in range(3)]
    answers = put(command, tasks, time_limit_s=1.5)
    assert answers["case-1"] == Fault(FaultKind.HANG, "no end within 1.5 s")
    assert answers["case-0"] == tasks[0].right
    assert answers["case-2"] == tasks[2].right


def test_program_that_prints_without_end_is_a_flood(tmp_path):
    connect = Program(program(tmp_path, "while True: print('x' * 1000)"), output_limit_bytes=10**6)
    ((_, fault),) = drive(connect, [EchoTask("only")], profile="p")
    assert fault == Fault(FaultKind.FLOOD, "more than 1,000,000 bytes on stdout")


def test_program_need_not_read_its_input():
    script = "import sys, os; os.close(0); print('{}')"
    command = shlex.join([sys.executable, "-S", "-E", "-c", script])
    assert put(command, [EchoTask("only", {"text": "x" * 10**6})]) == {"only": Result({})}


def test_child_that_holds_stdout_open_is_not_waited_for(tmp_path):
    body = 'import subprocess; subprocess.Popen(["sleep", "600"]); print(json.dumps(args))'
    task = EchoTask("only", {"text": "x" * 200_000})
    assert put(program(tmp_path, body), [task]) == {"only": task.right}


@pytest.mark.parametrize(
    ("ops", "listed"),
    [
        ('print("sanitise\\nproject_key\\nsanitise"); sys.exit(0)', ("sanitise", "project_key")),
        ('print("sanitise"); sys.exit(1)', None),
        ('print("Usage: port OP"); sys.exit(0)', None),
        ("sys.exit(0)", None),
        ("time.sleep(600)", None),
    ],
)
def test_ops_are_asked_for_once(tmp_path, ops, listed, monkeypatch):
    monkeypatch.setattr("memassay.adapter.program.OPS_LIMIT_S", 1.0)
    connect = connect_program(program(tmp_path, "", ops))
    started = connect("p").started
    assert started.ops == (listed or every_op())
    assert "index_window" in every_op()
    monkeypatch.setattr("memassay.adapter.program._Run", None)
    assert connect("p").started == started
    assert started.implementation == Implementation(Path(sys.executable).name)


def test_program_that_goes_away_during_the_run(tmp_path):
    script = tmp_path / "port"
    script.write_text("#!/bin/sh\nrm -f \"$0\"\necho '{}'\n")
    script.chmod(0o755)
    # `--ops` is the first call, and the last one that finds anything
    fault = put(str(script), [EchoTask("only")])["only"]
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.NOT_FOUND


def test_program_that_is_not_there():
    with pytest.raises(StartError) as caught:
        put("no-such-port --memory", [EchoTask("only")])
    assert caught.value.kind is FaultKind.NOT_FOUND


@pytest.mark.parametrize(("command", "message"), [("", "no command"), ("port 'x", "No closing")])
def test_command_that_is_no_command(command, message):
    with pytest.raises(StartError, match=message):
        connect_program(command)
