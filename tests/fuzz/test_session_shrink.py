import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.fuzz.session_shrink import is_sound, shrink
from memassay_reference.session import play
from tests.reference.scripts import DAY, assistant, event, returned, session, settled, turn, user


def script(*events, files=(), **config):
    return {"config": config, "files": list(files), "events": list(events)}


EXTRACTING = {"extraction": True}
DREAMING = {
    "dream": True,
    "last_attempt_ms": -DAY,
    "sessions": [session(number) for number in range(5)],
}


@pytest.mark.parametrize(
    ("events", "config", "expected"),
    [
        ([*turn(0, 1), returned(10)], EXTRACTING, True),
        ([*turn(0, 1), returned(10)], {}, False),
        ([returned(0)], EXTRACTING, False),
        ([*turn(0, 1), returned(10), returned(11)], EXTRACTING, False),
        ([*turn(0, 1), returned(10, task="dream")], DREAMING, True),
        ([*turn(0, 1), *turn(5, 2), returned(10)], EXTRACTING, True),
        ([*turn(0, 1), *turn(5, 2), returned(10, "exception")], EXTRACTING, False),
        ([settled(0)], EXTRACTING, False),
        ([assistant(0, "a1")], EXTRACTING, False),
        ([user(0, "u1"), user(1, "u2")], EXTRACTING, False),
        ([*turn(0, 1), event(5, "compacted")], EXTRACTING, False),
        ([*turn(0, 1), event(5, "before_compact"), event(6, "compacted")], EXTRACTING, False),
        (
            [*turn(0, 1), event(5, "before_compact"), returned(6), event(7, "compacted")],
            EXTRACTING,
            True,
        ),
        ([*turn(0, 1), event(5, "before_compact"), user(6, "u2")], EXTRACTING, False),
        ([event(0, "shutdown")], EXTRACTING, False),
        ([*turn(0, 1), event(5, "shutdown"), returned(6)], EXTRACTING, True),
        ([*turn(0, 1), event(5, "shutdown"), user(6, "u2")], EXTRACTING, False),
        ([event(0, "selector_reply", files=[], **{"for": "u1"})], {"selector": True}, False),
        ([*turn(0, 1), event(5, "switch_branch", to="u1")], {}, True),
        ([*turn(0, 1), event(5, "switch_branch", to="u9")], {}, False),
    ],
)
def test_sound_scripts(events, config, expected):
    one = script(*events, **config)
    try:
        lists = play(one)
    except KeyError:  # the reference does not know that message either
        lists = [[] for _ in events]
    assert is_sound(one, lists) == expected


def test_a_held_request_has_no_answer_yet():
    file = {"file": "a.md", "text": "x", "mtime_ms": 0}
    early = script(*turn(0, 1), files=[file], selector=True)
    assert not is_sound(early, play(early))


@given(st.lists(st.booleans(), min_size=1, max_size=50).filter(any))
def test_what_does_not_matter_is_left_out(needed):
    events = [{"at_ms": at, "type": "clock", "needed": need} for at, need in enumerate(needed)]
    wanted = sum(needed)

    def still_parts(candidate):
        return sum(one["needed"] for one in candidate["events"]) == wanted

    short = shrink(script(*events, files=[{}], dream=False, selector=True), still_parts)
    assert len(short["events"]) == wanted
    assert [one["at_ms"] for one in short["events"]] == list(range(wanted))
    assert short["config"] == {}
    assert short["files"] == []


def test_a_whole_turn_goes_at_once():
    events = [*turn(0, 1), *turn(10, 2), returned(20)]

    def still_parts(candidate):
        kinds = [one["type"] for one in candidate["events"]]
        return is_sound(candidate, play(candidate)) and kinds[-1:] == ["background_return"]

    short = shrink(script(*events, extraction=True), still_parts)
    kinds = [one["type"] for one in short["events"]]
    assert kinds == ["user_message", "settled", "background_return"]
