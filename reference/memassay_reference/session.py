"""A whole session on a virtual clock: the op `session`.

Nothing here waits, reads a clock or starts a thread. A session is a few machines side by side, each
a module with three functions over its own frozen state:

* `begin(world)` gives the state at the start of a script;
* `deadline(state)` names the moment at which something falls due, or None;
* `step(state, world, event)` gives the next state and the actions taken.

`play` feeds them the events, and between those an event `deadline` for each moment that has come.
The world (`session_world`) has already changed when a machine sees an event, and every machine sees
every event. `docs/session-vocabulary.md` is the law of both vocabularies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from memassay_reference import (
    background_work,
    dream,
    extraction,
    session_recall,
    session_tools,
    session_world,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memassay_reference.session_world import Action, Event, World


class Machine(Protocol):
    """What a module must have to be one of the machines of a session."""

    def begin(self, world: World, /) -> Any:
        """Return the state at the start of a script."""
        ...

    def deadline(self, state: Any, /) -> int | None:
        """Return when something falls due next, in ms on the script's clock."""
        ...

    def step(self, state: Any, world: World, event: Event, /) -> tuple[Any, list[Action]]:
        """Return the state after an event and the actions taken."""
        ...


MACHINES: tuple[Machine, ...] = (
    session_recall,
    session_tools,
    extraction,
    dream,
    background_work,
)
"""In the order in which they act on one event."""


def play(args: Mapping[str, Any], machines: tuple[Machine, ...] = MACHINES) -> list[list[Action]]:
    """Return the actions for each event of a script.

    What falls due before an event is answered with it, first; what falls due at its very moment,
    with it and last.
    """
    world = session_world.begin(args)
    states = [machine.begin(world) for machine in machines]
    lists: list[list[Action]] = []

    def tell(event: Event) -> list[Action]:
        nonlocal world
        world = session_world.change(world, event)
        taken: list[Action] = []
        for index, machine in enumerate(machines):
            states[index], actions = machine.step(states[index], world, event)
            world = session_world.note(world, actions)
            taken += actions
        return taken

    def expire(until_ms: int) -> Iterable[Action]:
        while True:
            due = [
                moment
                for machine, state in zip(machines, states, strict=True)
                if (moment := machine.deadline(state)) is not None and moment <= until_ms
            ]
            if not due:
                return
            yield from tell({"type": "deadline", "at_ms": min(due)})

    for event in args["events"]:
        before = [*expire(event["at_ms"] - 1)]
        lists.append([*before, *tell(event), *expire(event["at_ms"])])
    return lists


def _session(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    return {"actions": play(args)}


OPS = {"session": _session}
