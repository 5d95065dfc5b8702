"""When a selector starts, and who waits for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.js_text import has_inner_whitespace
from memassay_reference.session_recall import query

from .scripts import event, kinds, run, user

WAIT = constants()["prefetch_wait_ms"]
FILES = [{"file": "a.md", "text": "alpha", "mtime_ms": -10}]


def lists(*events, **config):
    return [kinds(actions) for actions in run(events, FILES, **{"selector": True, **config})]


def reply(at_ms, name="u1", files=("a.md",), **more):
    return event(at_ms, "selector_reply", **{"for": name}, files=list(files), **more)


ASK = user(0, "u1", "a question")


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("a question", True),
        ("word", False),
        ("  word\n", False),
        ("两个 词", True),
        ("没有空格", False),
        ("a\u3000b", True),
        ("a\u0085b", False),
        ("a\ufeffb", True),
        ("", False),
    ],
)
def test_white_space_is_javascripts(text, starts):
    assert has_inner_whitespace(text) is starts
    assert (lists(user(0, "u1", text)) == [["start_selector", "wait"]]) is starts


def test_the_text_of_a_message_is_that_of_its_text_blocks():
    assert query("a b") == "a b"
    assert query([{"type": "image"}, {"type": "text", "text": "a b"}]) == "a b"
    assert query([{"type": "image"}]) == ""


@pytest.mark.parametrize("origin", ["memory_command", "recall", "memory_update", "background"])
def test_only_the_users_words_start_it(origin):
    assert lists(user(0, "u1", "a question", origin=origin)) == [[]]
    assert lists(event(0, "queued_message", id="q", content="a b", origin=origin)) == [[]]


def test_an_empty_directory_offers_nothing_to_choose():
    assert run([ASK], selector=True) == [[]]


@given(st.integers(0, 2 * WAIT))
def test_an_answer_goes_with_the_request_or_after_it(at_ms):
    started, answered, later = lists(ASK, reply(at_ms), event(3 * WAIT, "clock"))
    assert started == ["start_selector", "wait"]
    if at_ms <= WAIT:
        assert answered == ["inject_recall", "release"]
    else:
        assert answered == ["release", "steer"]
    assert later == []


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=8), st.data())
def test_every_request_that_waits_is_let_go_once(gaps, data):
    events, now_ms = [], 0
    for number, gap in enumerate(gaps):
        name = f"u{number}"
        events.append(user(now_ms, name, "a question"))
        now_ms += WAIT + gap
        if data.draw(st.booleans()):
            delay = data.draw(st.integers(0, WAIT + gap))
            outcome = data.draw(st.sampled_from(["ok", "failed", "aborted"]))
            events.append(reply(events[-1]["at_ms"] + delay, name, outcome=outcome))
    taken = [kind for actions in lists(*events, event(now_ms, "clock")) for kind in actions]
    held = [kind for kind in taken if kind in {"wait", "release"}]
    assert held == ["wait", "release"] * len(gaps)


def test_an_answer_to_nobody_is_ignored():
    assert lists(reply(0)) == [[]]
    assert lists(ASK, reply(1), reply(2))[-1] == []


def test_failures_warn_and_aborts_do_not():
    assert lists(ASK, reply(1, outcome="bad_json"))[-1] == ["notify", "release"]
    assert lists(ASK, reply(1, outcome="aborted"))[-1] == ["release"]


def test_an_answer_for_a_branch_that_was_left_is_dropped():
    away = event(1, "switch_branch", to=None)
    assert lists(ASK, away, reply(2))[-1] == ["release"]
