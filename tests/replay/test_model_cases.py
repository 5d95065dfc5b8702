"""What a run says of model cases: good ports, odd ports, and recordings that cannot be played."""

import shutil
import sys
import threading

import pytest
from attrs import evolve

from memassay.adapter.connect import connect_callable, connect_command, connect_reference
from memassay.adapter.messages import FaultKind
from memassay.judge.examine import examine
from memassay.judge.reading import read_stream
from memassay.judge.stream import Run, StreamWriter
from memassay.judge.verdict import Outcome
from memassay.judge.verify import verify
from memassay.replay import cassette
from memassay.spec import locate
from memassay.spec.loader import load_spec
from tests.replay.asking import NATIVE, ask, post

FIRST, SECOND = "sel-bad-once", "sel-tokens-native"  # a script, a cassette
ABOUT = {"name": "odd", "version": "1", "language": None, "homepage": None, "targets": []}
NOTHING = {"turns": [{"started": True, "files": [], "warning": True}]}


@pytest.fixture(scope="module")
def spec():
    return load_spec()


def run(spec, answering, *names, **more):
    connect = connect_callable(
        lambda _, args, __: {"result": answering(args)}, implementation=ABOUT, ops=["selector"]
    )
    chosen = spec.select(cases=names or (FIRST,))
    return Run.of(examine(spec, chosen, connect, profile="claude-code", **more))


def only(run_):
    (verdict,) = run_.verdicts.values()
    return verdict


def problems(verdict):
    return [f"{m.at} {m.problem}" for m in verdict.mismatches]


def asking(times):
    def answer(args):
        for _ in range(times):
            ask(args["base_url"], **NATIVE)
        return NOTHING

    return answer


def test_the_requests_are_judged_and_recorded(spec):
    verdict = only(run(spec, asking(1)))
    assert verdict.outcome is Outcome.PASS
    assert [request["form"] for request in verdict.requests] == ["native"]


def test_a_port_that_never_calls(spec):
    verdict = only(run(spec, asking(0)))
    assert verdict.outcome is Outcome.FAIL
    assert problems(verdict) == ["requests none came: nothing was asked of the model at `base_url`"]


def test_a_port_that_calls_another_host(spec):
    other = threading.Event()

    def answer(_):
        with pytest.raises(OSError):  # noqa: PT011 (there is nothing there)
            ask("http://127.0.0.1:9")
        other.set()
        return NOTHING

    verdict = only(run(spec, answer))
    assert other.is_set()
    assert verdict.outcome is Outcome.FAIL
    assert "none came" in problems(verdict)[0]


def test_a_port_that_calls_twice(spec):
    verdict = only(run(spec, asking(2)))
    assert verdict.outcome is Outcome.FAIL
    assert problems(verdict) == ["requests has 2 items, expected 1; the first that differs is [1]"]


def test_a_request_that_nothing_answers_is_shown_with_the_nearest(spec):
    def answer(args):
        ask(args["base_url"])  # without the schema
        return {"turns": [{"started": True, "files": [], "warning": False}]}

    verdict = only(run(spec, answer, "sel-schema-native"))
    assert verdict.outcome is Outcome.FAIL
    assert "no answer left for a request of the form text" in problems(verdict)[-1]
    assert verdict.requests[0]["nearest"]["interaction"] == 0
    assert {"form", "schema"} <= set(verdict.requests[0]["nearest"]["differs"])


def test_a_port_that_sends_50_mb(spec):
    def answer(args):
        post(args["base_url"], b"x" * 50_000_000)
        return NOTHING

    verdict = only(run(spec, answer))
    assert verdict.outcome is Outcome.FAIL
    assert any("was not answered: it has 50,000,000 bytes" in p for p in problems(verdict))


def test_a_port_that_hangs_and_the_run_goes_on(spec):
    connect = connect_command([sys.executable, "-m", "tests.replay.hanging_adapter"])
    chosen = spec.select(cases=["sel-one-word-no-request", SECOND])
    result = Run.of(examine(spec, chosen, connect, profile="claude-code", time_limit_s=5.0))
    outcomes = {name: (v.outcome, v.fault) for name, v in result.verdicts.items()}
    assert outcomes == {
        "sel-one-word-no-request": (Outcome.FAULT, FaultKind.HANG),
        SECOND: (Outcome.PASS, None),
    }
    assert result.complete


def test_the_address_of_the_model_is_in_no_verdict(spec):
    def answer(args):
        ask(args["base_url"], **NATIVE, system=f"I am at {args['base_url']}")
        raise ConnectionError(args["base_url"])

    def answering(_, args, __):
        try:
            answer(args)
        except ConnectionError as error:
            return {"error": {"code": "gone", "message": str(error)}}

    connect = connect_callable(answering, implementation=ABOUT, ops=["selector"])
    chosen = spec.select(cases=[FIRST])
    verdict = only(Run.of(examine(spec, chosen, connect, profile="claude-code")))
    assert verdict.error["message"] == "<MODEL>"
    assert verdict.requests[0]["system"] == "I am at <MODEL>"


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A copy of the cassettes, in the place of the real ones."""
    copy = tmp_path / "cassettes"
    shutil.copytree(locate.cassettes_root(), copy)
    monkeypatch.setattr(locate, "cassettes_root", lambda: copy)
    cassette._stored.cache_clear()
    yield copy
    cassette._stored.cache_clear()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda path: path.unlink(), "cannot be read"),
        (lambda path: path.write_bytes(path.read_bytes()[:99]), "is cut off"),
        (lambda path: path.write_bytes(path.read_bytes() + b"#"), "was edited"),
    ],
)
def test_a_spoilt_recording_is_a_fault_and_the_run_goes_on(spec, shelf, spoil, why):
    spoil(shelf / "selector-none.yaml")
    result = run(spec, asking(1), FIRST, SECOND)
    spoilt, good = result.verdicts[SECOND], result.verdicts[FIRST]
    assert (spoilt.outcome, spoilt.fault) == (Outcome.FAULT, FaultKind.CASSETTE)
    assert why in spoilt.reason
    assert good.outcome is Outcome.PASS
    assert result.complete


def test_a_stream_with_requests_is_written_read_and_verified(spec, tmp_path):
    chosen = spec.select(rules=["SEL-6"])
    path = tmp_path / "run.jsonl"
    with path.open("w", newline="\n") as file:
        writer = StreamWriter(file)
        for entry in examine(
            spec, chosen, connect_reference(), profile="claude-code",
            selection={"rules": ("SEL-6",)},
        ):  # fmt: skip
            writer.write(entry)
    read = read_stream(path)
    assert {verdict.outcome for verdict in read.verdicts.values()} == {Outcome.PASS}
    assert verify(read, spec) == []
    name, verdict = next(iter(read.verdicts.items()))
    forged = evolve(verdict, requests=[])
    found = verify(evolve(read, verdicts={**read.verdicts, name: forged}), spec)
    assert any("the recorded answer makes it fail" in str(problem) for problem in found)


def test_null_adapters_ask_nobody(spec):
    verdict = only(run(spec, asking(1), SECOND))
    assert not any(verdict.nulls.values())
