import pytest
from attrs import evolve

from memassay.adapter.messages import Errored, Result
from memassay.fuzz.drawn import Drawn
from memassay.fuzz.written import Parted, case_of
from memassay.judge.decide import Record, decide
from memassay.judge.verdict import Outcome
from memassay.spec.loader import load_spec

SPEC = load_spec()


@pytest.mark.parametrize(
    ("kept", "expected"),
    [("short", "short"), ("a\ud83d", {"utf16": "0061 d83d"})],
)
def test_a_written_case_expects_what_the_reference_said(kept, expected):
    parted = parted_on({"kept": kept, "warning": None}, {"kept": "", "warning": None})
    case = case_of(SPEC.ops["index_window"], parted)
    assert case["expect"] == {"kept": expected, "warning": None}


def test_a_long_text_is_expected_by_length_and_digest():
    text = "😀" * 300
    case = case_of(SPEC.ops["index_window"], parted_on({"kept": text, "warning": None}, {}))
    assert case["expect"]["kept"]["length_utf16"] == 600
    written = evolve(SPEC.cases["idx-cjk-25000"], args=case["args"], expect=case["expect"])
    written = evolve(written, boundary=())
    op = SPEC.ops["index_window"]
    for answer, outcome in ((text, Outcome.PASS), (text[1:] + "a", Outcome.FAIL)):
        record = Record(result={"kept": answer, "warning": None})
        assert decide(written, op, record).outcome is outcome


def parted_on(wanted, got):
    return Parted(Drawn({"text": {"concat": ["x"]}}), Result(wanted), Result(got))


def test_a_written_case_expects_the_reference_s_error():
    parted = Parted(Drawn({"path": "x"}), Errored("bad-arguments", "no"), Result({"key": "x"}))
    assert case_of(SPEC.ops["project_key"], parted)["expect"] == {
        "error": {"code": "bad-arguments"}
    }


def test_paths_of_the_directory_are_written_as_builders():
    answer = {"enabled": True, "dir": "<TREE>/home/.claude/projects/<TREE-SLUG>-p/memory"}
    drawn = Drawn({"cwd": {"path": "p"}}, {"p": {"dir": True}})
    case = case_of(SPEC.ops["memory_dir"], Parted(drawn, Result(answer), Result({})))
    assert case["expect"]["dir"] == {
        "concat": [{"path": "."}, "/home/.claude/projects/", {"slug_of": "."}, "-p/memory"]
    }
