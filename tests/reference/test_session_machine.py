"""Random session scripts against the reference: what must hold whatever happens.

`python -m tests.reference.test_session_machine 10000` runs so many scripts and counts.
"""

import sys
import time
from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from memassay.fuzz.session_alphabet import MEMORY_DIR
from memassay.fuzz.session_machine import ScriptMachine
from memassay.spec import constants
from memassay_reference import extraction, session_recall
from memassay_reference.session import play

LIMIT = constants()["recall_budget_units"]


class Invariants(ScriptMachine):
    """The machine with the reference as its oracle, looked at after every event."""

    oracle = staticmethod(play)
    always_asks = True
    counted: ClassVar = Counter()

    def __init__(self):
        super().__init__()
        self.order = []  # every message of the session, as they came
        self.cursor = -1  # position in `order`
        self.snapshot = None  # ids that the running extraction reads
        self.attempt = None
        self.kept = None  # the last attempt time that counted, a dream's or another process's
        self.before = None
        self.recalled = []  # (message, file), as they were recalled
        self.read_whole = {}  # file: message that read it

    def on_event(self):
        event, actions = self.args["events"][-1], self.lists[-1]
        if len(self.args["events"]) == 1:
            self.attempt = self.kept = self.args["config"]["last_attempt_ms"]
        self.counted["events"] += 1
        if "id" in event and event.get("by", "main") == "main":
            self.order.append(event["id"])
        self.look_at_world(event)
        if event["type"] == "background_return" and event["task"] == "dream":
            self.look_at_end_of_dream(event, actions)
        for action in actions:
            self.counted[action["type"]] += 1
            look = getattr(self, f"on_{action['type']}", None)
            if look is not None:
                look(action, event)
        if event["type"] == "background_return" and event["task"] == "extraction":
            assert not any(
                action["type"] == "advance_cursor" and action["through"] == self.ended[-1]
                for action in actions
            ) or event["outcome"] in {"normal", "api_error", "max_turns"}

    def on_end(self):
        self.counted["scripts"] += 1

    # --- extraction -------------------------------------------------------------------------------

    def on_start_extraction(self, action, event):
        ids = action["messages"]
        assert self.snapshot is None, "two extractions at once"
        assert (action["mode"] == "trailing") <= (event["type"] == "background_return")
        assert ids, "an extraction of nothing"
        assert ids == self.branch[-len(ids) :], "it does not read to the end of the branch"
        positions = [self.order.index(name) for name in ids]
        assert positions == sorted(positions)
        self.snapshot = ids

    def on_advance_cursor(self, action, event):
        position = self.order.index(action["through"])
        assert position > self.cursor, "the cursor goes back"
        if self.ended and action["through"] == self.ended[-1]:
            assert event["type"] == "background_return"
        else:  # a skip, which takes all there is
            assert action["through"] == self.branch[-1], "the cursor passes or misses input"
            assert self.snapshot is None
        self.cursor = position

    # --- dream ------------------------------------------------------------------------------------

    def on_set_last_attempt(self, action, event):
        assert action["value_ms"] == event["at_ms"]
        assert self.attempt is None or action["value_ms"] > self.attempt
        self.before, self.attempt = self.attempt, action["value_ms"]

    def on_rollback_last_attempt(self, action, event):
        assert (event["outcome"], event["step"], event["aborted"]) == ("exception", "fork", False)
        assert action["value_ms"] == self.before
        self.attempt = action["value_ms"]
        assert self.kept is None or self.attempt >= self.kept, "older than an attempt that counted"

    def on_start_dream(self, action, _):
        assert len(set(action["session_ids"])) >= constants()["dream_min_sessions"]

    def look_at_end_of_dream(self, _, actions):
        if all(action["type"] != "rollback_last_attempt" for action in actions):
            self.kept = self.attempt

    # --- recall -----------------------------------------------------------------------------------

    def on_inject_recall(self, action, _):
        files = action["files"]
        assert action["spent"] - files[-1]["units"] < LIMIT, "over the limit by more than a file"
        active = {file for message, file in self.recalled if message in self.branch}
        for file in (one["file"] for one in files):
            assert file not in active, "a file twice on a branch"
            assert self.read_whole.get(file) not in self.branch, "a file that was read whole"
            active.add(file)
            self.recalled.append((action["for"], file))

    on_steer = on_inject_recall

    def on_start_selector(self, _, event):
        assert event["type"] in {"user_message", "queued_message"}

    # --- the world --------------------------------------------------------------------------------

    def look_at_world(self, event):
        self.ended = None
        match event["type"]:
            case "background_return" if event["task"] == "extraction":
                self.ended, self.snapshot = self.snapshot, None
            case "last_attempt_changed":
                self.attempt = self.kept = event["value_ms"]
            case "file_changed":
                self.read_whole.pop(event["file"], None)
            case "tool_result" if event.get("by", "main") == "main" and event["tool"] == "read":
                flawed = event.keys() & {"failed", "truncated", "offset"}
                path = event["path"].replace("../m/", f"{MEMORY_DIR}/")
                if not flawed and path.startswith(f"{MEMORY_DIR}/"):
                    self.read_whole[path.removeprefix(f"{MEMORY_DIR}/")] = event["id"]
            case "switch_branch" if event["to"] is None or event["to"] in self.order:
                self.cursor = -1  # how far a left branch was read is nothing to this one


def run(examples, *, seeded=0, phases=(Phase.generate, Phase.shrink)):
    run_state_machine_as_test(
        seed(seeded)(Invariants),
        settings=settings(
            max_examples=examples,
            stateful_step_count=50,
            database=None,
            deadline=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_invariants_hold_over_random_scripts():
    run(40)


def test_the_scripts_reach_every_machine():
    Invariants.counted.clear()
    run(40, seeded=1)
    reached = Invariants.counted
    for kind in ("start_extraction", "advance_cursor", "start_selector", "set_last_attempt"):
        assert reached[kind], kind


@pytest.mark.parametrize(
    ("module", "name", "wrong", "said"),
    [
        (extraction, "after_cursor", lambda branch, _: branch, "goes back|AssertionError"),
        (extraction, "RETURNS", extraction.RETURNS | {"exception"}, "assert"),
        (session_recall.State, "add", lambda state, *_: state, "twice|assert"),
    ],
)
def test_a_broken_invariant_is_found(monkeypatch, module, name, wrong, said):
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises((AssertionError, BaseExceptionGroup), match=said):
        run(400, phases=(Phase.generate,))


if __name__ == "__main__":
    began = time.monotonic()
    run(int(sys.argv[1]), seeded=int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{time.monotonic() - began:.0f} s", dict(Invariants.counted))  # noqa: T201 (a script)
