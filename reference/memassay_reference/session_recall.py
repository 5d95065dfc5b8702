"""Recall over a session: when a selector starts, what of its choice reaches the model, and when.

Chapters prefetch (PRE-1, PRE-2), budget (BUD-1) and suppression (SUP-1, SUP-2). What a branch has
spent, read and been reminded of is a list of facts, each hung on a message of the session; a fact
counts as long as its message is on the active branch.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from memassay.spec import constants
from memassay_reference.js_text import has_inner_whitespace, length_units
from memassay_reference.recall import NOTE, window
from memassay_reference.sanitise import sanitise
from memassay_reference.staleness import stale_days

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memassay_reference.session_world import Action, Event, File, World


@frozen
class Fact:
    """Something that happened on a branch, hung on the message with the id `on`.

    `kind` is `asked` (the selector, which has answered), `recalled` (a file, for `units`) or `read`
    (a file, whole, by the main agent, when it was `version`).
    """

    on: str
    kind: str
    file: str = ""
    units: int = 0
    version: File | None = None


@frozen
class State:
    """What the machine knows.

    `asked` are the messages whose selector has not answered; `waiting` is the one whose request is
    held back, with the moment at which it goes without an answer. `facts` are all facts of the
    session, `active` those of the active branch.
    """

    asked: frozenset[str] = frozenset()
    waiting: tuple[str, int] | None = None
    facts: tuple[Fact, ...] = ()
    active: tuple[Fact, ...] = ()

    @property
    def spent(self) -> int:
        """What the active branch has spent on recall, in UTF-16 units (BUD-1)."""
        return sum(fact.units for fact in self.active)

    def add(self, *facts: Fact) -> State:
        """Return the state with new facts of the active branch."""
        return evolve(self, facts=self.facts + facts, active=self.active + facts)


def begin(_world: World) -> State:
    """Return the state at the start of a script."""
    return State()


def deadline(state: State) -> int | None:
    """Return when a held request goes without an answer (PRE-2)."""
    return state.waiting[1] if state.waiting else None


def step(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Return the state after an event and the actions taken."""
    handle = _HANDLERS.get(event["type"])
    return (state, []) if handle is None else handle(state, world, event)


# --- the selector starts --------------------------------------------------------------------------


def query(content: str | list[Mapping[str, Any]]) -> str:
    """Return the text of a user message."""
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content if block["type"] == "text")


def _user_message(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Start the selector; a normal request waits for it, a queued message has none to hold."""
    if (
        not world.config.get("selector", False)
        or event.get("origin", "user") != "user"
        or not world.files
        or not has_inner_whitespace(query(event["content"]))  # SEL-4
        or state.spent >= constants()["recall_budget_units"]
    ):
        return state, []
    name = event["id"]
    actions: list[Action] = [
        {
            "type": "start_selector",
            "for": name,
            "catalog": sorted(world.files, key=lambda file: -world.files[file].mtime_ms),
            "history": [fact.on for fact in state.active if fact.kind == "asked"],
            "retention": "short",
        }
    ]
    state = evolve(state, asked=state.asked | {name})
    if event["type"] == "user_message":
        until_ms = world.now_ms + constants()["prefetch_wait_ms"]
        state = evolve(state, waiting=(name, until_ms))
        actions.append({"type": "wait", "holds": "request", "until_ms": until_ms})
    return state, actions


# --- the selector answers, or its time is up ------------------------------------------------------


def _selector_reply(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Put what was chosen before the model: with the held request, else with its next call."""
    name, outcome = event["for"], event.get("outcome", "ok")
    if name not in state.asked:
        return state, []
    in_time = state.waiting is not None and state.waiting[0] == name
    state = evolve(state, asked=state.asked - {name}, waiting=None if in_time else state.waiting)
    actions: list[Action] = []
    if outcome == "ok":
        state, recalled = _recall(state, world, name, event.get("files", []))
        if recalled:
            kind = "inject_recall" if in_time else "steer"
            actions = [{"type": kind, "for": name, "files": recalled, "spent": state.spent}]
    elif outcome != "aborted":
        actions = [{"type": "notify", "level": "warning"}]
    if in_time:
        actions.append({"type": "release", "holds": "request"})
    return state, actions


def _recall(
    state: State, world: World, name: str, chosen: list[str]
) -> tuple[State, list[dict[str, Any]]]:
    """Return what of a choice is recalled: what is new to the branch, while the budget lasts."""
    if all(message.id != name for message in world.branch()):
        return state, []  # asked on a branch that was left
    recalled_before = {fact.file for fact in state.active if fact.kind == "recalled"}
    read = {fact.file: fact.version for fact in state.active if fact.kind == "read"}
    spent, recalled = state.spent, {}
    for file in chosen:
        current = world.files.get(file)
        if current is None or spent >= constants()["recall_budget_units"]:
            continue
        if file in recalled_before or file in recalled or read.get(file) == current:
            continue
        units, cut = cost(current.text)
        days = stale_days(world.now_ms, current.mtime_ms)
        recalled[file] = {"file": file, "units": units, "cut": cut, "stale_days": days}
        spent += units
    facts = (Fact(name, "recalled", file, topic["units"]) for file, topic in recalled.items())
    return state.add(Fact(name, "asked"), *facts), list(recalled.values())


def cost(content: str | bytes) -> tuple[int, bool]:
    """Return what recalling a file costs, and whether it is cut (BUD-1).

    Its text as it is injected counts, and the note of a cut; nothing else does.
    """
    text, cut = window(content)
    return length_units(sanitise(text)) + (length_units(NOTE) if cut else 0), cut


def _deadline(state: State, world: World, _event: Event) -> tuple[State, list[Action]]:
    if state.waiting is None or state.waiting[1] > world.now_ms:
        return state, []
    return evolve(state, waiting=None), [{"type": "release", "holds": "request"}]


# --- what else changes the branch -----------------------------------------------------------------


def _tool_result(state: State, world: World, event: Event) -> tuple[State, list[Action]]:
    """Note a file that the main agent has read whole (SUP-1)."""
    file = relative_to(world.memory_dir, world.cwd, event.get("path", ""))
    whole = (
        event["tool"] == "read"
        and event.get("by", "main") == "main"
        and event.get("offset", 1) <= 1
        and not any(event.get(flaw, False) for flaw in ("failed", "truncated", "image"))
    )
    version = world.files.get(file) if whole else None
    if version is None:
        return state, []
    return state.add(Fact(event["id"], "read", file, version=version)), []


def relative_to(memory_dir: str, cwd: str, path: str) -> str:
    """Return a virtual path relative to the memory directory; it begins with `..` outside."""
    return posixpath.relpath(posixpath.join(cwd, path), memory_dir)


def _rebuild(state: State, world: World, _event: Event) -> tuple[State, list[Action]]:
    """Count anew which facts are on the active branch (SUP-2)."""
    ids = {message.id for message in world.branch()}
    return evolve(state, active=tuple(fact for fact in state.facts if fact.on in ids)), []


_HANDLERS: Mapping[str, Callable[[State, World, Event], tuple[State, list[Action]]]] = {
    "user_message": _user_message,
    "queued_message": _user_message,
    "selector_reply": _selector_reply,
    "deadline": _deadline,
    "tool_result": _tool_result,
    "compacted": _rebuild,
    "switch_branch": _rebuild,
}
