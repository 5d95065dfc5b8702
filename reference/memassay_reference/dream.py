"""Dream: now and then a background agent goes over the memories and tidies them up (DRM-1…4).

Whether one starts is a row of gates, asked after every turn. What the clock of the next one starts
from is the time of the last *attempt*: it is written before the task begins, and put back only if
the task never got going (DRM-3).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from memassay.spec import constants
from memassay_reference.background_request import background_request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay_reference.session_world import Action, Event, World

TASK = "dream"
LOCK = "dream.lock"


class Phase(StrEnum):
    """What the machine is doing."""

    IDLE = "idle"
    RUNNING = "running"


class Signal(StrEnum):
    """What an event means to the machine."""

    TOO_SOON = "settled: last attempt under 24 h ago"
    THROTTLED = "settled: last scan under 10 min ago"
    TOO_FEW = "settled: under 5 other sessions"
    LOCKED = "settled: another process holds the lock"
    DUE = "settled: all gates open"
    BUSY = "settled: one is running"
    KEEP = "ended in any other way"
    UNDO = "exception in the fork step, no abort"


class Effect(StrEnum):
    """What the machine does about it."""

    NONE = "nothing"
    SCAN = "note the time of the scan"
    START = "take the lock, write the attempt time, start"
    LEAVE = "leave the lock, keep the attempt time"
    ROLL_BACK = "leave the lock, put the attempt time back if it is still ours"


TRANSITIONS: Mapping[tuple[Phase, Signal], tuple[Phase, Effect]] = {
    (Phase.IDLE, Signal.TOO_SOON): (Phase.IDLE, Effect.NONE),
    (Phase.IDLE, Signal.THROTTLED): (Phase.IDLE, Effect.NONE),
    (Phase.IDLE, Signal.TOO_FEW): (Phase.IDLE, Effect.SCAN),
    (Phase.IDLE, Signal.LOCKED): (Phase.IDLE, Effect.SCAN),
    (Phase.IDLE, Signal.DUE): (Phase.RUNNING, Effect.START),
    (Phase.RUNNING, Signal.BUSY): (Phase.RUNNING, Effect.NONE),
    (Phase.RUNNING, Signal.KEEP): (Phase.IDLE, Effect.LEAVE),
    (Phase.RUNNING, Signal.UNDO): (Phase.IDLE, Effect.ROLL_BACK),
}
"""From a phase and a signal to the next phase and what is done. Nothing else happens."""


@frozen
class State:
    """Where the machine stands. Times are in ms on the script's clock.

    `attempt_ms` is what the disk says about the last attempt, whoever wrote it; `mine_ms` and
    `before_ms` are what the running task wrote there and what it found.
    """

    phase: Phase = Phase.IDLE
    attempt_ms: int | None = None
    mine_ms: int | None = None
    before_ms: int | None = None
    scanned_ms: int | None = None
    closing: bool = False


def begin(world: World) -> State:
    """Return the state at the start of a script."""
    return State(attempt_ms=world.config.get("last_attempt_ms"))


def deadline(_state: State) -> int | None:
    """Return None: a dream only ever starts after a turn."""
    return None


def step(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Return the state after an event and the actions taken."""
    kind = event["type"]
    if kind == "shutdown":
        return evolve(state, closing=True), []
    if kind == "last_attempt_changed":
        return evolve(state, attempt_ms=event["value_ms"]), []
    if kind == "settled" and world.config.get("dream", False) and not state.closing:
        return _settled(state, world)
    if kind == "background_return" and event["task"] == TASK and state.phase is Phase.RUNNING:
        return _return(state, event)
    return state, []


def _settled(state: State, world: World) -> tuple[State, list[Action]]:
    signal, sessions = gates(state, world)
    phase, effect = TRANSITIONS[state.phase, signal]
    state = evolve(state, phase=phase)
    if effect is Effect.NONE:
        return state, []
    actions: list[Action] = [{"type": "scan_sessions"}]
    state = evolve(state, scanned_ms=world.now_ms)
    if effect is Effect.START:
        actions += [
            {"type": "acquire_lock", "lock": LOCK},
            {"type": "set_last_attempt", "value_ms": world.now_ms},
            {
                "type": "start_dream",
                "session_ids": sessions,
                "max_turns": constants()["dream_max_turns"],
                "request": background_request(world, ()),
            },
        ]
        before = state.attempt_ms
        state = evolve(state, before_ms=before, mine_ms=world.now_ms, attempt_ms=world.now_ms)
    return state, actions


def gates(state: State, world: World) -> tuple[Signal, list[str]]:
    """Return which gate is closed, or `DUE`, and the sessions that changed (DRM-1).

    The cheap gates come first: the sessions are looked at only if it is time, and not too often.
    """
    limits, now_ms = constants(), world.now_ms
    if state.phase is Phase.RUNNING:
        return Signal.BUSY, []
    if state.attempt_ms is not None and now_ms - state.attempt_ms < limits["dream_interval_ms"]:
        return Signal.TOO_SOON, []
    if state.scanned_ms is not None and now_ms - state.scanned_ms < limits["dream_throttle_ms"]:
        return Signal.THROTTLED, []
    sessions = changed_sessions(world, state.attempt_ms)
    if len(sessions) < limits["dream_min_sessions"]:
        return Signal.TOO_FEW, sessions
    if LOCK in world.foreign_locks:
        return Signal.LOCKED, sessions
    return Signal.DUE, sessions


def _return(state: State, event: Event) -> tuple[State, list[Action]]:
    signal = Signal.UNDO if undoes(event) else Signal.KEEP
    phase, effect = TRANSITIONS[state.phase, signal]
    actions: list[Action] = []
    if effect is Effect.ROLL_BACK and state.attempt_ms == state.mine_ms:  # compare, then swap
        actions.append({"type": "rollback_last_attempt", "value_ms": state.before_ms})
        state = evolve(state, attempt_ms=state.before_ms)
    actions.append({"type": "release_lock", "lock": LOCK})
    return evolve(state, phase=phase, mine_ms=None, before_ms=None), actions


def undoes(event: Event) -> bool:
    """Return whether the way in which a dream ended puts the attempt time back (DRM-3)."""
    return (
        event["outcome"] == "exception"
        and event.get("step", "fork") == "fork"
        and not event.get("aborted", False)
    )


def changed_sessions(world: World, since_ms: int | None) -> list[str]:
    """Return the ids of the project's other sessions that changed after a time (DRM-1, DRM-4)."""
    found = [
        file["header"]["id"]
        for file in world.sessions.values()
        if is_session(file)
        and (since_ms is None or file["updated_ms"] > since_ms)
        and is_of_project(file["header"], world)
        and file["header"]["id"] != world.config.get("session_id", "self")
    ]
    return list(dict.fromkeys(found))


def is_session(file: Mapping[str, Any]) -> bool:
    """Return whether a file is a session's: by its name and by a readable header (DRM-4)."""
    header = file["header"]
    return (
        file["file"].endswith(".jsonl")
        and not file.get("unreadable", False)
        and header is not None
        and header.get("type") == "session"
        and isinstance(header.get("id"), str)
        and header["id"] != ""
    )


def is_of_project(header: Mapping[str, Any], world: World) -> bool:
    """Return whether a session belongs to this project; only a shared directory asks (DRM-4)."""
    if not world.config.get("shared_sessions", False):
        return True
    return header.get("root") == world.config.get("root", world.cwd)
