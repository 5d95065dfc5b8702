"""Recall over a session: when a selector starts, what of its choice reaches the model, and when.

Chapters prefetch, budget and suppression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from memassay_reference.session_world import Action, Event, World


@frozen
class State:
    """Nothing yet."""


def begin(_world: World) -> State:
    """Return the state at the start of a script."""
    return State()


def deadline(_state: State) -> int | None:
    """Return when a wait ends."""
    return None


def step(state: State, _world: World, _event: Event) -> tuple[State, list[Action]]:
    """Return the state after an event and the actions taken."""
    return state, []
