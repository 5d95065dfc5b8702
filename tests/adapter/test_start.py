"""Adapters that do not get as far as their first request."""

from __future__ import annotations

import sys
import time

import pytest

from memassay.adapter.connect import connect_command
from memassay.adapter.driver import Driver, drive
from memassay.adapter.errors import StartError
from memassay.adapter.messages import FaultKind, Implementation
from tests.adapter.harness import EchoTask, Recorder, lanes, left_of, miniature


def refused(command, **options):
    """Return the error of a start, having checked that no task was touched and nothing is left."""
    tasks = [EchoTask("only")]
    recorder = Recorder(command, **options)
    with pytest.raises(StartError) as caught:
        list(drive(recorder, iter(tasks), profile="claude-code"))
    assert tasks[0].prepared == 0
    assert lanes() == []
    return caught.value


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("crash_at_start", "before it answered `start`, the process ended (exit status 1)"),
        ("exit_zero_at_start", "before it answered `start`, the process ended (exit status 0)"),
        ("wrong_protocol", "refused: it speaks protocol version 2; this memassay speaks 1"),
        ("unknown_key_at_start", "refused: unknown key 'capabilities'"),
        ("banner_at_start", "a line that is not JSON (Expecting value): 'Port 1.0 ready'"),
    ],
)
def test_start_that_fails_says_how(name, message):
    error = refused(miniature(name))
    assert error.kind is FaultKind.NO_START
    assert message in error.message
    assert error.hint


def test_start_that_is_not_answered_ends_at_the_limit():
    began = time.monotonic()
    error = refused(miniature("no_start_answer"), start_limit_s=0.5)
    assert error.message == "it did not answer `start` within 0.5 s"
    assert time.monotonic() - began < 5


def test_error_renders_what_the_command_its_stderr_and_what_to_do():
    error = refused(miniature("crash_at_start"))
    assert str(error).splitlines() == [
        "the adapter did not start: before it answered `start`, the process ended (exit status 1)",
        f"  command: {' '.join(error.command)}",
        "  its stderr ends with:",
        "    cannot find the module of the port",
        (
            '  run the command by hand and give it the line: {"cmd":"start","protocol":1,'
            '"profile":"claude-code"}'
        ),
    ]


@pytest.mark.parametrize("jobs", [1, 3])
def test_command_that_is_not_there(jobs):
    with pytest.raises(StartError) as caught:
        list(drive(connect_command(["no-such-adapter"]), [], profile="claude-code", jobs=jobs))
    assert caught.value.kind is FaultKind.NOT_FOUND
    assert caught.value.message == "there is no command 'no-such-adapter'"


def test_command_that_may_not_be_executed(tmp_path):
    script = tmp_path / "adapter.py"
    script.write_text("print()")
    error = refused([str(script)])
    assert error.kind is FaultKind.NOT_FOUND
    assert "may not be executed" in error.message
    script.chmod(0o755)
    assert "cannot be executed: [Errno 8] Exec format error" in refused([str(script)]).message
    script.write_text("#!/no/such/interpreter\n")
    assert "first line is missing" in refused([str(script)]).message


def test_no_command_and_a_command_that_the_system_cannot_take():
    assert refused([]).message == "no command was given"
    assert "embedded null byte" in refused(["a\0b"]).message


def test_one_process_that_does_not_start_ends_the_others(tmp_path):
    recorder = Recorder(miniature("starts_once", str(tmp_path / "marker")))
    with pytest.raises(StartError):
        list(drive(recorder, iter([EchoTask("only")]), profile="claude-code", jobs=2))
    assert left_of(recorder.pids) == []


def test_driver_knows_who_answers_before_it_takes_a_task():
    def tasks():
        raise AssertionError("a task was taken")
        yield

    seen = []
    with Driver(connect_command(miniature("good")), profile="claude-code", jobs=2) as driver:
        assert driver.started.implementation == Implementation("miniature")
        assert driver.started.ops == ("echo",)
    running = drive(
        connect_command(miniature("good")), tasks(), profile="claude-code", on_start=seen.append
    )
    with pytest.raises(AssertionError, match="a task was taken"):
        next(running)
    assert [started.ops for started in seen] == [("echo",)]


def test_start_carries_the_profile(tmp_path):
    heard = tmp_path / "heard"
    script = f"import sys; open({str(heard)!r}, 'w').write(sys.stdin.readline())"
    refused([sys.executable, "-S", "-E", "-c", script])
    assert heard.read_text() == '{"cmd":"start","protocol":1,"profile":"claude-code"}\n'
