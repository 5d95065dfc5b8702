"""Which copies of the index the conversation carries. Chapter caching.

The index is read once and stays as it was read: a conversation that changed under the model's feet
would also change the prefix that the provider has cached. It is read again when the conversation
begins anew. (How the requests of background tasks use that prefix is `background_request`, CCH-3.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from memassay_reference.index_window import index_window

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_ANEW = frozenset({"compact", "clear", "switch_branch", "reload"})
"""What begins the conversation anew, and so has the index read again (CCH-1b, CCH-1c)."""

_RESUMES_ANEW = frozenset({"pi-project-memory"})
"""The profiles in which taking up a session is a start like any other (CCH-1d)."""


@frozen
class State:
    """The index on disk, the copies that the conversation carries, and whether to look again."""

    disk: str
    copies: tuple[str, ...] = ()
    stale: bool = True


def step(state: State, event: Mapping[str, Any], profile: str) -> State:
    """Return the state after an event."""
    kind = event["type"]
    if kind == "edit":
        return evolve(state, disk=event["text"])
    if kind == "write":  # a turn of its own, whose request comes before the tool runs
        return evolve(load(state, profile), disk=event["text"])
    if kind == "request":
        return load(state, profile)
    if kind in _ANEW or profile in _RESUMES_ANEW:
        return evolve(state, copies=(), stale=True)
    return evolve(state, stale=True)  # resume: what is there stays (CCH-2)


def load(state: State, profile: str) -> State:
    """Return the state after a request, which reads the index if it is to be read.

    A copy is added only if it says something, and something else than the last one (CCH-2).
    """
    if not state.stale:
        return state
    kept, warning = index_window(state.disk, profile)
    copy = kept if warning is None else f"{kept}\n\n{warning}"
    known = not copy or state.copies[-1:] == (copy,)
    return evolve(state, copies=state.copies if known else (*state.copies, copy), stale=False)


def _caching(args: dict[str, Any], profile: str) -> dict[str, Any]:
    state, turns = State(args["index"]), []
    for event in args["events"]:
        state = step(state, event, profile)
        if event["type"] == "request":
            turns.append(list(state.copies))
    return {"turns": turns}


OPS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {"caching": _caching}
