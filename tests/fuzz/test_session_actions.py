from memassay.fuzz.session_actions import case_of, demanded, difference

ADVANCE = {"type": "advance_cursor", "through": "a1"}
WAIT = {"type": "wait", "holds": "request", "until_ms": 2000}
RELEASE = {"type": "release", "holds": "request"}


def start(*messages, **more):
    return {"type": "start_extraction", "mode": "manual", "messages": list(messages), **more}


def test_what_nobody_demands_is_no_difference():
    ours = [[{"type": "scan_sessions"}, start("u1", request={"form": "prefix"})]]
    theirs = [[start("u1", mode="trailing"), {"type": "notify", "level": "info"}]]
    assert difference(ours, theirs) is None


def test_order_within_an_event_is_free():
    assert difference([[ADVANCE, start("u1")]], [[start("u1"), ADVANCE]]) is None


def test_the_order_of_files_is_free_and_their_number_is_not():
    one = {"type": "report_changes", "files": ["a.md", "b.md"]}
    assert difference([[one]], [[{**one, "files": ["b.md", "a.md"]}]]) is None
    assert difference([[one]], [[{**one, "files": ["a.md"]}]]) is not None


def test_the_last_move_of_the_cursor_counts():
    later = {**ADVANCE, "through": "a2"}
    assert demanded([ADVANCE, later]) == [later]
    assert difference([[ADVANCE, later]], [[later]]) is None


def test_a_wait_that_ends_at_once_is_none():
    assert demanded([WAIT, RELEASE]) == []
    assert difference([[WAIT], [RELEASE]], [[WAIT, RELEASE], []]) is not None


def test_a_release_of_what_was_not_held_tells_nothing():
    assert difference([[]], [[RELEASE]]) is None
    assert difference([[WAIT], [RELEASE]], [[WAIT], []]) is not None


def test_the_first_event_that_differs_is_named_with_what_differs():
    found = difference([[], [ADVANCE]], [[], [start("u1")]])
    assert found.at == 1
    assert found.missing == (ADVANCE,)
    assert [action["messages"] for action in found.surplus] == [["u1"]]


def test_the_same_action_twice_is_one_too_many():
    assert difference([[ADVANCE, start("u1")]], [[ADVANCE, start("u1"), start("u1")]]) is not None


def test_the_case_expects_what_was_missing_and_forbids_what_was_too_much():
    script = {"config": {}, "files": [], "events": [{"type": "clock"}, {"type": "clock"}]}
    case = case_of(script, difference([[], [ADVANCE]], [[], [start("u1")]]))
    first, second = case["expect"]["actions"]
    assert first == {"count": {"min": 0}}
    assert second["contains"] == [ADVANCE]
    assert second["lacks"] == [{"type": "start_extraction", "messages": ["u1"]}]
