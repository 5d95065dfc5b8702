import pytest

from memassay.adapter.messages import FaultKind
from memassay.judge.decide import Record, decide, expected, has_directory, result_complaint
from memassay.judge.verdict import Outcome
from tests.judge import mini

CASES = {case.id: case for case in mini.CASES}
ERROR = {"code": "empty", "message": "nothing to shout"}


def outcome(case_id, **record):
    case = CASES[case_id]
    decision = decide(case, {"shout": mini.SHOUT, "note": mini.NOTE}[case.op], Record(**record))
    return decision.outcome, [(m.at, m.problem) for m in decision.mismatches]


def test_a_result_passes_or_fails():
    assert outcome("sh-ascii", result={"text": "ABC"}) == (Outcome.PASS, [])
    assert outcome("sh-ascii", result={"text": "ABc"}) == (
        Outcome.FAIL,
        [("text", 'differs after 2 equal units (line 1, column 3): expected "ABC", got "ABc"')],
    )


def test_an_error_passes_only_where_one_is_expected():
    assert outcome("sh-empty", error=ERROR) == (Outcome.PASS, [])
    assert outcome("sh-empty", error={**ERROR, "code": "other"})[0] is Outcome.FAIL
    assert outcome("sh-empty", result={"text": ""}) == (
        Outcome.FAIL,
        [("error", "is missing: there is a result")],
    )
    assert outcome("sh-ascii", error=ERROR) == (
        Outcome.FAIL,
        [("error", 'is the error "empty" ("nothing to shout"), expected a result')],
    )


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ({}, "a bad result of shout: result: 'text' is a required property"),
        ({"text": 5}, "a bad result of shout: result.text: 5 is not of type 'string', 'object'"),
        ({"text": "ABC", "odd": 1}, "a bad result of shout: result: Additional properties"),
        ([], "a bad result of shout: result: [] is not of type 'object'"),
        ({"text": {"$bytes": "not base64"}}, "a bad result of shout: result.text is no base64"),
    ],
)
def test_a_result_that_the_schema_refuses_is_a_fault_not_a_wrong_answer(result, reason):
    decision = decide(CASES["sh-ascii"], mini.SHOUT, Record(result=result))
    assert decision.outcome is Outcome.FAULT
    assert decision.fault is FaultKind.BAD_MESSAGE
    assert decision.reason.startswith(reason)


def test_bytes_anywhere_in_a_result_must_be_base64():
    assert result_complaint(mini.SHOUT, {"text": {"a": [1, {"$bytes": "YQ=="}]}}) is None
    assert result_complaint(mini.SHOUT, {"text": {"a": [1, {"$bytes": "Y"}]}}) == (
        "a bad result of shout: result.text.a[1] is no base64"
    )


def test_complaints_are_short():
    complaint = result_complaint(mini.SHOUT, {"text": ["x" * 10_000]})
    assert len(complaint) < 300


def test_paths_are_judged_at_the_stand_in_and_told_by_their_sign():
    good = {
        "d/new.md": {"file": "hi", "changed": ["kind"]},
        "*": {"new": [], "gone": [], "changed": []},
    }
    assert outcome("no-write", result={"file": "<TREE>/d/new.md"}, tree=good) == (Outcome.PASS, [])
    result, problems = outcome("no-write", result={"file": "<TREE>/d"}, tree=good)
    assert result is Outcome.FAIL
    assert problems == [
        (
            "file",
            'ends after 16 units (line 1, column 17); expected to follow: "/new.md"',
        )
    ]
    decision = decide(CASES["no-write"], mini.NOTE, Record(result={"file": "/else"}, tree=good))
    assert decision.mismatches[0].expected == "<TREE>/d/new.md"
    assert decision.mismatches[0].got == "/else"


def test_the_sign_itself_is_no_answer():
    result, _ = outcome("no-write", result={"file": "<TREE-LITERAL>/d/new.md"}, tree={})
    assert result is Outcome.FAULT  # as it is no absolute path, which this op's schema demands


def test_the_directory_is_judged_with_the_answer():
    touched = {"d/old.md": {"file": "hi", "changed": ["content", "mtime"]}}
    assert outcome("no-keep", result={"file": "<TREE>/d/old.md"}, tree=touched) == (
        Outcome.FAIL,
        [("tree:d/old.md", "was to stay untouched; changed: content, mtime")],
    )
    assert outcome("no-keep", result={"file": "<TREE>/d/old.md"}, tree=None)[0] is Outcome.FAIL


def test_an_error_does_not_excuse_what_happened_to_the_directory():
    result, problems = outcome("no-keep", error=ERROR, tree={"d/old.md": None})
    assert result is Outcome.FAIL
    assert [at for at, _ in problems] == ["error", "tree:d/old.md"]


def test_only_cases_with_a_tree_or_of_tree_ops_have_a_directory():
    assert not has_directory(CASES["sh-ascii"], mini.SHOUT)
    assert has_directory(CASES["no-keep"], mini.NOTE)


def test_the_level_decides_nothing():
    assert outcome("sh-may", result={"text": "N"})[0] is Outcome.FAIL
    assert outcome("sh-should", result={"text": "ß"})[0] is Outcome.FAIL


def test_expectations_are_built_for_the_stand_in():
    assert expected(CASES["no-write"]).result == {"file": "/memassay-tree/d/new.md"}
