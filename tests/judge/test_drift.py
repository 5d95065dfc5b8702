from memassay.adapter.messages import Implementation
from memassay.judge.drift import Standing, drift
from memassay.judge.verdict import Outcome
from tests.judge import mini
from tests.judge.runs import run_of

SPEC = mini.make_spec()
FAIL = Outcome.FAIL
RULE = SPEC.cases["sh-ascii"].rule


def version(number, outcomes):
    return run_of(outcomes, implementation=Implementation("client", number))


def of_rule(found, rule=RULE):
    (one,) = (one for one in found.rules if one.rule == rule)
    return one


def test_versions_that_are_alike_do_not_drift():
    found = drift([version("1", {}), version("2", {})], SPEC)
    assert found.versions == ("1", "2")
    assert not any(rule.drifts for rule in found.rules)
    assert (of_rule(found).first, of_rule(found).last) == (0, 1)
    assert [step.none for step in found.steps] == [True]


def test_first_and_last_seen():
    runs = [version(*pair) for pair in (("1", {"sh-ascii": FAIL}), ("2", {}), ("3", {}))]
    rule = of_rule(drift(runs, SPEC))
    assert rule.drifts
    assert (rule.first, rule.last) == (1, 2)
    rule = of_rule(drift(runs[::-1], SPEC))
    assert (rule.first, rule.last) == (0, 1)


def test_a_rule_holds_only_if_all_that_was_judged_passed():
    assert Standing(3, 3).holds
    assert not Standing(2, 3).holds
    assert not Standing(0, 0).holds
    rule = of_rule(drift([version("1", {"sh-ascii": FAIL})], SPEC))
    cases = sum(case.rule == RULE for case in mini.CASES)
    assert rule.standings == (Standing(cases - 1, cases),)
    assert (rule.first, rule.last) == (None, None)
    assert not rule.drifts, "one version is no drift"


def test_what_nobody_could_judge_is_left_out_and_a_gap_is_no_drift():
    gone = {case.id: Outcome.SKIPPED for case in mini.CASES if case.rule == RULE}
    assert RULE not in {rule.rule for rule in drift([version("1", gone)], SPEC).rules}
    rule = of_rule(drift([version("1", gone), version("2", {})], SPEC))
    assert not rule.drifts
    assert (rule.first, rule.last) == (1, 1)


def test_a_fault_is_judged_and_does_not_hold():
    rule = of_rule(drift([version("1", {}), version("2", {"sh-ascii": Outcome.FAULT})], SPEC))
    assert rule.drifts
    assert rule.last == 0


def test_steps_name_the_cases():
    found = drift([version("1", {"sh-ascii": FAIL}), version("2", {})], SPEC)
    assert [change.case for change in found.steps[0].outcomes] == ["sh-ascii"]
