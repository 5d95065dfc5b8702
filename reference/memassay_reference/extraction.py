"""Extraction: a background agent reads what came since the cursor, and writes memories (EXT-1…6).

The machine has three phases and one cursor. `TRANSITIONS` is the whole of it: everything else here
says which signal an event is. The cursor is the end of what counts as extracted; it moves when an
extraction is skipped and when one returns, and never because something went wrong (EXT-3).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from memassay.spec import constants
from memassay_reference.background_request import background_request
from memassay_reference.js_path import is_inside, resolve
from memassay_reference.js_text import JS_WHITESPACE
from memassay_reference.tools import WRITERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memassay_reference.session_world import Action, Event, Message, World

TASK = "extraction"
LOCK = "extract.lock"


class Phase(StrEnum):
    """What the machine is doing."""

    IDLE = "idle"
    RUNNING = "running"
    TRAILING = "running, more is waiting"


class Signal(StrEnum):
    """What an event means to the machine."""

    WORTH = "asked, and it is worth it"
    SKIPPED = "asked, and there is nothing to remember"
    NOT_NOW = "asked, and nothing is new or another process holds the lock"
    RETURNED = "returned: normal, API error, turn limit"
    FAILED = "failed: exception, abort, invalidation"


class Effect(StrEnum):
    """What the machine does about it."""

    NONE = "nothing"
    START = "start on a snapshot"
    SKIP = "skip, cursor to the end"
    MARK = "mark a trailing extraction"
    ADVANCE = "cursor to the end of the snapshot"
    STAY = "cursor stays"
    ADVANCE_ASK = "cursor to the end of the snapshot, ask again"
    STAY_ASK = "cursor stays, ask again"


TRANSITIONS: Mapping[tuple[Phase, Signal], tuple[Phase, Effect]] = {
    (Phase.IDLE, Signal.WORTH): (Phase.RUNNING, Effect.START),
    (Phase.IDLE, Signal.SKIPPED): (Phase.IDLE, Effect.SKIP),
    (Phase.IDLE, Signal.NOT_NOW): (Phase.IDLE, Effect.NONE),
    (Phase.RUNNING, Signal.WORTH): (Phase.TRAILING, Effect.MARK),
    (Phase.RUNNING, Signal.SKIPPED): (Phase.TRAILING, Effect.MARK),
    (Phase.RUNNING, Signal.NOT_NOW): (Phase.RUNNING, Effect.NONE),
    (Phase.RUNNING, Signal.RETURNED): (Phase.IDLE, Effect.ADVANCE),
    (Phase.RUNNING, Signal.FAILED): (Phase.IDLE, Effect.STAY),
    (Phase.TRAILING, Signal.WORTH): (Phase.TRAILING, Effect.NONE),
    (Phase.TRAILING, Signal.SKIPPED): (Phase.TRAILING, Effect.NONE),
    (Phase.TRAILING, Signal.NOT_NOW): (Phase.TRAILING, Effect.NONE),
    (Phase.TRAILING, Signal.RETURNED): (Phase.IDLE, Effect.ADVANCE_ASK),
    (Phase.TRAILING, Signal.FAILED): (Phase.IDLE, Effect.STAY_ASK),
}
"""From a phase and a signal to the next phase and what is done. Nothing else happens."""

RETURNS = frozenset({"normal", "api_error", "max_turns"})
"""The outcomes after which the cursor moves; the others leave it (EXT-3)."""


class Hold(StrEnum):
    """Why a compaction is held back (EXT-5)."""

    RUN = "a run is in progress, and the rest is still owed"
    REST = "the rest is being extracted"


@frozen
class State:
    """Where the machine stands.

    `extracted` are the ids of the messages before the cursor, on whatever branch; `snapshot` those
    that the run in progress reads.
    """

    phase: Phase = Phase.IDLE
    extracted: frozenset[str] = frozenset()
    snapshot: tuple[str, ...] = ()
    hold: Hold | None = None
    closing: bool = False


def begin(_world: World) -> State:
    """Return the state at the start of a script."""
    return State()


def deadline(_state: State) -> int | None:
    """Return None: an extraction has no clock of its own."""
    return None


def step(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Return the state after an event and the actions taken."""
    kind = event["type"]
    if kind == "shutdown":
        return evolve(state, closing=True), []  # nothing new starts any more (DRM-5)
    if kind == "settled" and world.config.get("extraction", False):
        return ask(state, world, "automatic")
    if kind == "extract_command":
        return ask(state, world, "manual")
    if kind == "before_compact" and world.config.get("extraction", False):
        return _before_compact(state, world)
    if kind == "background_return" and event["task"] == TASK and state.phase is not Phase.IDLE:
        return _return(state, world, event)
    return state, []


