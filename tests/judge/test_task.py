import os
from pathlib import Path

import pytest
from attrs import evolve

from memassay.adapter.messages import Errored, Fault, FaultKind, Result, Skipped, Unsupported
from memassay.judge.afterwards import MOST_BYTES
from memassay.judge.task import CaseTask, unsupported
from memassay.judge.verdict import Outcome
from memassay.spec.errors import SpecError
from memassay.spec.models import Level
from tests.judge import mini

CASES = {case.id: case for case in mini.CASES}


@pytest.fixture
def task(workspace):
    def make(case):
        case = CASES[case] if isinstance(case, str) else case
        return CaseTask(case, mini.make_spec().ops[case.op], workspace)

    return make


def left_in(workspace):
    workspace.settle()
    return list(Path(workspace.root).iterdir())


def answered(body):
    if "error" in body:
        return Errored(body["error"]["code"], body["error"]["message"])
    return Result(body["result"])


@pytest.mark.parametrize("case_id", [*CASES])
def test_an_obedient_answer_passes_and_leaves_nothing_behind(task, workspace, case_id):
    one = task(case_id)
    args = one.prepare()
    verdict = one.judge(answered(mini.obey(one.op, args)))
    assert (verdict.outcome, verdict.mismatches) == (Outcome.PASS, ())
    assert (verdict.case, verdict.rule, verdict.chapter, verdict.level) == (
        case_id,
        one.case.rule,
        one.case.chapter,
        one.case.level,
    )
    assert left_in(workspace) == []


def test_a_task_names_its_op_and_case(task):
    assert (task("no-keep").op, task("no-keep").name) == ("note", "no-keep")


def test_pure_cases_get_no_directory(task, workspace):
    assert task("sh-ascii").prepare() == {"text": "abc"}
    assert left_in(workspace) == []


def test_arguments_are_wire_values(task):
    case = mini.case("x-c", mini.SHOUT, "X-1", Level.MUST, {"text": {"hex": "FF"}}, {"text": "x"})
    assert task(case).prepare() == {"text": {"$bytes": "/w=="}}


def test_preparing_again_starts_from_nothing(task):
    one = task("no-write")
    first = one.prepare()
    Path(first["file"]).write_text("half of it")
    assert one.prepare() == first
    assert not Path(first["file"]).exists()
    assert one.judge(answered(mini.obey("note", first))).outcome is Outcome.PASS


def test_a_directory_that_cannot_be_made_is_told_with_the_case(task, workspace, monkeypatch):
    def refuse(_case_id):
        raise OSError(28, "No space left on device", "/somewhere")

    one = task("no-write")
    monkeypatch.setattr(type(workspace), "fresh", lambda _self, case_id: refuse(case_id))
    with pytest.raises(SpecError) as caught:
        one.prepare()
    assert caught.value.message == "cannot be put: /somewhere: No space left on device"
    assert caught.value.where == one.case.where


def test_a_huge_file_is_not_read_into_the_record(task):
    one = task("no-write")
    args = one.prepare()
    with Path(args["file"]).open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    verdict = one.judge(Result({"file": args["file"]}))
    assert verdict.outcome is Outcome.FAIL
    assert verdict.tree["d/new.md"]["file"] == {"unreadable": "it has 67,108,865 bytes"}


def test_the_record_names_no_machine(task, workspace):
    one = task("no-write")
    args = one.prepare()
    Path(args["file"]).write_text(f"see {args['file']}")
    verdict = one.judge(Result({"file": args["file"]}))
    assert verdict.result == {"file": "<TREE>/d/new.md"}
    assert verdict.tree["d/new.md"]["file"] == "see <TREE>/d/new.md"
    assert workspace.root not in repr(verdict)


def test_null_baselines_are_recorded_with_every_judged_case(task):
    one = task("sh-done")
    one.prepare()
    verdict = one.judge(Result({"text": "ABC"}))
    assert verdict.nulls == {"nothing": False, "echo": True, "everything": True}
    two = task("no-keep")
    args = two.prepare()
    Path(args["file"]).unlink()
    verdict = two.judge(Result({"file": args["file"]}))
    assert verdict.outcome is Outcome.FAIL
    assert verdict.nulls == {"nothing": True, "echo": True, "everything": True}


def test_a_bad_result_is_a_fault_with_its_evidence(task):
    one = task("sh-ascii")
    one.prepare()
    verdict = one.judge(Result({"text": 1}))
    assert (verdict.outcome, verdict.fault) == (Outcome.FAULT, FaultKind.BAD_MESSAGE)
    assert verdict.result == {"text": 1}
    assert verdict.mismatches == ()


