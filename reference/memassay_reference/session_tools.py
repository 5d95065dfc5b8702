"""Tool calls of background tasks over a session: what runs, and what is refused. Chapter tools.

The virtual disk of a script has no links, so here a path is inside by its words alone;
`tools.access` has the real thing.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from memassay_reference.js_path import is_inside
from memassay_reference.shell_commands import is_read_only
from memassay_reference.tools import WRITERS, sets_baseline

if TYPE_CHECKING:
    from memassay_reference.session_world import Action, Event, World


@frozen
class State:
    """The baselines: task and absolute path of each file that the task may change (BGT-2)."""

    baselines: frozenset[tuple[str, str]] = frozenset()


def begin(_world: World) -> State:
    """Return the state at the start of a script."""
    return State()


def deadline(_state: State) -> int | None:
    """Return None: nothing falls due here."""
    return None


def step(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Return the state after an event and the actions taken."""
    if event["type"] == "tool_call":
        return state, [_decide(state, world, event)]
    if event["type"] == "tool_result" and event.get("by", "main") != "main":
        return _note_read(state, world, event), []
    if event["type"] == "background_return":
        task = event["task"]
        return evolve(state, baselines=frozenset(b for b in state.baselines if b[0] != task)), []
    return state, []


def _decide(state: State, world: World, event: Event) -> Action:
    """Let a call run, or refuse it and say why."""
    path = _absolute(world, event)
    reason = None
    if event["tool"] == "bash" and not is_read_only(event.get("command", "")):
        reason = "not_read_only"
    elif event["tool"] in WRITERS:
        if not is_inside(path, world.memory_dir):
            reason = "outside_memory"
        elif _exists(world, path) and (event["by"], path) not in state.baselines:
            reason = "no_baseline"
    if reason is not None:
        return {"type": "refuse_tool", "id": event["id"], "reason": reason}
    return {"type": "run_tool", "id": event["id"], "path": path}


def _note_read(state: State, world: World, event: Event) -> State:
    if event.get("failed", False):
        return state
    owned = (event["by"], _absolute(world, event))
    sets: bool | None = event["tool"] in WRITERS or None  # who has written a file knows it
    if event["tool"] == "read":
        sets = sets_baseline(
            offset=event.get("offset"),
            limit=event.get("limit"),
            cut=event.get("truncated", False),
            image=event.get("image", False),
        )
    if sets is None:
        return state
    baselines = state.baselines | {owned} if sets else state.baselines - {owned}
    return evolve(state, baselines=baselines)


def _absolute(world: World, event: Event) -> str:
    return posixpath.normpath(posixpath.join(world.cwd, event.get("path", ".")))


def _exists(world: World, path: str) -> bool:
    return posixpath.relpath(path, world.memory_dir) in world.files
