"""What a recalled topic costs, and what a branch may spend."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.js_text import length_units
from memassay_reference.recall import NOTE
from memassay_reference.session_recall import cost

from .scripts import event, run, user

LIMIT = constants()["recall_budget_units"]


@pytest.mark.parametrize(
    ("content", "units"),
    [
        ("", 0),
        ("abc", 3),
        ("漢字", 2),
        ("😀", 2),
        ("a\u0007b", 2),
        ("\ufeffab", 2),
        (b"\xef\xbb\xbfab", 2),
        (b"a\xffb", 3),
        ("x" * 4096, 4096),
    ],
)
def test_the_sanitised_text_counts(content, units):
    assert cost(content) == (units, False)


def test_the_note_of_a_cut_counts_too():
    assert cost("abc\n" + "x" * 4096) == (3 + length_units(NOTE), True)
    assert cost("x" * 4097) == (length_units(NOTE), True)


def spend(sizes):
    """Recall one topic of each size, a message for each; return what each step had spent."""
    files = [
        {"file": f"{number}.md", "text": "x" * size, "mtime_ms": -1}
        for number, size in enumerate(sizes)
    ]
    events = []
    for number in range(len(sizes)):
        name = f"u{number}"
        events.append(user(number * 10, name, "a question"))
        events.append(
            event(number * 10 + 5, "selector_reply", **{"for": name}, files=[f"{number}.md"])
        )
    return run(events, files, selector=True)


@given(st.lists(st.integers(1, 4096), min_size=14, max_size=24))
def test_a_branch_stops_asking_when_it_has_spent_its_budget(sizes):
    spent = 0
    lists = spend(sizes)
    for size, asked, answered in zip(sizes, lists[::2], lists[1::2], strict=True):
        if spent >= LIMIT:
            assert asked == answered == []
            continue
        assert asked[0]["type"] == "start_selector"
        spent += size
        assert answered[0]["spent"] == spent
    assert spent < LIMIT + 4096
