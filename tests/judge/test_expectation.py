import pytest

from memassay.judge.expectation import (
    Expectation,
    build_expectation,
    case_check,
    check_expectation,
)
from memassay.judge.values import Exactly
from memassay.spec.builders import Context
from tests.judge import mini

CONTEXT = Context("/t/r", 0)


def test_builders_are_built_and_literals_kept_from_building_and_matching():
    built = build_expectation(
        {
            "text": {"concat": ["a", {"repeat": "b", "times": 2}]},
            "raw": {"literal": {"contains": {"repeat": "x", "times": 3}}},
            "list": [{"path": "d"}],
        },
        CONTEXT,
    )
    assert built == Expectation(
        {
            "text": "abb",
            "raw": Exactly({"contains": {"repeat": "x", "times": 3}}),
            "list": ["/t/r/d"],
        }
    )


def test_error_and_tree_are_taken_out_at_the_top_only():
    built = build_expectation(
        {"a": {"error": 1, "tree": 2}, "error": {"code": "x"}, "tree": {"f": {"hex": "FF"}}},
        CONTEXT,
    )
    assert built.result == {"a": {"error": 1, "tree": 2}}
    assert built.error == {"code": "x"}
    assert built.tree == {"f": b"\xff"}


def test_the_expectation_itself_is_no_builder_but_may_be_a_matcher():
    assert build_expectation({"path": "x"}, CONTEXT).result == {"path": "x"}
    assert check_expectation({"any_of": [{"days": 1}, {"days": None}]}) == ()


@pytest.mark.parametrize(
    "expect",
    [
        {"kept": "", "warning": None},
        {"kept": {"repeat": "x", "times": 3}},
        {"kept": {"contains": {"repeat": "x", "times": 3}, "length_utf16": {"max": 9}}},
        {"topics": [{"file": "a", "type": {"absent": True}}]},
        {"text": {"literal": {"contains": "", "odd": 1}}},
        {"error": {"code": "not-found"}},
        {"error": {"code": {"matches": "^exit-"}}, "tree": {"*": "untouched"}},
        {
            "tree": {
                "a": "untouched",
                "b": "absent",
                "c": "text",
                "d": {"hex": "00"},
                "e/f": {"contains": "x"},
                "g": {"dir": True},
                "h": {"symlink": {"path": "a"}},
                "i": {"literal": "untouched"},
                "*": "untouched",
            }
        },
        {"any_of": [{"a": 1}, {"a": {"any_of": [2, 3]}}]},
    ],
)
def test_what_the_readme_allows_is_without_flaw(expect):
    assert check_expectation(expect) == ()


@pytest.mark.parametrize(
    ("expect", "at", "problem"),
    [
        ({}, "", "expects nothing"),
        ({"kept": {"contains": "a", "kept": 1}}, "kept", "mixes the matcher contains with kept"),
        ({"kept": {"matches": "("}}, "kept.matches", "no valid regular expression"),
        ({"a": [{"count": "x"}]}, "a[0].count", "whole numbers"),
        ({"a": {"any_of": [1, {"sha256": "x"}]}}, "a.any_of[1].sha256", "64 hexadecimal"),
        ({"a": {"contains": [{"absent": 1}]}}, "a.contains[0].absent", "absent: true"),
        ({"a": {"in_order": [{"absent": 1}]}}, "a.in_order[0].absent", "absent: true"),
        ({"a": {"any_order": [{"absent": 1}]}}, "a.any_order[0].absent", "absent: true"),
        ({"a": {"lacks": {"b": {"count": -1}}}}, "a.lacks.b.count", "whole numbers"),
        ({"a": {"repeat": "x", "times": -1}}, "a", "cannot be built"),
        ({"a": {"repeat": 1, "times": 1}}, "a", "cannot be built"),
        ({"error": "x"}, "error", "is written `error: {code: …}`"),
        ({"error": {"message": "x"}}, "error", "is written `error: {code: …}`"),
        ({"error": {"code": "x", "text": "y"}}, "error.text", "is unknown"),
        ({"error": {"code": "x"}, "kept": ""}, "kept", "there is no result"),
        ({"tree": {}}, "tree", "maps paths"),
        ({"tree": "untouched"}, "tree", "maps paths"),
        ({"tree": {"*": "absent"}}, "tree:*", "can only be `untouched`"),
        ({"tree": {"../x": "absent"}}, "tree:../x", "is no path in the tree"),
        ({"tree": {"/x": "absent"}}, "tree:/x", "is no path in the tree"),
        ({"tree": {"a//b": "absent"}}, "tree:a//b", "is no path in the tree"),
        ({"tree": {"a": {"dir": False}}}, "tree:a", "{dir: true}"),
        ({"tree": {"a": {"symlink": "x", "age": "1h"}}}, "tree:a", "{symlink: TARGET}"),
        ({"tree": {"a": 5}}, "tree:a", "is 5; a file is"),
        ({"tree": {"a": {"file": "x"}}}, "tree:a", "a file is a text"),
        ({"tree": {"a": {"contains": "x", "age": 1}}}, "tree:a", "a file is a text"),
        ({"tree": {"a": {"length_utf16": "x"}}}, "tree:a.length_utf16", "whole numbers"),
    ],
)
def test_flaws_are_told_with_their_place(expect, at, problem):
    flaws = check_expectation(expect)
    assert [flaw.at for flaw in flaws] == [at]
    assert problem in flaws[0].problem
    assert str(flaws[0]) == (f"{at}: {flaws[0].problem}" if at else flaws[0].problem)


def test_all_flaws_are_told_at_once():
    flaws = check_expectation({"a": {"count": -1}, "b": {"matches": "["}, "tree": {"c": 1}})
    assert [flaw.at for flaw in flaws] == ["a.count", "b.matches", "tree:c"]


def test_the_check_for_lint_knows_the_keys_of_results():
    check = case_check({"shout": mini.SHOUT})

    def said(expect):
        return list(check(mini.case("x-a", mini.SHOUT, "X-1", mini.CASES[0].level, {}, expect)))

    assert said({"text": "A"}) == []
    assert said({"any_of": [{"text": "A"}]}) == []
    assert said({"tekst": "A"}) == ["expect: tekst: no result of shout has that key"]
    assert said({"text": {"count": "x"}})[0].startswith("expect: text.count: counts in whole")
