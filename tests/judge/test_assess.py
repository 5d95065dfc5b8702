import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.judge.assess import Score, Standing, Tally, assess
from memassay.judge.verdict import Exit, Outcome
from tests.judge import mini
from tests.judge.runs import TROUBLE, real_run, run_of

SPEC = mini.make_spec()
IDS = [case.id for case in mini.CASES]
FAIL, SKIPPED, FAULT, UNSUPPORTED = (
    Outcome.FAIL,
    Outcome.SKIPPED,
    Outcome.FAULT,
    Outcome.UNSUPPORTED,
)


def exit_of(outcomes, *, strict=False, **more):
    return assess(run_of(outcomes, **more), SPEC, strict=strict).exit


def test_everything_passes():
    found = assess(run_of({}), SPEC)
    assert (found.exit, found.reason) == (Exit.AS_EXPECTED, "everything is as expected")
    assert set(found.cases.values()) == {Standing.CONFORMING}
    assert [*found.cases] == IDS
    assert found.score == Score(7, 7)
    assert found.score.share == 1.0
    assert found.nulls == {"nothing": Score(1, 7)}
    assert (found.missing, found.stale) == (0, ())


@pytest.mark.parametrize(
    ("case_id", "standing", "code"),
    [
        ("sh-ascii", Standing.NONCONFORMING, Exit.NONCONFORMING),
        ("sh-should", Standing.WARNING, Exit.AS_EXPECTED),
        ("sh-may", Standing.NOTE, Exit.AS_EXPECTED),
    ],
)
def test_the_level_decides_what_a_failure_means(case_id, standing, code):
    found = assess(run_of({case_id: FAIL}), SPEC)
    assert found.cases[case_id] is standing
    assert found.exit is code
    assert found.score == Score(6, 7)


@pytest.mark.parametrize(
    ("case_id", "code"),
    [
        ("sh-ascii", Exit.NONCONFORMING),
        ("sh-should", Exit.NONCONFORMING),
        ("sh-may", Exit.AS_EXPECTED),
    ],
)
def test_strict_makes_a_should_bind(case_id, code):
    assert exit_of({case_id: FAIL}, strict=True) is code


@pytest.mark.parametrize("case_id", ["sh-ascii", "sh-should", "sh-may"])
def test_a_declared_failure_is_as_expected(case_id):
    rule = SPEC.cases[case_id].rule
    found = assess(run_of({case_id: FAIL}, deviations={rule: "why"}), SPEC)
    assert found.cases[case_id] is Standing.DECLARED
    assert (found.exit, found.stale) == (Exit.AS_EXPECTED, ())


def test_a_declared_rule_that_is_obeyed_is_stale():
    found = assess(run_of({}, deviations={"SH-1": "why", "NO-1": "why"}), SPEC)
    assert found.stale == ("SH-1", "NO-1")
    assert (found.exit, found.reason) == (Exit.USAGE, "declared, but obeyed: SH-1, NO-1")


def test_one_failing_case_keeps_a_declaration_alive():
    assert assess(run_of({"sh-done": FAIL}, deviations={"SH-1": "why"}), SPEC).stale == ()


@pytest.mark.parametrize("outcome", [SKIPPED, FAULT, UNSUPPORTED, None])
def test_what_was_not_judged_does_not_make_a_declaration_stale(outcome):
    run = run_of({"sh-done": outcome}, deviations={"SH-1": "why"})
    assert assess(run, SPEC).stale == ()


def test_a_run_of_some_of_a_rules_cases_shows_nothing_about_its_declaration():
    # sh-done passes, but sh-ascii of the same rule was not asked for
    run = run_of(
        {}, cases=mini.CASES[1:2], selection={"cases": ("sh-done",)}, deviations={"SH-1": "why"}
    )
    found = assess(run, SPEC)
    assert (found.stale, found.exit) == ((), Exit.AS_EXPECTED)
    whole = run_of(
        {}, cases=mini.CASES[:2], selection={"rules": ("SH-1",)}, deviations={"SH-1": "why"}
    )
    assert assess(whole, SPEC).exit is Exit.USAGE


def test_declaring_excuses_neither_a_skip_nor_a_fault():
    deviations = {"SH-1": "why"}
    assert exit_of({"sh-ascii": SKIPPED}, deviations=deviations) is Exit.INCOMPLETE
    assert exit_of({"sh-ascii": FAULT}, deviations=deviations) is Exit.FAULT


def test_a_skip_is_never_a_pass():
    found = assess(run_of({"sh-may": SKIPPED}), SPEC)
    assert (found.exit, found.reason) == (Exit.INCOMPLETE, "the adapter skipped 1 case")
    assert found.score == Score(6, 6)


