"""Random session scripts: a Hypothesis state machine that grows one event by event.

The machine knows what a host may do next (no answer without a question, no end of a task that does
not run) and asks an oracle what an implementation did, because that decides what may come: a task
that was started can end. It judges nothing; `on_event` and `on_end` are for those who do.

With `only_stated` it keeps away from what no rule settles (a cursor on a branch that was left, the
very moment at which a throttle ends, …), so that a disagreement is one about a rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from memassay.fuzz.session_alphabet import (
    CONFIGS,
    CONTENTS,
    FAILURES,
    FILES,
    MEMORY_DIR,
    PAUSES_MS,
    RETURNS,
    SIZES,
    THROTTLE_MS,
    TOOLS,
    session_file,
    topic,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Event = dict[str, Any]
    Action = Mapping[str, Any]
    Oracle = Callable[[Mapping[str, Any]], list[list[Action]]]
    """From the arguments of the op `session` to its `actions`."""

MAX_EVENTS = 50
"""The longest script; a turn of several events is not begun if it might not fit."""

STARTERS = {
    *("user_message", "queued_message", "selector_reply", "settled", "extract_command"),
    *("background_return", "before_compact", "shutdown", "clock"),
}
"""The events after which something may go on that did not before, or end."""


def when(condition: Callable[[Any], Any], events: int = 1) -> Callable[[Any], Any]:
    """Let a rule be chosen only if `condition` holds and so many events still fit."""
    return precondition(
        lambda self: len(self.args["events"]) + events <= MAX_EVENTS and bool(condition(self))
    )


class ScriptMachine(RuleBasedStateMachine):
    """One script in the making.

    Subclasses give it an `oracle`, and override `on_event` and `on_end`.
    """

    oracle: ClassVar[Oracle]
    only_stated: ClassVar[bool] = False
    always_asks: ClassVar[bool] = False
    """Whether `lists` must be up to date in `on_event`; else the oracle is asked if need be."""

    def __init__(self) -> None:
        super().__init__()
        self.args: dict[str, Any] = {"config": {}, "files": [], "events": []}
        self.lists: list[list[Action]] = []
        self.now_ms = 0
        self.number = 0
        self.in_turn = False
        self.closing = False
        self.branch: list[str] = []
        self.asked: dict[str, list[str]] = {}
        self.running: set[str] = set()
        self.held: set[str] = set()
        self.foreign: set[str] = set()
        self.compacting = False
        self.wrote_memory = False
        self.unread = False
        self.scanned_ms: int | None = None

    @initialize(config=CONFIGS, sizes=SIZES)
    def start(self, config: dict[str, Any], sizes: list[int]) -> None:
        """Choose what is switched on, and what is on disk."""
        self.args["config"] = config
        self.args["files"] = [topic(number, units) for number, units in enumerate(sizes)]

    # --- the conversation -------------------------------------------------------------------------

    @when(lambda self: self.is_quiet() and not self.in_turn)
    @rule(content=CONTENTS)
    def user_message(self, content: Any) -> None:
        """Begin a turn."""
        self.in_turn = True
        self.say("user_message", "u", content=content)

    @when(lambda self: self.is_quiet() and not self.in_turn, events=3)
    @rule(content=CONTENTS)
    def whole_turn(self, content: Any) -> None:
        """Say something, and if nothing is in the way hear something, and be done."""
        self.user_message(content)
        if "request" not in self.held:
            self.say("assistant_message", "a", content="noted")
            self.settled()

    @when(lambda self: self.is_answering())
    @rule(content=st.none() | CONTENTS, tool=st.none() | TOOLS)
    def go_on(self, content: Any, tool: dict[str, Any] | None) -> None:
        """Let the main agent use a tool, the user say more, or the main agent answer."""
        if tool is not None:
            self.wrote_memory |= tool["tool"] != "read" and "failed" not in tool
            self.say("tool_result", "r", **tool)
        elif content is not None:
            self.say("queued_message", "u", content=content)
        else:
            self.say("assistant_message", "a", content="noted")

    @when(lambda self: self.is_answering())
    @rule()
    def settled(self) -> None:
        """End the turn."""
        if self.only_stated and self.scanned_ms == self.now_ms + 1 - THROTTLE_MS:
            self.now_ms += 1  # what happens at the very moment is not stated
        self.in_turn = False
        self.tell("settled")

    # --- tasks and commands -----------------------------------------------------------------------

    @when(lambda self: self.asked)
    @rule(
        data=st.data(),
        outcome=st.sampled_from(["ok", "ok", "ok", "failed", "aborted"]),
    )
    def selector_reply(self, data: st.DataObject, outcome: str) -> None:
        """Let a selector answer that was started."""
        name = data.draw(st.sampled_from(sorted(self.asked)), label="for")
        choice = st.lists(st.sampled_from(self.asked.pop(name)), max_size=5, unique=True)
        answer = {"files": data.draw(choice, label="files")} if outcome == "ok" else {}
        self.tell("selector_reply", outcome=outcome, **answer, **{"for": name})

    @when(lambda self: self.is_quiet() and self.unread and not self.in_turn and self.may_ask())
    @rule()
    def extract_command(self) -> None:
        """Ask for an extraction by hand."""
        self.tell("extract_command")

    @when(lambda self: "extraction" in self.running)
    @rule(outcome=st.sampled_from([*RETURNS, *FAILURES]), changed=st.booleans())
    def extraction_ends(self, outcome: str, *, changed: bool) -> None:
        """End an extraction, in one of six ways."""
        if self.only_stated and (self.unread or self.compacting) and outcome in FAILURES:
            outcome = "normal"  # whether what waits is read at once after a failure is not stated
        self.end("extraction", outcome, changed=changed)

    @when(lambda self: "dream" in self.running)
    @rule(
        outcome=st.sampled_from(["normal", "api_error", "max_turns", "exception", "aborted"]),
        step=st.sampled_from(["fork", "completion"]),
        aborted=st.booleans(),
        changed=st.booleans(),
    )
    def dream_ends(self, outcome: str, step: str, *, aborted: bool, changed: bool) -> None:
        """End a dream, in any way."""
        aborted = aborted or outcome == "aborted"
        self.end("dream", outcome, changed=changed, step=step, aborted=aborted)

    @when(lambda self: self.running)
    @rule(data=st.data())
    def background_tool(self, data: st.DataObject) -> None:
        """Let a background task use a tool; it is none of the session's."""
        by = data.draw(st.sampled_from(sorted(self.running)), label="by")
        self.number += 1
        path = f"{MEMORY_DIR}/{FILES[0]}"
        self.tell("tool_result", id=f"b{self.number}", by=by, tool="read", path=path)

    @when(lambda self: self.running)
    @rule()
    def status_command(self) -> None:
        """Ask what background work has cost."""
        self.tell("status_command")

    # --- the host ---------------------------------------------------------------------------------

    @when(lambda self: self.is_quiet() and not self.in_turn and self.branch and not self.asked)
    @rule()
    def before_compact(self) -> None:
        """Announce a compaction."""
        self.compacting = True
        self.tell("before_compact")

    @when(lambda self: self.compacting and "compaction" not in self.held)
    @rule()
    def compacted(self) -> None:
        """Compact, once it is let go."""
        self.compacting = False
        self.branch = []
        self.tell("compacted")

    @when(lambda self: self.is_quiet() and not self.in_turn and self.may_switch())
    @rule(data=st.data())
    def switch_branch(self, data: st.DataObject) -> None:
        """Go back to an earlier message."""
        to = data.draw(st.sampled_from([None, *self.branch]), label="to")
        self.branch = self.branch[: 0 if to is None else self.branch.index(to) + 1]
        self.tell("switch_branch", to=to)

    @when(lambda self: self.is_quiet() and self.running and self.may_close())
    @rule(really=st.integers(0, 3))
    def shutdown(self, really: int) -> None:
        """End the session, now and then."""
        if really == 0:
            self.closing = True
            self.tell("shutdown")

    # --- the world outside ------------------------------------------------------------------------

    @when(lambda _: True)
    @rule(pause_ms=PAUSES_MS)
    def clock(self, pause_ms: int) -> None:
        """Let time pass."""
        self.now_ms += pause_ms - 1
        self.tell("clock")

    @when(lambda _: True)
    @rule(
        file=st.sampled_from(FILES[:4]), units=st.sampled_from([1, 500, 4000]), gone=st.booleans()
    )
    def file_changed(self, file: str, units: int, *, gone: bool) -> None:
        """Change a topic file on disk."""
        if not gone:
            self.tell("file_changed", file=file, text=f"{self.now_ms} {'y' * units}")
        elif file in {one["file"] for one in self.args["files"]}:
            self.tell("file_changed", file=file, removed=True)

    @when(lambda _: True)
    @rule(
        number=st.integers(0, 6),
        lock=st.sampled_from(["extract.lock", "dream.lock"]),
        what=st.sampled_from(["session", "session", "lock", "attempt"]),
    )
    def other_process(self, number: int, lock: str, what: str) -> None:
        """Let another process write a session, take or leave a lock, or attempt a dream."""
        task = {"extract.lock": "extraction", "dream.lock": "dream"}[lock]
        if what == "session":
            self.tell("session_changed", session=session_file(number, self.now_ms + 1))
        elif what == "attempt":
            self.tell("last_attempt_changed", value_ms=self.now_ms + 1)
        elif task not in self.running:  # a lock that is held here cannot be taken
            self.foreign ^= {lock}
            self.tell("lock_changed", lock=lock, held=lock in self.foreign)

    @precondition(lambda self: len(self.args["events"]) >= MAX_EVENTS)
    @rule()
    def full(self) -> None:
        """Do nothing: the script is as long as it may be."""

    # --- what may come next -----------------------------------------------------------------------

    def is_quiet(self) -> bool:
        """Return whether the user can do something: no end and no compaction is under way."""
        return not self.closing and not self.compacting

    def is_answering(self) -> bool:
        """Return whether a turn is under way and its request is not held back."""
        return self.is_quiet() and self.in_turn and "request" not in self.held

    def may_ask(self) -> bool:
        """Return whether it is stated what a command does: not after a write of the main agent."""
        return not (self.only_stated and self.wrote_memory)

    def may_switch(self) -> bool:
        """Return whether nothing is under way; a cursor on another branch is not stated."""
        stated = not self.only_stated or not self.args["config"].get("extraction")
        return bool(self.branch) and not self.asked and not self.running and stated

    def may_close(self) -> bool:
        """Return whether it is stated what waits: an extraction of the rest at the end is not."""
        return not (self.only_stated and self.unread and "extraction" in self.running)

    # --- telling ----------------------------------------------------------------------------------

    def say(self, kind: str, prefix: str, **parts: Any) -> None:
        """Add a message to the session."""
        self.number += 1
        name = f"{prefix}{self.number}"
        self.branch.append(name)
        self.unread = True
        self.tell(kind, id=name, **parts)

    def end(self, task: str, outcome: str, *, changed: bool, **parts: Any) -> None:
        """End a task; it used a token for each event so far."""
        self.running.discard(task)
        self.unread = self.unread and task != "extraction"
        files = [FILES[0]] if changed else []
        used = {"tokens": len(self.args["events"]), "cost_micros": 1}
        self.tell("background_return", task=task, outcome=outcome, changed=files, **used, **parts)

    def tell(self, kind: str, **parts: Any) -> None:
        """Add an event, one millisecond later, and learn what the oracle did about it."""
        self.now_ms += 1
        self.args["events"].append({"at_ms": self.now_ms, "type": kind, **parts})
        if self.always_asks or self.held or kind in STARTERS:
            self.learn()
        self.on_event()

    def learn(self) -> None:
        """Ask the oracle about the script so far, and note what goes on now."""
        known = len(self.lists)
        if known < len(self.args["events"]):
            self.lists = type(self).oracle(self.args)
            for actions in self.lists[known:]:
                for action in actions:
                    self._note(action)

    def _note(self, action: Action) -> None:
        match action["type"]:
            case "start_selector":
                self.asked[action["for"]] = list(action["catalog"])
            case "start_extraction":
                self.running.add("extraction")
                self.unread = False
            case "start_dream":
                self.running.add("dream")
            case "scan_sessions":
                self.scanned_ms = self.now_ms
            case "wait":
                self.held.add(action["holds"])
            case "release":
                self.held.discard(action["holds"])

    def on_event(self) -> None:
        """Look at the script after an event."""

    def on_end(self) -> None:
        """Look at the whole script."""

    def teardown(self) -> None:
        """End the script, unless it broke off."""
        if self.args["events"]:
            self.learn()
            self.on_end()
