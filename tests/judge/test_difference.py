import pytest
from attrs import evolve

from memassay.adapter.messages import Implementation
from memassay.judge.difference import diff
from memassay.judge.stream import Run
from memassay.judge.verdict import Outcome
from tests.judge import mini
from tests.judge.runs import header, real_run, run_of, verdict

SPEC = mini.make_spec()
FAIL = Outcome.FAIL


def test_a_run_differs_in_nothing_from_itself():
    run, _ = real_run()
    found = diff(run, run, SPEC)
    assert found.none
    assert (found.unchanged, found.notes, found.rules) == (7, (), {})


def test_changed_outcomes_are_told_with_their_direction():
    found = diff(run_of({"sh-ascii": FAIL}), run_of({"no-keep": FAIL}), SPEC)
    assert [(change.case, change.broke, change.mended) for change in found.outcomes] == [
        ("sh-ascii", False, True),
        ("no-keep", True, False),
    ]
    assert found.unchanged == 5
    assert not found.none


def test_a_change_between_two_failures_neither_breaks_nor_mends():
    found = diff(run_of({"sh-ascii": FAIL}), run_of({"sh-ascii": Outcome.SKIPPED}))
    (change,) = found.outcomes
    assert (change.broke, change.mended) == (False, False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"result": {"text": "x"}}, {"result": {"text": "y"}}),
        ({"result": {"n": 1}}, {"result": {"n": True}}),
        ({"error": {"code": "a", "message": ""}}, {"error": {"code": "b", "message": ""}}),
        ({"tree": {"a": None}}, {"tree": {"a": "untouched"}}),
    ],
)
def test_another_answer_with_the_same_outcome_is_a_change(before, after):
    a, b = (with_first(FAIL, **parts) for parts in (before, after))
    found = diff(a, b, SPEC)
    assert [change.case for change in found.answers] == ["sh-ascii"]
    assert found.outcomes == ()
    assert found.unchanged == 6


@pytest.mark.parametrize("expect", [{"items": {"any_order": ["a", "b"]}}, {"items": ["a", "b"]}])
def test_an_order_that_a_case_leaves_open_is_no_change(expect):
    a, b = (with_first(Outcome.PASS, result={"items": items}) for items in (["a", "b"], ["b", "a"]))
    first = evolve(mini.CASES[0], expect=expect)
    rules = {
        rule_id: evolve(rule, cases=tuple(first if c.id == first.id else c for c in rule.cases))
        for rule_id, rule in SPEC.rules.items()
    }
    chapters = {
        name: evolve(chapter, rules=tuple(rules[rule.id] for rule in chapter.rules))
        for name, chapter in SPEC.chapters.items()
    }
    assert diff(a, b, evolve(SPEC, chapters=chapters)).none is ("any_order" in str(expect))
    assert not diff(a, b).none


def with_first(outcome, **parts):
    rest = (verdict(case) for case in mini.CASES[1:])
    return Run.of([header(), verdict(mini.CASES[0], outcome, **parts), *rest])


def test_words_about_an_answer_are_no_answer():
    a = with_first(Outcome.FAULT, reason="slow", stderr="a")
    b = with_first(Outcome.FAULT, reason="slower", stderr="b")
    assert diff(a, b).none


def test_cases_of_one_run_only_are_told_apart():
    found = diff(run_of({"sh-may": None}), run_of({"no-keep": None, "sh-ascii": None}), SPEC)
    assert [one.case for one in found.only_a] == ["sh-ascii", "no-keep"]
    assert [one.case for one in found.only_b] == ["sh-may"]
    assert not found.none


def test_differences_are_grouped_by_rule_in_the_specs_order():
    a = run_of({"no-keep": FAIL, "sh-may": None})
    b = run_of({"sh-ascii": FAIL, "sh-done": FAIL})
    rules = diff(a, b, SPEC).rules
    assert [*rules] == ["SH-1", "SH-3", "NO-2"]
    assert [change.case for change in rules["SH-1"].outcomes] == ["sh-ascii", "sh-done"]
    assert [one.case for one in rules["SH-3"].only_b] == ["sh-may"]
    assert rules["NO-2"].answers == ()


def test_without_a_spec_the_order_is_that_of_the_runs():
    backwards = Run.of([header(), *(verdict(case) for case in mini.CASES[::-1])])
    changed = run_of({"sh-ascii": FAIL, "no-keep": FAIL})
    assert [c.case for c in diff(backwards, changed).outcomes] == ["no-keep", "sh-ascii"]
    assert [c.case for c in diff(backwards, changed, SPEC).outcomes] == ["sh-ascii", "no-keep"]


def test_a_case_that_moved_to_another_rule_is_grouped_by_its_new_one():
    moved = {case.id: verdict(case) for case in mini.CASES}
    moved["sh-done"] = evolve(moved["sh-done"], rule="SH-9", outcome=FAIL)
    found = diff(run_of({}), Run.of([header(), *moved.values()]), SPEC)
    assert [*found.rules] == ["SH-9"]


def test_cases_that_the_spec_does_not_have_come_last():
    odd = verdict(evolve(mini.CASES[0], id="zz-new"), FAIL)
    found = diff(run_of({}), Run.of([header(), odd]), SPEC)
    assert [one.case for one in found.only_b] == ["zz-new"]


def test_notes_say_how_the_runs_themselves_differ():
    a = run_of({})
    b = run_of(
        {},
        end=False,
        profile="picc-memory",
        implementation=Implementation("mini", "2"),
        spec_digest="sha256:" + "6" * 64,
    )
    assert diff(a, b).notes == (
        "the profile differs: claude-code and picc-memory",
        "the implementation differs: mini 1 and mini 2",
        "client 2.1.296 is the same, but the spec of it changed in between",
        "the second stream was cut off",
    )
    c = run_of({}, client="2.1.300", reason="interrupted", implementation=Implementation("mini"))
    assert diff(c, a).notes == (
        "the client differs: 2.1.300 and 2.1.296",
        "the implementation differs: mini and mini 1",
        "the first run was interrupted",
    )