def test_unsupported_cases_are_counted_apart():
    found = assess(run_of(dict.fromkeys(IDS[:5], UNSUPPORTED)), SPEC)
    assert found.counts[Standing.UNSUPPORTED] == 5
    assert found.score == Score(2, 2)
    assert found.exit is Exit.AS_EXPECTED


def test_nothing_judged_is_no_success():
    found = assess(run_of(dict.fromkeys(IDS, UNSUPPORTED)), SPEC)
    assert (found.exit, found.reason) == (Exit.INCOMPLETE, "nothing was judged")
    assert found.score.share is None
    assert exit_of({}, cases=(), selection={"cases": ()}) is Exit.INCOMPLETE


ALL = {"sh-ascii": FAULT, "sh-empty": FAIL, "no-write": SKIPPED}


@pytest.mark.parametrize(
    ("outcomes", "more", "code"),
    [
        ({**ALL, "no-keep": None}, {"end": False}, Exit.INCOMPLETE),
        ({**ALL, "no-keep": None}, {"reason": "interrupted"}, Exit.INCOMPLETE),
        ({**ALL, "no-keep": None}, {}, Exit.INCOMPLETE),
        (ALL, {}, Exit.FAULT),
        ({"sh-empty": FAIL}, {"troubles": [TROUBLE]}, Exit.FAULT),
        ({}, {"troubles": [TROUBLE]}, Exit.FAULT),
        ({"sh-empty": FAIL, "no-write": SKIPPED}, {}, Exit.NONCONFORMING),
        ({"sh-empty": FAIL}, {"deviations": {"SH-1": "x"}}, Exit.NONCONFORMING),
        ({"no-write": SKIPPED}, {"deviations": {"SH-1": "x"}}, Exit.USAGE),
        ({"no-write": SKIPPED}, {}, Exit.INCOMPLETE),
        ({}, {}, Exit.AS_EXPECTED),
    ],
)
def test_the_order_of_the_exit_codes(outcomes, more, code):
    assert exit_of(outcomes, **more) is code


def test_cases_that_were_not_put_are_named_in_their_place():
    found = assess(run_of({"sh-done": None, "no-keep": None}, reason="interrupted"), SPEC)
    assert [*found.cases] == IDS
    assert found.cases["sh-done"] is Standing.NOT_RUN
    assert found.counts[Standing.NOT_RUN] == found.missing == 2
    assert found.reason == "the run was interrupted"


def test_another_spec_leaves_only_their_number():
    run = run_of({"sh-done": None}, end=False, spec_digest="sha256:" + "6" * 64)
    found = assess(run, SPEC)
    assert "sh-done" not in found.cases
    assert (found.missing, found.reason) == (1, "the stream was cut off")


def test_a_header_that_names_what_is_not_there_is_no_crash():
    assert assess(run_of({}, profile="nobody"), SPEC).exit is Exit.AS_EXPECTED


def test_tallies_by_chapter_and_rule():
    found = assess(run_of({"sh-ascii": FAIL, "sh-may": FAIL, "no-keep": UNSUPPORTED}), SPEC)
    assert [*found.chapters] == ["shout", "note"]
    assert found.chapters["shout"] == Tally(
        {Standing.NONCONFORMING: 1, Standing.CONFORMING: 3, Standing.NOTE: 1}
    )
    assert found.chapters["note"][Standing.UNSUPPORTED] == 1
    assert found.chapters["note"][Standing.FAULT] == 0
    assert found.rules["SH-1"] == Tally({Standing.NONCONFORMING: 1, Standing.CONFORMING: 1})
    assert found.rules["SH-1"].total == 2


outcomes = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(IDS, st.none() | st.sampled_from(Outcome))
)


@given(
    outcomes.map(lambda o: {k: None if v is Outcome.NOT_RUN else v for k, v in o.items()}),
    st.sets(st.sampled_from(["SH-1", "SH-2", "SH-3", "NO-1"])),
    st.booleans(),
    st.booleans(),
)
def test_every_case_stands_somewhere_and_zero_means_all_is_well(drawn, declared, strict, end):
    run = run_of(drawn, deviations=dict.fromkeys(declared, "why"), end=end)
    found = assess(run, SPEC, strict=strict)
    assert sum(found.counts.values()) == len(IDS) == len(found.cases)
    assert sum(tally.total for tally in found.chapters.values()) == len(IDS)
    assert sum(tally.total for tally in found.rules.values()) == len(IDS)
    bad = {Standing.NONCONFORMING, Standing.SKIPPED, Standing.FAULT, Standing.NOT_RUN}
    well = end and not found.stale and bad.isdisjoint(found.cases.values()) and found.score.total
    assert (found.exit is Exit.AS_EXPECTED) == bool(well)


def test_the_nulls_of_a_real_run_are_scored_on_what_was_judged():
    run, _ = real_run()
    found = assess(run, SPEC)
    assert found.nulls == {"nothing": Score(1, 7), "echo": Score(2, 7), "everything": Score(2, 7)}
