"""What rules demand of a session's actions, and where two answers differ in it.

An implementation may do more than the rules ask for, and say less than it does; two answers that
differ in that only agree.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Action = Mapping[str, Any]

DEMANDED: Mapping[str, tuple[str, ...]] = {
    "start_selector": ("for",),
    "inject_recall": ("for", "files", "spent"),
    "steer": ("for", "files", "spent"),
    "start_extraction": ("messages",),
    "advance_cursor": ("through",),
    "start_dream": ("session_ids",),
    "set_last_attempt": ("value_ms",),
    "rollback_last_attempt": ("value_ms",),
    "run_tool": ("id",),
    "refuse_tool": ("id",),
    "report_changes": ("files",),
    "show_status": ("tokens", "cost_micros"),
    "wait": ("holds",),
    "release": ("holds",),
    "abort": ("task",),
}
"""The actions that are compared, and what of them. Others (a notice, a lock, a scan) are free."""

_SETS = {"session_ids", "files"}
"""What is told in whatever order."""


def demanded(actions: Iterable[Action]) -> list[Action]:
    """Return what counts of one event's actions, in an order of its own.

    Of several moves of the cursor the last one counts; a wait that ends in the same moment, and a
    release of what was not held up in this list or before, tell nothing.
    """
    kept: list[Action] = []
    for action in actions:
        kind = action["type"]
        if kind not in DEMANDED:
            continue
        if kind == "advance_cursor":
            kept = [one for one in kept if one["type"] != kind]
        if kind == "release" and _drop_wait(kept, action["holds"]):
            continue
        kept.append({"type": kind, **{key: _plain(key, action[key]) for key in DEMANDED[kind]}})
    return sorted(kept, key=_key)


def _drop_wait(kept: list[Action], holds: str) -> bool:
    for index, action in enumerate(kept):
        if action["type"] == "wait" and action["holds"] == holds:
            del kept[index]
            return True
    return False


def _plain(key: str, value: Any) -> Any:
    if key not in _SETS:
        return value
    if value and isinstance(value[0], dict):
        value = [{"file": one["file"], "units": one["units"]} for one in value]
    return sorted(value, key=_key)


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@frozen
class Difference:
    """Where two answers part: event number `at`, what is missing there and what is too much."""

    at: int
    missing: tuple[Action, ...]
    surplus: tuple[Action, ...]


def difference(
    expected: Sequence[Sequence[Action]], got: Sequence[Sequence[Action]]
) -> Difference | None:
    """Return the first event whose demanded actions differ. The two are of one length."""
    held: set[str] = set()
    held_by_other: set[str] = set()
    for at, (ours, theirs) in enumerate(zip(expected, got, strict=True)):
        wanted = _meaningful(demanded(ours), held)
        found = _meaningful(demanded(theirs), held_by_other)
        missing, surplus = _without(wanted, found), _without(found, wanted)
        if missing or surplus:
            return Difference(at, tuple(missing), tuple(surplus))
    return None


def _meaningful(actions: list[Action], held: set[str]) -> list[Action]:
    """Return the actions without releases of what nothing held back."""
    kept = []
    for action in sorted(actions, key=lambda action: action["type"] == "release"):
        if action["type"] == "wait":
            held.add(action["holds"])
        if action["type"] == "release":
            if action["holds"] not in held:
                continue
            held.discard(action["holds"])
        kept.append(action)
    return kept


def _without(actions: list[Action], others: list[Action]) -> list[Action]:
    left = list(others)
    kept = []
    for action in actions:
        if action in left:
            left.remove(action)
        else:
            kept.append(action)
    return kept


def case_of(script: Mapping[str, Any], found: Difference | None) -> dict[str, Any]:
    """Return a script that two implementations read differently as a case of the spec.

    It expects at the event where they part what the first of the two did, or without a difference
    only that there is an answer.
    """
    anything = {"count": {"min": 0}}
    actions: list[dict[str, Any]] = [dict(anything) for _ in script["events"]]
    if found is not None:
        parts = {"contains": found.missing, "lacks": found.surplus}
        actions[found.at] = {word: [*map(dict, part)] for word, part in parts.items() if part}
    return {
        "id": f"fuzz-{hashlib.sha256(_key(script).encode()).hexdigest()[:8]}",
        "op": "session",
        "args": dict(script),
        "expect": {"actions": actions},
        "why": "Found by fuzzing: so does the reference. Decide from the evidence who is right.",
    }
