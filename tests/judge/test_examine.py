import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from memassay.adapter.connect import connect_command
from memassay.adapter.errors import StartError
from memassay.adapter.messages import Trouble
from memassay.judge.examine import examine, follow
from memassay.judge.prerequisites import MissingPrerequisiteError
from memassay.judge.reading import read_stream
from memassay.judge.stream import Run, StreamWriter
from memassay.judge.verdict import Footer, Header, Outcome, Verdict
from memassay.spec.errors import SpecError
from memassay.spec.models import Level
from tests.judge import mini
from tests.judge.runs import real_run

IDS = [case.id for case in mini.CASES]


def entries_of(answering=mini.obey, ops=("shout", "note"), cases=mini.CASES, **more):
    spec = mini.make_spec(cases)
    return examine(
        spec, cases, mini.connect_to(answering, ops), **{"profile": "claude-code", **more}
    )


def outcomes(run):
    return {name: verdict.outcome.value for name, verdict in run.verdicts.items()}


def test_a_run_is_a_header_a_verdict_a_case_and_a_footer():
    first, *verdicts, last = entries_of(
        command=("node", "x.mjs"),
        selection={"chapters": ["shout", "note"], "rules": ()},
        deviations={"SH-1": "we whisper"},
    )
    assert isinstance(first, Header)
    assert (first.client, first.profile, first.spec_digest) == (
        "2.1.296",
        "claude-code",
        mini.DIGEST,
    )
    assert (first.implementation.name, first.ops) == ("mini", ("shout", "note"))
    assert first.command == ("node", "x.mjs")
    assert first.selection == {"chapters": ("shout", "note"), "rules": ()}
    assert (first.cases, first.deviations) == (7, {"SH-1": "we whisper"})
    assert [verdict.case for verdict in verdicts] == IDS
    assert {verdict.outcome for verdict in verdicts} == {Outcome.PASS}
    assert last == Footer(complete=True, counts={"pass": 7}, digest=last.digest, reason=None)
    assert Run.of([first, *verdicts, last]).footer == last


def test_cases_of_ops_that_are_not_listed_are_never_put():
    put = []

    def answering(op, args, profile):
        put.append(op)
        return mini.obey(op, args, profile)

    run = follow(entries_of(answering, ops=("note",)))
    assert put == ["note", "note"]
    assert outcomes(run) == {
        **dict.fromkeys(IDS[:5], "unsupported"),
        "no-write": "pass",
        "no-keep": "pass",
    }
    assert run.footer.counts == {"pass": 2, "unsupported": 5}


def test_an_adapter_with_none_of_the_ops_is_judged_on_nothing():
    run = follow(entries_of(ops=()))
    assert set(outcomes(run).values()) == {"unsupported"}
    assert run.complete


def test_wrong_answers_errors_skips_and_faults_are_told_apart():
    def answering(op, args, profile):
        text = args["text"]
        bodies = {
            "abc": {"result": {"text": "abc"}},
            "ABC": {"skipped": {"reason": "later"}},
            "ß": {"error": {"code": "oops", "message": "no"}},
            "ŉ": {"result": {"text": 5}},
        }
        if text == "":
            raise RuntimeError("crash")
        return bodies.get(text) or mini.obey(op, args, profile)

    run, _ = real_run(answering)
    assert outcomes(run) == {
        "sh-ascii": "fail",
        "sh-done": "skipped",
        "sh-should": "fail",
        "sh-may": "fault",
        "sh-empty": "fault",
        "no-write": "pass",
        "no-keep": "pass",
    }
    assert run.verdicts["sh-may"].fault == "bad-message"
    assert run.verdicts["sh-empty"].fault == "crash"


def many(number):
    return tuple(
        mini.case(
            f"sh-{n:03}",
            mini.SHOUT,
            "SH-1",
            Level.MUST,
            {"text": f"t{n}"},
            {"text": f"T{n}"},
        )
        for n in range(number)
    )


ADAPTER = Path(__file__).parent / "backwards_adapter.py"


@pytest.mark.parametrize("jobs", [1, 2])
def test_verdicts_come_in_the_specs_order_whatever_the_answers_do(jobs):
    cases = many(40)
    connect = connect_command([sys.executable, str(ADAPTER)])
    run = follow(examine(mini.make_spec(cases), cases, connect, profile="claude-code", jobs=jobs))
    assert [*run.verdicts] == [case.id for case in cases]
    assert set(outcomes(run).values()) == {"pass"}
    assert run.troubles == ()


def test_an_answer_that_is_too_deep_to_judge_is_a_fault_of_that_case_alone():
    cases = many(9)
    connect = connect_command([sys.executable, str(ADAPTER), "--deep-on", "t5"])
    run = follow(examine(mini.make_spec(cases), cases, connect, profile="claude-code"))
    assert outcomes(run) == {case.id: "fault" if case.id == "sh-005" else "pass" for case in cases}
    assert run.verdicts["sh-005"].fault == "garbage"
    assert "nested more than 100 deep" in run.verdicts["sh-005"].reason


def test_a_trouble_that_no_verdict_explains_is_in_the_stream(tmp_path):
    cases = many(20)
    connect = connect_command([sys.executable, str(ADAPTER), "--stray-once", str(tmp_path / "x")])
    out = io.StringIO()
    run = follow(
        examine(mini.make_spec(cases), cases, connect, profile="claude-code"),
        StreamWriter(out).write,
    )
    assert set(outcomes(run).values()) == {"pass"}
    (trouble,) = run.troubles
    assert isinstance(trouble, Trouble)
    assert trouble.fault.kind == "wrong-id"
    assert read_stream(io.StringIO(out.getvalue())).troubles == run.troubles