def test_what_is_no_answer_is_passed_on(task, workspace):
    def verdict(answer, case_id="no-write"):
        one = task(case_id)
        one.prepare()
        return one.judge(answer)

    skipped = verdict(Skipped("not yet", "https://example.org/1"))
    assert (skipped.outcome, skipped.reason, skipped.issue_url) == (
        Outcome.SKIPPED,
        "not yet",
        "https://example.org/1",
    )
    assert verdict(Unsupported("exit 64")).outcome is Outcome.UNSUPPORTED
    root = workspace.path_of("no-write")
    fault = verdict(Fault(FaultKind.CRASH, f"died in {root}", f"at {root}/d"))
    assert (fault.outcome, fault.fault) == (Outcome.FAULT, FaultKind.CRASH)
    assert (fault.reason, fault.stderr) == ("died in <TREE>", "at <TREE>/d")
    assert left_in(workspace) == []


def test_an_unsupported_case_needs_no_task():
    verdict = unsupported(CASES["sh-ascii"])
    assert (verdict.outcome, verdict.rule, verdict.nulls) == (Outcome.UNSUPPORTED, "SH-1", {})


def test_a_case_that_cannot_be_made_is_named_with_its_place(task):
    broken = mini.case(
        "no-broken", mini.NOTE, "NO-1", Level.MUST, {}, {"file": None}, tree={"a": {"file": 5}}
    )
    with pytest.raises(SpecError, match=r"spec\.yaml:7 \[no-broken\]: tree entry 'a'"):
        task(broken).prepare()
    args = mini.case("no-args", mini.NOTE, "NO-1", Level.MUST, {"a": {"path": ".."}}, {}, tree={})
    with pytest.raises(SpecError, match=r"\[no-args\]: '\.\.' is no path in the tree"):
        task(args).prepare()


def test_a_path_nobody_made_cannot_be_expected_untouched(task):
    wrong = evolve(CASES["no-keep"], expect={"tree": {"d/odl.md": "untouched"}})
    with pytest.raises(SpecError, match=r"d/odl\.md untouched, but its tree does not make it"):
        task(wrong).prepare()


def test_modes_links_and_pipes_do_not_stop_the_cleaning_up(task, workspace):
    case = mini.case(
        "no-modes",
        mini.NOTE,
        "NO-1",
        Level.MUST,
        {"file": {"path": "locked/x"}},
        {"tree": {"*": "untouched"}},
        tree={
            "locked/x": {"file": "x", "mode": "0000"},
            "locked": {"dir": True, "mode": "0000"},
            "pipe": {"fifo": True},
            "link": {"symlink": "link"},
        },
    )
    one = task(case)
    one.prepare()
    assert one.judge(Result({"file": None})).outcome is Outcome.PASS
    assert left_in(workspace) == []


def test_a_directory_that_changes_while_it_is_looked_at_is_a_fault(task, monkeypatch):
    one = task("no-keep")
    args = one.prepare()

    def vanish(_):
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("memassay.judge.task.snapshot", vanish)
    monkeypatch.setattr("memassay.judge.task._PAUSE_S", 0)
    verdict = one.judge(Result({"file": args["file"]}))
    assert (verdict.outcome, verdict.fault) == (Outcome.FAULT, FaultKind.BAD_MESSAGE)
    assert "still changing" in verdict.reason


def test_a_directory_that_settles_is_judged(task, monkeypatch):
    from memassay.spec.trees import snapshot

    one = task("no-keep")
    args = one.prepare()
    calls = []

    def settle(root):
        calls.append(root)
        if len(calls) == 1:
            raise FileNotFoundError(2, "No such file or directory")
        return snapshot(root)

    monkeypatch.setattr("memassay.judge.task.snapshot", settle)
    monkeypatch.setattr("memassay.judge.task._PAUSE_S", 0)
    assert one.judge(Result({"file": args["file"]})).outcome is Outcome.PASS


def test_the_clock_of_a_case_is_the_one_of_its_tree(task):
    case = mini.case(
        "no-clock",
        mini.NOTE,
        "NO-1",
        Level.MUST,
        {"file": {"path": "a"}, "now": {"clock_ms": "1s"}},
        {"file": {"path": "a"}},
        tree={"a": {"file": "x", "age": "1s"}},
        clock="2001-01-01T00:00:00Z",
    )
    one = task(case)
    args = one.prepare()
    assert args["now"] == 978_307_201_000
    assert os.stat(args["file"]).st_mtime_ns == 978_307_199_000_000_000  # noqa: PTH116
    one.discard()
