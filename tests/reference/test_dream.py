"""Dream: its gates, its clock, and the end of a session."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay.spec.loader import load_spec
from memassay_reference.dream import (
    TRANSITIONS,
    Effect,
    Phase,
    Signal,
    changed_sessions,
    is_session,
    undoes,
)
from memassay_reference.session_world import begin

from .scripts import DAY, event, kinds, only, returned, run, session, settled, turn

FIVE = [session(number) for number in range(1, 6)]
DUE = {"dream": True, "last_attempt_ms": -DAY, "sessions": FIVE}


def test_every_signal_belongs_to_one_phase():
    assert sorted(signal for _, signal in TRANSITIONS) == sorted(Signal)
    running = {signal for phase, signal in TRANSITIONS if phase is Phase.RUNNING}
    assert running == {Signal.BUSY, Signal.KEEP, Signal.UNDO}


def test_one_signal_starts_and_one_rolls_back():
    effects = [effect for _, effect in TRANSITIONS.values()]
    assert effects.count(Effect.START) == 1
    assert effects.count(Effect.ROLL_BACK) == 1


def test_the_worked_example_of_the_vocabulary():
    lists = run(
        [
            settled(0),
            returned(500, "exception", "dream", step="fork"),
            settled(1000),
            settled(600_001),
        ],
        **DUE,
    )
    assert kinds(lists[0]) == ["scan_sessions", "acquire_lock", "set_last_attempt", "start_dream"]
    assert only(lists[1], "rollback_last_attempt")["value_ms"] == -DAY
    assert lists[2] == []
    assert only(lists[3], "set_last_attempt")["value_ms"] == 600_001


def test_the_throttle_is_over_when_its_time_has_passed():
    four = {**DUE, "sessions": FIVE[:4]}
    throttle_ms = constants()["dream_throttle_ms"]
    lists = run([settled(0), settled(throttle_ms - 1), settled(throttle_ms)], **four)
    assert [kinds(actions) for actions in lists] == [["scan_sessions"], [], ["scan_sessions"]]


def test_a_project_that_never_dreamt_may():
    lists = run([settled(0)], **{**DUE, "last_attempt_ms": None})
    assert "start_dream" in kinds(lists[0])


def test_a_rollback_to_never():
    script = [settled(0), returned(1, "exception", "dream")]
    lists = run(script, **{**DUE, "last_attempt_ms": None})
    assert only(lists[1], "rollback_last_attempt")["value_ms"] is None


@given(
    outcome=st.sampled_from(["normal", "api_error", "max_turns", "exception", "aborted"]),
    step=st.sampled_from(["fork", "completion"]),
    aborted=st.booleans(),
    theirs=st.none() | st.integers(1, 400),
)
def test_the_attempt_time_goes_back_in_one_way_only_and_never_over_anothers(
    outcome, step, aborted, theirs
):
    other = [] if theirs is None else [event(450, "last_attempt_changed", value_ms=theirs)]
    end = returned(500, outcome, "dream", step=step, aborted=aborted)
    lists = run([settled(0), *other, end], **DUE)
    back = (outcome, step, aborted) == ("exception", "fork", False)
    assert undoes(end) == back
    assert ("rollback_last_attempt" in kinds(lists[-1])) == (back and theirs is None)


@given(st.lists(st.integers(-2 * DAY, 0), max_size=12), st.integers(-2 * DAY, 0))
def test_sessions_are_counted_since_a_time(updated, since_ms):
    sessions = [session(number, at_ms) for number, at_ms in enumerate(updated)]
    world = begin({"config": {"sessions": sessions}, "files": []})
    assert len(changed_sessions(world, since_ms)) == sum(at_ms > since_ms for at_ms in updated)


def test_a_session_in_two_files_is_one():
    twice = [*FIVE[:4], {**FIVE[3], "file": "copy.jsonl"}]
    world = begin({"config": {"sessions": twice}, "files": []})
    assert len(changed_sessions(world, None)) == 4


def test_ones_own_session_is_no_other():
    own = FIVE[0]["header"]["id"]
    world = begin({"config": {"sessions": FIVE, "session_id": own}, "files": []})
    assert own not in changed_sessions(world, None)
    assert len(changed_sessions(world, None)) == 4


def test_an_unreadable_file_is_no_session():
    assert is_session(FIVE[0])
    assert not is_session({**FIVE[0], "unreadable": True})


@pytest.mark.parametrize("late_ms", [0, 1])
def test_the_end_waits_a_minute(late_ms):
    end_ms = 1000 + constants()["shutdown_wait_ms"]
    script = [*turn(0, 1), event(1000, "shutdown"), returned(end_ms + late_ms)]
    lists = run(script, extraction=True)
    assert only(lists[3], "wait")["until_ms"] == end_ms
    assert ("abort" in kinds(lists[4])) == bool(late_ms)
    assert "release" in kinds(lists[4])


def test_the_table_of_the_spec_has_every_cell_and_says_what_its_cases_expect():
    cases = [case for case in load_spec().rules["DRM-3"].cases if case.cell]
    ways = ["normal, with changes", "normal, no change", "API error", "turn limit", "exception"]
    cells = set(itertools.product(ways, ["fork", "completion"], ["no", "yes"]))
    cells |= {("abort", "fork", "yes"), ("abort", "completion", "yes")}
    assert {tuple(case.cell.values())[:3] for case in cases} == cells
    for case in cases:
        _, after, later = case.expect["actions"]
        back = case.cell["attempt"] == "put back"
        assert ("rollback_last_attempt" in str(after.get("contains"))) == back, case.id
        assert ("start_dream" in str(later.get("contains"))) == back, case.id