def test_a_trouble_that_a_verdict_explains_is_not():
    cases = many(20)
    connect = connect_command([sys.executable, str(ADAPTER), "--crash-on", "t7"])
    run = follow(examine(mini.make_spec(cases), cases, connect, profile="claude-code"))
    assert {name for name, outcome in outcomes(run).items() if outcome != "pass"} == {"sh-007"}
    assert run.verdicts["sh-007"].fault == "crash"
    assert run.troubles == ()


def test_nothing_is_left_in_the_temporary_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)  # what was found before
    seen = []

    def answering(op, args, profile):
        seen.extend(path.name for path in tmp_path.iterdir())
        return mini.obey(op, args, profile)

    real_run(answering)
    assert set(seen) == {"memassay-0001"}
    assert list(tmp_path.iterdir()) == []


def test_an_adapter_that_does_not_start_is_told_before_anything_is_yielded():
    with pytest.raises(StartError):
        next(entries_of_command([sys.executable, "-c", "pass"]))


def entries_of_command(command):
    return examine(mini.make_spec(), mini.CASES, connect_command(command), profile="claude-code")


def test_a_missing_prerequisite_is_an_error_not_a_skip(tmp_path, monkeypatch):
    needy = (
        *mini.CASES,
        mini.case("no-git", mini.NOTE, "NO-1", Level.MUST, {}, {}, tree={}, requires=("git",)),
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPrerequisiteError, match=r"git: .*case no-git needs it"):
        next(entries_of(cases=needy))
    # whoever does not have the op does not need git either
    assert isinstance(next(entries_of(cases=needy, ops=("shout",))), Header)


def test_a_case_that_cannot_be_made_ends_the_run_with_its_place():
    broken = (
        mini.CASES[0],
        mini.case(
            "no-bad", mini.NOTE, "NO-1", Level.MUST, {}, {"file": None}, tree={"a": {"file": 1}}
        ),
    )
    with pytest.raises(SpecError, match=r"spec\.yaml:7 \[no-bad\]"):
        follow(entries_of(cases=broken))


class Interrupting:
    """A sink that is hit by Ctrl-C on one entry."""

    def __init__(self, on, times=1):
        self.seen = []
        self.on = on
        self.times = times

    def __call__(self, entry):
        if len(self.seen) == self.on:
            for _ in range(self.times):
                os.kill(os.getpid(), signal.SIGINT)
        self.seen.append(entry)


def test_an_interrupted_run_keeps_what_was_judged_and_says_so():
    out = io.StringIO()
    sink = Interrupting(on=3)
    run = follow(entries_of(), StreamWriter(out).write, sink)
    assert not run.complete
    assert run.footer.reason == "interrupted"
    assert [*run.verdicts][:3] == IDS[:3]
    assert len(run.verdicts) < len(IDS)
    again = read_stream(io.StringIO(out.getvalue()))
    assert again == run
    assert len(sink.seen) == 2 + len(run.verdicts)


def test_interrupted_in_its_header_it_still_has_a_footer():
    run = follow(entries_of(), Interrupting(on=0))
    assert run.footer.reason == "interrupted"
    assert len(run.verdicts) < len(IDS)


def test_an_interrupt_while_waiting_for_the_adapter_reaches_it():
    def answering(op, args, profile):
        if args["text"] == "ß":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.2)
        return mini.obey(op, args, profile)

    run = follow(entries_of(answering))
    assert run.footer.reason == "interrupted"
    assert set(outcomes(run).values()) <= {"pass"}
    assert "no-keep" not in run.verdicts


def test_a_second_interrupt_ends_it_at_once():
    with pytest.raises(KeyboardInterrupt):
        follow(entries_of(), Interrupting(on=2, times=2))


def test_a_sink_that_fails_ends_the_run_and_its_directories(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)  # what was found before

    def full(entry):
        if isinstance(entry, Verdict):
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        follow(entries_of(), full)
    assert list(tmp_path.iterdir()) == []
    assert not [t for t in threading.enumerate() if t.name.startswith("memassay-lane")]


SCRIPT = """
    import signal
    import sys
    from memassay.adapter.connect import connect_command
    from memassay.judge.examine import examine, follow
    from memassay.judge.stream import StreamWriter
    from tests.judge import mini
    from tests.judge.test_examine import many

    signal.signal(signal.SIGINT, signal.default_int_handler)
    cases = many(30)
    connect = connect_command([sys.executable, sys.argv[1], "--hang-on", "t20"])
    follow(
        examine(mini.make_spec(cases), cases, connect, profile="claude-code", time_limit_s=60),
        StreamWriter(sys.stdout).write,
    )
"""


def test_ctrl_c_on_a_run_whose_adapter_hangs_leaves_a_stream_that_says_so(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), str(ADAPTER)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        text=True,
    )
    lines = [process.stdout.readline() for _ in range(5)]
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=20)
    assert err == ""
    assert process.returncode == 0
    run = read_stream(io.StringIO("".join(lines) + rest))
    assert run.footer.reason == "interrupted"
    assert set(outcomes(run).values()) == {"pass"}
    assert "sh-020" not in run.verdicts
    assert json.loads(lines[0])["kind"] == "header"
    assert list(tmp_path.iterdir()) == []