def ask(state: State, world: World, mode: str) -> tuple[State, list[Action]]:
    """Consider an extraction of what stands after the cursor, and start, skip or mark it."""
    fresh = after_cursor(world.branch(), state.extracted)
    if state.phase is not Phase.IDLE:
        fresh = [message for message in fresh if message.id not in state.snapshot]
    reason = reason_to_skip(fresh, world, mode)
    signal = Signal.WORTH if reason is None else Signal.SKIPPED
    locked_out = state.phase is Phase.IDLE and LOCK in world.foreign_locks
    if not fresh or state.closing or locked_out:
        signal = Signal.NOT_NOW
    phase, effect = TRANSITIONS[state.phase, signal]
    ids = tuple(message.id for message in fresh)
    if effect is Effect.START:
        start: Action = {
            "type": "start_extraction",
            "mode": mode,
            "messages": list(ids),
            "request": background_request(world, fresh),
        }
        return evolve(state, phase=phase, snapshot=ids), [_lock("acquire_lock"), start]
    if effect is Effect.SKIP:
        skip: Action = {"type": "skip_extraction", "mode": mode, "reason": reason}
        return _advance(evolve(state, phase=phase), ids), [skip, _cursor(ids)]
    return evolve(state, phase=phase), []


def _return(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """End a run: move the cursor or not, then see to what has come meanwhile (EXT-3, EXT-4)."""
    signal = Signal.RETURNED if event["outcome"] in RETURNS else Signal.FAILED
    phase, effect = TRANSITIONS[state.phase, signal]
    actions: list[Action] = []
    if effect in {Effect.ADVANCE, Effect.ADVANCE_ASK}:
        actions.append(_cursor(state.snapshot))
        state = _advance(state, state.snapshot)
    actions.append(_lock("release_lock"))
    state = evolve(state, phase=phase, snapshot=())
    hold = state.hold
    if hold is Hold.RUN:
        state, more = _extract_rest(state, world)
        return state, actions + more
    if hold is Hold.REST:
        actions.append(_release())
        state = evolve(state, hold=None)
    if effect in {Effect.ADVANCE_ASK, Effect.STAY_ASK}:
        state, more = ask(state, world, "trailing")
        actions += more
    return state, actions


def _before_compact(state: State, world: World) -> tuple[State, list[Action]]:
    """Hold a compaction back until the run in progress and the rest are done (EXT-5)."""
    wait: Action = {"type": "wait", "holds": "compaction", "until_ms": None}
    if state.phase is not Phase.IDLE:
        return evolve(state, hold=Hold.RUN), [wait]
    state, actions = ask(state, world, "compaction")
    if state.phase is Phase.IDLE:
        return state, actions
    return evolve(state, hold=Hold.REST), [*actions, wait]


def _extract_rest(state: State, world: World) -> tuple[State, list[Action]]:
    state, actions = ask(state, world, "compaction")
    if state.phase is Phase.IDLE:
        return evolve(state, hold=None), [*actions, _release()]
    return evolve(state, hold=Hold.REST), actions


def after_cursor(branch: list[Message], extracted: frozenset[str]) -> list[Message]:
    """Return the messages of a branch that follow its last extracted one."""
    start = len(branch)
    while start and branch[start - 1].id not in extracted:
        start -= 1
    return branch[start:]


def reason_to_skip(messages: Iterable[Message], world: World, mode: str) -> str | None:
    """Return why no extraction is needed, or None if one is (EXT-1, EXT-2)."""
    messages = list(messages)
    if not any(is_prose(message) for message in messages):
        return "too_few_words"
    if mode != "manual" and any(wrote_memory(message, world) for message in messages):
        return "already_written"
    return None


def is_prose(message: Message) -> bool:
    """Return whether a message is the user's own and long enough to be worth an extraction (EXT-1).

    The content is a string or a single text block; several blocks are not put together, and neither
    are several messages.
    """
    if message.role != "user" or message.event.get("origin", "user") != "user":
        return False
    content = message.event["content"]
    if not isinstance(content, str):
        if len(content) != 1 or content[0]["type"] != "text":
            return False
        content = content[0].get("text", "")
    return count_words(content) >= constants()["extraction_min_words"]


def count_words(text: str) -> int:
    r"""Return how many non-empty pieces `text.split(/\s+/)` has, as JavaScript sees white space."""
    for space in JS_WHITESPACE[1:]:
        text = text.replace(space, JS_WHITESPACE[0])
    return sum(bool(word) for word in text.split(JS_WHITESPACE[0]))


def wrote_memory(message: Message, world: World) -> bool:
    """Return whether a message is a successful write or edit in the memory directory (EXT-2)."""
    event = message.event
    return (
        message.role == "tool"
        and event["tool"] in WRITERS
        and not event.get("failed", False)
        and is_inside(resolve(world.cwd, event.get("path", "")), world.memory_dir)
    )


def _advance(state: State, ids: Iterable[str]) -> State:
    return evolve(state, extracted=state.extracted.union(ids))


def _cursor(ids: tuple[str, ...]) -> Action:
    return {"type": "advance_cursor", "through": ids[-1]}


def _lock(kind: str) -> Action:
    return {"type": kind, "lock": LOCK}


def _release() -> Action:
    return {"type": "release", "holds": "compaction"}
