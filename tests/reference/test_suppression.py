"""What a branch has read, spent and asked, and what becomes of it."""

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference import session_recall, session_world
from memassay_reference.session_recall import relative_to

from .scripts import assistant, event, only, run, user

FILES = [
    {"file": "a.md", "text": "alpha", "mtime_ms": -10},
    {"file": "b.md", "text": "beta!!", "mtime_ms": -20},
]


def read(at_ms, name, path="/m/a.md", **more):
    return event(at_ms, "tool_result", id=name, tool="read", path=path, **more)


def recalled(*before):
    """The files that a question gets after these events, of a choice of both."""
    ask = user(1000, "ask", "a question")
    reply = event(1001, "selector_reply", **{"for": "ask"}, files=["a.md", "b.md"])
    actions = run([*before, ask, reply], FILES, selector=True)[-1]
    return [
        topic["file"]
        for action in actions
        if action["type"] in {"inject_recall", "steer"}
        for topic in action["files"]
    ]


def test_only_a_whole_read_by_the_main_agent_counts():
    assert recalled() == ["a.md", "b.md"]
    assert recalled(read(0, "t")) == ["b.md"]
    assert recalled(read(0, "t", "../m/sub/../a.md")) == ["b.md"]
    for partly in ({"offset": 2}, {"truncated": True}, {"failed": True}, {"image": True}):
        assert recalled(read(0, "t", **partly)) == ["a.md", "b.md"]
    assert recalled(read(0, "t", by="extraction")) == ["a.md", "b.md"]
    assert recalled(event(0, "tool_result", id="t", tool="grep", path="/m/a.md")) == [
        "a.md",
        "b.md",
    ]


def test_a_changed_file_comes_again():
    change = event(5, "file_changed", file="a.md", text="new")
    assert recalled(read(0, "t"), change) == ["a.md", "b.md"]
    assert recalled(read(0, "t"), change, read(6, "t2")) == ["b.md"]


def test_a_file_that_is_gone_is_not_recalled():
    assert recalled(event(5, "file_changed", file="a.md", removed=True)) == ["b.md"]


def test_paths_are_seen_from_the_memory_directory():
    assert relative_to("/m", "/w", "/m/a.md") == "a.md"
    assert relative_to("/m", "/m/sub", "x/../a.md") == "sub/a.md"
    assert relative_to("/m", "/w", "/mem/a.md").startswith("..")


ONE_OF = st.sampled_from


@st.composite
def walks(draw):
    """Scripts that ask, read, compact and change branches."""
    events, names = [], []
    for at_ms in range(0, draw(st.integers(1, 12)) * 10, 10):
        name = f"m{at_ms}"
        kind = draw(ONE_OF(["ask", "read", "talk", "switch", "compact"]))
        if kind == "ask":
            events.append(user(at_ms, name, "a question"))
            files = draw(st.lists(ONE_OF(["a.md", "b.md"]), unique=True))
            events.append(event(at_ms + 5, "selector_reply", **{"for": name}, files=files))
        elif kind == "read":
            events.append(read(at_ms, name, draw(ONE_OF(["/m/a.md", "/m/b.md"]))))
        elif kind == "talk":
            events.append(assistant(at_ms, name))
        elif kind == "compact":
            events.append(event(at_ms, "compacted"))
            continue
        else:
            events.append(event(at_ms, "switch_branch", to=draw(ONE_OF([None, *names]))))
            continue
        names.append(name)
    return events


@given(walks())
def test_the_account_is_that_of_the_messages_on_the_branch(events):
    """Replaying only what is on the active branch gives the same answer as the whole walk."""
    world = world_after(events)
    kept = {message.id for message in world.branch()}
    replay = [
        one
        for one in events
        if one.get("id", one.get("for")) in kept or one["type"] == "file_changed"
    ]
    assert recalled(*events) == recalled(*replay)


def world_after(events):
    world = session_world.begin({"config": {}, "files": FILES})
    for one in events:
        world = session_world.change(world, one)
    return world


@given(walks())
def test_no_file_is_recalled_twice_on_a_branch(events):
    state = session_recall.begin(None)
    world = evolve(world_after([]), config={"selector": True})
    for one in events:
        world = session_world.change(world, one)
        state, _ = session_recall.step(state, world, one)
        files = [fact.file for fact in state.active if fact.kind == "recalled"]
        assert len(files) == len(set(files))
        assert {fact.on for fact in state.active} <= {message.id for message in world.branch()}


def test_the_history_is_the_questions_of_the_branch():
    ask = [user(0, "u1", "a question"), event(5, "selector_reply", **{"for": "u1"}, files=[])]
    later = user(10, "u2", "another one")
    assert only(run([*ask, later], FILES, selector=True)[-1], "start_selector")["history"] == ["u1"]
    compacted = event(7, "compacted")
    lists = run([*ask, compacted, later], FILES, selector=True)
    assert only(lists[-1], "start_selector")["history"] == []
