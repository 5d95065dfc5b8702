"""How a script is played, and that schema, page and reference know the same words."""

import json
import re
from pathlib import Path

import pytest

from memassay.spec.builders import Context, build_mapping, clock_ms
from memassay.spec.loader import load_spec
from memassay.spec.schemas import schema, validator_of
from memassay.spec.wire import to_wire
from memassay_reference import session_world
from memassay_reference.session import OPS, play

from .scripts import assistant, event, run, user

PAGE = Path(__file__).parents[2] / "docs" / "session-vocabulary.md"


class Clock:
    """A machine that rings at given moments and tells what it was shown."""

    def __init__(self, *rings):
        self.rings = rings

    def begin(self, _world):
        return self.rings

    def deadline(self, state):
        return state[0] if state else None

    def step(self, state, world, event):
        while event["type"] == "deadline" and state and state[0] <= world.now_ms:
            state = state[1:]
        return state, [{"type": event["type"], "at_ms": world.now_ms}]


def rung(*machines, at):
    args = {"config": {}, "files": [], "events": [event(at_ms, "clock") for at_ms in at]}
    return [
        [(action["type"], action["at_ms"]) for action in actions]
        for actions in play(args, machines)
    ]


def test_what_falls_due_before_an_event_is_told_with_it_and_first():
    assert rung(Clock(3, 7), at=[10]) == [[("deadline", 3), ("deadline", 7), ("clock", 10)]]


def test_what_falls_due_with_an_event_comes_after_it():
    assert rung(Clock(10), at=[10, 20]) == [[("clock", 10), ("deadline", 10)], [("clock", 20)]]


def test_after_the_last_event_time_stands_still():
    assert rung(Clock(11), at=[10]) == [[("clock", 10)]]


def test_every_machine_sees_every_event_and_deadlines_come_in_order():
    seen = rung(Clock(5), Clock(3), at=[9])
    moments = [at_ms for _, at_ms in seen[0]]
    assert moments == [3, 3, 5, 5, 9, 9]


def branch(*events):
    world = session_world.begin({"config": {}, "files": [], "events": events})
    for one in events:
        world = session_world.change(world, one)
    return [message.id for message in world.branch()]


TALK = [user(0, "u1"), assistant(1, "a1"), user(2, "u2"), assistant(3, "a2")]


def test_messages_follow_each_other():
    assert branch(*TALK) == ["u1", "a1", "u2", "a2"]
    assert branch(event(0, "tool_result", id="t1", tool="read")) == ["t1"]
    assert branch(event(0, "tool_result", id="t1", tool="read", by="dream")) == []
    assert branch(event(0, "input", text="x"), event(1, "settled")) == []


def test_a_session_is_a_tree():
    back = [*TALK, event(4, "switch_branch", to="a1"), user(5, "u3")]
    assert branch(*back) == ["u1", "a1", "u3"]
    assert branch(*back, event(6, "switch_branch", to="a2")) == ["u1", "a1", "u2", "a2"]
    assert branch(*back, event(6, "switch_branch", to=None)) == []


def test_a_compaction_cuts_the_branch():
    assert branch(*TALK, event(4, "compacted")) == []
    kept = [*TALK, event(4, "compacted", keep_from="u2"), user(5, "u3")]
    assert branch(*kept) == ["u2", "a2", "u3"]
    assert branch(*kept, event(6, "switch_branch", to="a2")) == ["u2", "a2"]
    assert branch(*kept, event(6, "switch_branch", to="a1")) == ["u1", "a1"]


def test_files_change_unseen():
    world = session_world.begin(
        {"config": {}, "files": [{"file": "a.md", "text": "x", "mtime_ms": -5}]}
    )
    touched = session_world.change(world, event(7, "file_changed", file="a.md"))
    assert touched.files["a.md"] == session_world.File("x", 7)
    written = session_world.change(touched, event(8, "file_changed", file="b.md", text="y"))
    assert written.files["b.md"] == session_world.File("y", 8)
    gone = session_world.change(written, event(9, "file_changed", file="a.md", removed=True))
    assert list(gone.files) == ["b.md"]


def test_an_event_that_nobody_minds_has_no_actions():
    assert run([event(0, "clock"), event(1, "input", text="hello there")]) == [[], []]


def words(kind):
    names = {name for name in schema("session")["$defs"] if name.startswith(f"{kind}_")}
    return {name.removeprefix(f"{kind}_") for name in names}


@pytest.mark.parametrize("kind", ["event", "action"])
def test_the_schema_sends_every_word_to_its_own_part(kind):
    definition = schema("session")["$defs"][kind]
    sent = [
        branch["if"]["properties"]["type"]["const"]
        for group in definition["allOf"]
        for branch in group["then"]["allOf"]
    ]
    assert sorted(sent) == sorted(definition["properties"]["type"]["enum"]) == sorted(words(kind))


@pytest.mark.parametrize("kind", ["event", "action"])
def test_the_page_has_every_word_with_its_fields_and_its_sentence(kind):
    page = PAGE.read_text(encoding="utf-8")
    for name in words(kind):
        part = schema("session")["$defs"][f"{kind}_{name}"]
        fields = [
            f"`{field}`" if field in part["required"] else f"`{field}?`"
            for field in part["properties"]
            if field not in {"type", "at_ms"}
        ]
        row = f"| `{name}` | {', '.join(fields) or 'none'} | {part['description']} |"
        assert row in page


def test_the_page_has_every_key_of_the_configuration():
    page = PAGE.read_text(encoding="utf-8")
    for key in schema("session")["$defs"]["config"]["properties"]:
        assert f"| `{key}` |" in page


def test_the_example_of_the_page_is_what_the_reference_answers():
    asked, answered = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    op = load_spec().ops["session"]
    assert validator_of(op.args_schema).is_valid(json.loads(asked))
    got = OPS["session"](json.loads(asked), "claude-code")["actions"]
    for expected, actions in zip(json.loads(answered)["actions"], got, strict=True):
        for one, other in zip(expected, actions, strict=True):
            assert one.items() <= other.items()


def test_what_the_reference_answers_to_every_case_fits_the_vocabulary():
    spec = load_spec()
    fits = validator_of(spec.ops["session"].result_schema)
    for case in spec.cases.values():
        if case.op == "session":
            args = build_mapping(case.args, Context("/tree", clock_ms(case.clock)))
            result = OPS["session"](args, "claude-code")
            assert fits.is_valid(to_wire(result)), case.id
            assert len(result["actions"]) == len(args["events"]), case.id
