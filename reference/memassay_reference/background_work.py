"""What background tasks have in common: what they report, what they cost, and the end of a session.

EXT-10 and DRM-5. Which tasks are running is the world's knowledge; this machine only counts and
waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from memassay.spec import constants

if TYPE_CHECKING:
    from memassay_reference.session_world import Action, Event, World


@frozen
class State:
    """What all tasks have used, and until when the end of the session waits for them."""

    tokens: int = 0
    cost_micros: int = 0
    waits_until_ms: int | None = None
    held: bool = False


def begin(_world: World) -> State:
    """Return the state at the start of a script."""
    return State()


def deadline(state: State) -> int | None:
    """Return when the end of the session stops waiting."""
    return state.waits_until_ms


def step(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Return the state after an event and the actions taken."""
    kind = event["type"]
    if kind == "background_return":
        return _return(state, world, event)
    if kind == "status_command":
        status: Action = {"type": "show_status", "tokens": state.tokens}
        return state, [{**status, "cost_micros": state.cost_micros}]
    if kind == "shutdown" and world.running:
        until_ms = world.now_ms + constants()["shutdown_wait_ms"]
        wait: Action = {"type": "wait", "holds": "shutdown", "until_ms": until_ms}
        return evolve(state, waits_until_ms=until_ms, held=True), [wait]
    if kind == "deadline" and state.waits_until_ms is not None:
        if world.now_ms < state.waits_until_ms:
            return state, []
        aborts: list[Action] = [{"type": "abort", "task": task} for task in sorted(world.running)]
        return evolve(state, waits_until_ms=None), aborts
    return state, []


def _return(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Count what a task used, tell the main session what it changed, and let the end go on."""
    actions: list[Action] = []
    state = evolve(
        state,
        tokens=state.tokens + event.get("tokens", 0),
        cost_micros=state.cost_micros + event.get("cost_micros", 0),
    )
    if event.get("changed"):
        actions.append({"type": "report_changes", "files": list(event["changed"])})
    if state.held and not world.running:
        actions.append({"type": "release", "holds": "shutdown"})
        state = evolve(state, waits_until_ms=None, held=False)
    return state, actions
