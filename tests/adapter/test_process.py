"""A child and its three pipes."""

from __future__ import annotations

import gc
import sys
import time

from memassay.adapter.process import STDERR_TAIL_BYTES, ExitStatus, Process
from tests.adapter.harness import left_of, lives

PYTHON = [sys.executable, "-S", "-E", "-c"]


def collect(process, seconds=20.0):
    """Return all of stdout."""
    deadline = time.monotonic() + seconds
    chunks = []
    while not process.stdout_ended and time.monotonic() < deadline:
        chunks.append(process.pump(0.1))
    return b"".join(chunks)


def test_what_goes_in_comes_out_however_much_it_is():
    process = Process(["cat"])
    data = bytes(range(256)) * 40_000
    process.write(data)
    process.write(b"end")
    assert process.pending_bytes > 0
    process.close_stdin()
    process.write(b"too late")
    assert collect(process) == data + b"end"
    assert process.pending_bytes == 0
    assert process.wait(5) == ExitStatus(0)
    process.end()


def test_exit_status_in_words():
    assert str(ExitStatus(0)) == "exit status 0"
    assert str(ExitStatus(70)) == "exit status 70"
    assert str(ExitStatus(-11)) == "killed by SIGSEGV"
    assert str(ExitStatus(-77)) == "killed by signal 77"


def test_only_the_end_of_stderr_is_kept():
    process = Process([*PYTHON, "import sys; sys.stderr.write('x' * 5_000_000 + 'last words')"])
    collect(process)
    assert len(process._said) <= 2 * STDERR_TAIL_BYTES
    tail = process.stderr_tail()
    assert len(tail) == STDERR_TAIL_BYTES
    assert tail.endswith("xlast words")
    process.end()
    assert process.stderr_tail() == tail


def test_silence_on_stderr_is_none():
    process = Process(["true"])
    collect(process)
    assert process.stderr_tail() is None
    process.end()


def test_stderr_that_is_no_text_is_shown_all_the_same():
    process = Process([*PYTHON, "import os; os.write(2, b'caf\\xe9')"])
    collect(process)
    assert process.stderr_tail() == "caf\ufffd"
    process.end()


def test_stdin_that_the_child_closed_is_noticed_without_writing():
    process = Process([*PYTHON, "import os, time; os.close(0); time.sleep(600)"])
    deadline = time.monotonic() + 10
    while not process.stdin_broken and time.monotonic() < deadline:
        process.pump(0.1)
    assert process.stdin_broken
    process.write(b"nobody reads this")
    assert process.pending_bytes == 0
    process.end()
    assert left_of([process._popen.pid]) == []


def test_end_takes_the_whole_group_along():
    process = Process(["sh", "-c", "sleep 600 & sleep 600 & echo $!; wait"])
    pid = int(process.pump(5))
    assert lives(pid)
    process.end()
    assert left_of([process._popen.pid]) == []
    assert not lives(pid)
    process.end()


def test_end_takes_along_what_outlived_the_child():
    process = Process(["sh", "-c", "sleep 600 & echo $!"])
    pid = int(process.pump(5))
    assert process.wait(5) == ExitStatus(0)
    assert lives(pid)
    process.end()
    assert left_of([process._popen.pid]) == []
    assert not lives(pid)


def test_child_gets_a_moment_to_tidy_up(tmp_path):
    tidied = tmp_path / "tidied"
    process = Process(
        ["sh", "-c", f"trap 'touch {tidied}; exit' TERM; echo; while :; do sleep 0.02; done"]
    )
    assert process.pump(5) == b"\n"
    process.end()
    assert tidied.exists()


def test_process_that_is_forgotten_is_ended():
    process = Process(["sleep", "600"])
    pid = process._popen.pid
    assert lives(pid)
    del process
    gc.collect()
    assert left_of([pid]) == []
