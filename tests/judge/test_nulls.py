import pytest
from attrs import evolve

from memassay.judge.nulls import fill_template, null_verdicts
from memassay.spec.models import Level
from tests.judge import mini

CASES = {case.id: case for case in mini.CASES}


@pytest.mark.parametrize(
    ("case_id", "verdicts"),
    [
        ("sh-ascii", {"nothing": False, "echo": False, "everything": False}),
        ("sh-done", {"nothing": False, "echo": True, "everything": True}),
        ("sh-empty", {"nothing": False, "echo": False, "everything": False}),
    ],
)
def test_null_answers_are_judged_like_any_other(case_id, verdicts):
    assert null_verdicts(CASES[case_id], mini.SHOUT, None) == verdicts


def test_an_expected_error_is_not_met_by_doing_nothing():
    assert not any(null_verdicts(CASES["sh-empty"], mini.SHOUT, None).values())


def test_the_untouched_directory_is_judged_too():
    assert set(null_verdicts(CASES["no-keep"], mini.NOTE, {"d/old.md": "untouched"}).values()) == {
        True
    }
    unwritten = {"d/new.md": None, "*": {"new": [], "gone": [], "changed": []}}
    assert set(null_verdicts(CASES["no-write"], mini.NOTE, unwritten).values()) == {False}


def test_without_a_record_of_the_directory_nobody_can_tell():
    assert set(null_verdicts(CASES["no-keep"], mini.NOTE, None).values()) == {None}


def test_an_answer_that_the_schema_refuses_does_not_pass():
    # Whoever echoes bytes where the op answers with text has not answered.
    op = evolve(mini.SHOUT, result_schema=mini.result_schema(text={"type": "string"}))
    case = mini.case("x-b", op, "X-1", Level.MUST, {"text": {"hex": "FF"}}, {"text": {"hex": "FF"}})
    assert null_verdicts(case, mini.SHOUT, None)["echo"] is True
    assert null_verdicts(case, op, None)["echo"] is False


def test_templates_take_arguments_and_leave_the_rest():
    template = {"a": {"$arg": "x"}, "b": [{"$arg": "y"}, 1], "c": {"$arg": "x", "more": 1}}
    assert fill_template(template, {"x": {"deep": [1]}}) == {
        "a": {"deep": [1]},
        "b": [None, 1],
        "c": {"$arg": "x", "more": 1},
    }


@pytest.mark.parametrize("args", [{}, {"events": None}, {"events": []}])
def test_an_argument_that_is_left_out_has_no_items(args):
    assert fill_template({"actions": {"$each": "events", "is": []}}, args) == {"actions": []}


def test_a_template_can_answer_once_for_each_item():
    template = {"actions": {"$each": "events", "is": [{"type": {"$arg": "word"}}]}}
    assert fill_template(template, {"events": [1, 2], "word": "x"}) == {
        "actions": [[{"type": "x"}], [{"type": "x"}]]
    }
