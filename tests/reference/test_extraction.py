"""The cursor machine: its table of transitions, its words, and what it reads."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec.loader import load_spec
from memassay_reference.background_request import without_foreign_proofs
from memassay_reference.extraction import (
    RETURNS,
    TRANSITIONS,
    Effect,
    Phase,
    Signal,
    after_cursor,
    count_words,
)
from memassay_reference.js_text import JS_WHITESPACE
from memassay_reference.session_world import Message

from .scripts import event, kinds, only, returned, run, settled, turn, user

ASKED = {Signal.WORTH, Signal.SKIPPED, Signal.NOT_NOW}
ENDED = {Signal.RETURNED, Signal.FAILED}


def test_every_phase_answers_every_signal_that_can_reach_it():
    expected = {(phase, signal) for phase in Phase for signal in ASKED}
    expected |= {(phase, signal) for phase in Phase if phase is not Phase.IDLE for signal in ENDED}
    assert TRANSITIONS.keys() == expected


def test_only_an_idle_machine_starts_and_only_a_return_or_a_skip_moves_the_cursor():
    for (phase, signal), (_, effect) in TRANSITIONS.items():
        assert (effect is Effect.START) == (phase is Phase.IDLE and signal is Signal.WORTH)
        moves = effect in {Effect.SKIP, Effect.ADVANCE, Effect.ADVANCE_ASK}
        assert moves == (
            signal is Signal.RETURNED or (phase is Phase.IDLE and signal is Signal.SKIPPED)
        )


def test_a_run_ends_in_six_ways_and_three_of_them_are_returns():
    outcomes = load_spec().ops["session"].args_schema["$defs"]["session"]["$defs"]
    ways = set(outcomes["event_background_return"]["properties"]["outcome"]["enum"])
    assert len(ways) == 6
    assert ways > RETURNS
    assert len(RETURNS) == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" \t\n", 0),
        ("a", 1),
        (" a  b ", 2),
        ("a\u00a0b\u3000c\ufeffd", 4),
        ("a\u0085b", 1),
        ("a\u200bb", 1),
        ("a\u180eb", 1),
        ("漢字漢字", 1),
        ("😀 😀", 2),
    ],
)
def test_words(text, words):
    assert count_words(text) == words


@given(st.text(alphabet=st.sampled_from([*JS_WHITESPACE, "a", "漢", "😀", "\u0085", "\u200b"])))
def test_words_are_the_non_empty_pieces(text):
    pieces = re.split(f"[{re.escape(JS_WHITESPACE)}]+", text)
    assert count_words(text) == sum(piece != "" for piece in pieces)


@given(st.lists(st.text(alphabet="ab", min_size=1), max_size=6), st.sampled_from(JS_WHITESPACE))
def test_white_space_of_any_kind_and_number_separates_once(words, space):
    assert count_words((space * 3).join(words)) == len(words)


@given(st.sets(st.integers(0, 9)), st.integers(0, 10))
def test_what_is_after_the_cursor_is_a_suffix_without_extracted_messages(seen, length):
    branch = [Message(f"m{number}", "user", {}) for number in range(length)]
    extracted = frozenset(f"m{number}" for number in seen)
    fresh = after_cursor(branch, extracted)
    assert fresh == branch[length - len(fresh) :]
    assert all(message.id not in extracted for message in fresh)
    assert len(fresh) == length or branch[length - len(fresh) - 1].id in extracted


def test_the_worked_example_of_the_vocabulary():
    lists = run(
        [
            *turn(0, 1),
            *turn(30, 2),
            returned(60),
            returned(70, "exception"),
            event(80, "extract_command"),
            returned(90),
        ],
        extraction=True,
    )
    started = [only(lists[at], "start_extraction") for at in (2, 6, 8)]
    assert [action["mode"] for action in started] == ["automatic", "trailing", "manual"]
    assert [action["messages"] for action in started] == [["u1", "a1"], ["u2", "a2"], ["u2", "a2"]]
    assert only(lists[6], "advance_cursor")["through"] == "a1"
    assert only(lists[9], "advance_cursor")["through"] == "a2"
    assert "advance_cursor" not in kinds(lists[7])


@pytest.mark.parametrize("outcome", sorted(RETURNS))
def test_a_trailing_run_starts_from_where_the_first_ended(outcome):
    lists = run([*turn(0, 1), *turn(30, 2), returned(60, outcome)], extraction=True)
    assert only(lists[-1], "start_extraction")["messages"] == ["u2", "a2"]


def test_a_branch_that_was_left_keeps_what_was_extracted_on_it():
    lists = run(
        [
            *turn(0, 1),
            returned(10),
            *turn(20, 2),
            returned(30),
            event(40, "switch_branch", to="a1"),
            *turn(50, 3),
        ],
        extraction=True,
    )
    assert only(lists[-1], "start_extraction")["messages"] == ["u3", "a3"]


def test_nothing_starts_once_the_session_ends():
    lists = run(
        [*turn(0, 1), *turn(30, 2), event(40, "shutdown"), returned(60), settled(70)],
        extraction=True,
    )
    assert "start_extraction" not in kinds(lists[-1]) + kinds(lists[-2])


def test_another_process_at_work_does_not_move_the_cursor():
    lock = event(0, "lock_changed", lock="extract.lock", held=True)
    lists = run([lock, user(1, "u1", "two words"), settled(2)], extraction=True)
    assert lists == [[], [], []]


BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "tool_call"]), "text": st.text()},
    optional={"signature": st.text()},
)


@given(st.lists(BLOCK))
def test_another_model_sees_neither_thinking_nor_signatures_and_all_the_rest(blocks):
    shown = without_foreign_proofs(blocks)
    assert all(block["type"] != "thinking" and "signature" not in block for block in shown)
    assert [block["text"] for block in shown] == [
        block["text"] for block in blocks if block["type"] != "thinking"
    ]


def test_the_table_of_the_spec_has_every_cell_and_says_what_its_cases_expect():
    cases = [case for case in load_spec().rules["EXT-3"].cases if case.cell]
    cells = {tuple(case.cell.values())[:3]: case for case in cases}
    ways = ["normal", "API error", "turn limit", "exception", "abort", "invalidation"]
    assert list(cells) == list(itertools.product(ways, ["automatic", "manual"], ["no", "yes"]))
    for case in cases:
        at = [one["type"] for one in case.args["events"]].index("background_return")
        actions = case.expect["actions"]
        alternatives = actions["any_of"] if isinstance(actions, dict) else [actions]
        for alternative in alternatives:
            expects = str({key: alternative[at][key] for key in alternative[at] if key != "lacks"})
            assert ("advance_cursor" in expects) == (case.cell["cursor"] == "moves"), case.id
