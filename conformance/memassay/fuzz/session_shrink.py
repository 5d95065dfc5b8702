"""Make a script that parts two implementations as short as it gets.

Hypothesis could do that, too, but knows nothing of scripts; here whole events, settings and files
are left out, as long as what is left is a sound script and still parts the two in the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.fuzz.session_alphabet import FAILURES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Script = Mapping[str, Any]
    Lists = Sequence[Sequence[Mapping[str, Any]]]
    StillParts = Callable[[Script], bool]

_TURN = 6
"""The most events of one turn: what often can only be left out together."""
_ONLY_WITH = {"selector": "selector_reply"}
_TASKS = {"start_extraction": "extraction", "start_dream": "dream"}
_MESSAGES = {"user_message", "queued_message", "assistant_message", "tool_result"}
_IN_TURN = _MESSAGES | {"settled"}
_NOT_IN_TURN = {"before_compact", "switch_branch"}
_FREE = ("changed", "tokens", "cost_micros", "step", "aborted", "outcome", "files")
"""What an event may do without, if it has it."""


def shrink(script: Script, still_parts: StillParts) -> Script:
    """Return a script for which `still_parts` holds, from which nothing more can be left out."""
    before: Script = {}
    while before != script:
        before = script
        for smaller in (_fewer_events, _fewer_parts):
            script = smaller(script, still_parts)
    return script


def _fewer_events(script: Script, still_parts: StillParts) -> Script:
    for size in _sizes(len(script["events"])):
        at = 0
        while at < len(script["events"]):
            events = script["events"]
            candidate = {**script, "events": [*events[:at], *events[at + size :]]}
            if candidate["events"] and still_parts(candidate):
                script = candidate
            else:
                at += size if size > _TURN else 1
    return script


def _sizes(count: int) -> list[int]:
    """Return how many events to leave out at once: halves, then every size that a turn may have."""
    halves = [count >> power for power in range(1, count.bit_length())]
    return [size for size in halves if size > _TURN] + [*range(min(_TURN, count), 0, -1)]


def _fewer_parts(script: Script, still_parts: StillParts) -> Script:
    def try_all(script: Script, candidates: Callable[[Script], Iterator[Script]]) -> Script:
        tried = 0
        while True:
            for number, candidate in enumerate(candidates(script)):
                if number >= tried and still_parts(candidate):
                    script, tried = candidate, number
                    break
            else:
                return script

    script = try_all(script, _without_a_setting)
    script = try_all(script, _without_a_file)
    script = try_all(script, _without_a_field)
    return try_all(script, _without_a_pause)


def _without_a_setting(script: Script) -> Iterator[Script]:
    config = script["config"]
    # a dream without an attempt before it is another question, and not a stated one
    for key in sorted(config.keys() - ({"last_attempt_ms"} if "dream" in config else set())):
        events = [event for event in script["events"] if event["type"] != _ONLY_WITH.get(key)]
        less = {name: config[name] for name in config if name != key}
        yield {**script, "config": less, "events": events}
    sessions = config.get("sessions", ())
    for at in range(len(sessions)):
        fewer = [*sessions[:at], *sessions[at + 1 :]]
        yield {**script, "config": {**config, "sessions": fewer}}


def _without_a_file(script: Script) -> Iterator[Script]:
    files = script["files"]
    for at in range(len(files)):
        yield {**script, "files": [*files[:at], *files[at + 1 :]]}


def _without_a_field(script: Script) -> Iterator[Script]:
    events = script["events"]
    for at, event in enumerate(events):
        for key in _FREE:
            if key in event and not (key == "outcome" and event["type"] == "background_return"):
                plainer = {name: event[name] for name in event if name != key}
                yield {**script, "events": [*events[:at], plainer, *events[at + 1 :]]}


def _without_a_pause(script: Script) -> Iterator[Script]:
    events = script["events"]
    for at, event in enumerate(events):
        pause_ms = event["at_ms"] - (events[at - 1]["at_ms"] + 1 if at else 0)
        if pause_ms > 0:
            sooner = [{**later, "at_ms": later["at_ms"] - pause_ms} for later in events[at:]]
            yield {**script, "events": [*events[:at], *sooner]}


def is_sound(script: Script, lists: Lists) -> bool:
    """Return whether a script can happen, and asks nothing that no rule states.

    `lists` is what the reference did. A task ends only if it runs, a selector answers only if it
    was asked, nothing goes on during a compaction or after the end, and an extraction does not fail
    while more is waiting (whether that is read at once is not stated).
    """
    running: set[str] = set()
    asked: set[str] = set()
    held: set[str] = set()
    branch: list[str] = []
    unread = in_turn = compacting = closing = False
    for event, actions in zip(script["events"], lists, strict=True):
        kind = event["type"]
        user_acts = kind in _IN_TURN | _NOT_IN_TURN | {"extract_command", "shutdown"}
        own_tool = kind == "tool_result" and "by" in event
        sound = {
            "background_return": event.get("task") in running
            and not (
                event.get("task") == "extraction"
                and event.get("outcome") in FAILURES
                and (unread or compacting)
            ),
            "selector_reply": event.get("for") in asked,
            "tool_result": event["by"] in running if own_tool else in_turn,
            "assistant_message": in_turn,
            "queued_message": in_turn,
            "settled": in_turn,
            "user_message": not in_turn,
            "extract_command": not in_turn,
            "before_compact": not in_turn and not asked,
            "compacted": compacting and "compaction" not in held,
            "switch_branch": not in_turn and not asked and event.get("to") in {None, *branch},
            "shutdown": bool(running),
        }.get(kind, True)
        if not sound or (user_acts and not own_tool and (closing or compacting)):
            return False
        if "request" in held and kind in _IN_TURN and not own_tool:
            return False
        if kind in _MESSAGES and not own_tool:
            branch.append(event["id"])
            unread = True
        if kind == "switch_branch":
            branch = branch[: branch.index(event["to"]) + 1] if event["to"] else []
        if kind == "background_return":
            running.discard(event["task"])
            unread = unread and event["task"] != "extraction"
        asked.discard(event.get("for", ""))
        in_turn = (in_turn or kind == "user_message") and kind != "settled"
        compacting = (compacting or kind == "before_compact") and kind != "compacted"
        closing = closing or kind == "shutdown"
        for action in actions:
            if action["type"] in _TASKS:
                running.add(_TASKS[action["type"]])
                unread = unread and action["type"] != "start_extraction"
            if action["type"] == "start_selector":
                asked.add(action["for"])
            if action["type"] == "wait":
                held.add(action["holds"])
            if action["type"] == "release":
                held.discard(action["holds"])
    return True
