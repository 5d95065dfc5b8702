"""What surrounds a session: its configuration, its messages, the files on disk, the time.

The world changes only by events, before any machine of the session sees them, and knows nothing of
memory rules. `docs/session-vocabulary.md` says what the events mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Event = Mapping[str, Any]
    Action = dict[str, Any]
    Change = dict[str, Any]

_ROLES = {
    "user_message": "user",
    "queued_message": "user",
    "assistant_message": "assistant",
    "tool_result": "tool",
}
"""The events that add a message to the session, with the role of its author."""

MODEL = {"provider": "example", "api": "example", "model": "main"}
"""The model of a script that names none."""


@frozen
class Message:
    """A message of the session; `event` is the one that brought it."""

    id: str
    role: str
    event: Event


@frozen
class Node:
    """A message with the one before it on its branch: a session is a tree that grows at a leaf."""

    message: Message
    previous: Node | None


@frozen
class File:
    """A topic file on the virtual disk: content (text or bytes) and modification time."""

    text: str | bytes
    mtime_ms: int


@frozen
class World:
    """Everything outside the machines, at one moment of a script."""

    config: Mapping[str, Any]
    files: Mapping[str, File]
    sessions: Mapping[str, Mapping[str, Any]]
    now_ms: int = 0
    leaf: Node | None = None
    nodes: Mapping[str, Node] = field(factory=dict)
    foreign_locks: frozenset[str] = frozenset()
    running: frozenset[str] = frozenset()
    """The background tasks that have started and not returned."""

    @property
    def memory_dir(self) -> str:
        """The memory directory, an absolute virtual path."""
        return self.config.get("memory_dir", "/m")

    @property
    def cwd(self) -> str:
        """The directory of the session."""
        return self.config.get("cwd", "/w")

    @property
    def model(self) -> Mapping[str, str]:
        """The main agent's model."""
        return self.config.get("model", MODEL)

    def branch(self) -> list[Message]:
        """Return the messages of the active branch, oldest first."""
        return [node.message for node in self._upwards()][::-1]

    def _upwards(self) -> Iterator[Node]:
        node = self.leaf
        while node is not None:
            yield node
            node = node.previous


def begin(args: Mapping[str, Any]) -> World:
    """Return the world at the start of a script."""
    config = args["config"]
    return World(
        config=config,
        files={file["file"]: File(file["text"], file["mtime_ms"]) for file in args["files"]},
        sessions={session["file"]: session for session in config.get("sessions", ())},
    )


def change(world: World, event: Event) -> World:
    """Return the world after an event."""
    world = evolve(world, now_ms=event["at_ms"])
    changed = _CHANGES.get(event["type"])
    return world if changed is None else evolve(world, **changed(world, event))


def note(world: World, actions: list[Action]) -> World:
    """Return the world with the background tasks that `actions` started as running."""
    started = {"start_extraction": "extraction", "start_dream": "dream"}
    running = {started[action["type"]] for action in actions if action["type"] in started}
    return evolve(world, running=world.running | running) if running else world


def _append(world: World, event: Event) -> Change:
    if event.get("by", "main") != "main":
        return {}  # it belongs to a background task, whose conversation is not the session's
    node = Node(Message(event["id"], _ROLES[event["type"]], event), world.leaf)
    return {"leaf": node, "nodes": {**world.nodes, event["id"]: node}}


def _switch(world: World, event: Event) -> Change:
    return {"leaf": None if event["to"] is None else world.nodes[event["to"]]}


def _compact(world: World, event: Event) -> Change:
    """Cut the branch before the message to keep from, or altogether; a summary is no message."""
    kept = world.branch()
    ids = [message.id for message in kept]
    first = ids.index(event["keep_from"]) if "keep_from" in event else len(ids)
    leaf, nodes = None, dict(world.nodes)
    for message in kept[first:]:
        leaf = nodes[message.id] = Node(message, leaf)
    return {"leaf": leaf, "nodes": nodes}


def _reload(_world: World, event: Event) -> Change:
    return {"config": event["config"]}


def _change_file(world: World, event: Event) -> Change:
    files, name = dict(world.files), event["file"]
    if event.get("removed", False):
        files.pop(name, None)
    else:
        text = event.get("text", files[name].text if name in files else "")
        files[name] = File(text, event.get("mtime_ms", event["at_ms"]))
    return {"files": files}


def _change_session(world: World, event: Event) -> Change:
    session = event["session"]
    return {"sessions": {**world.sessions, session["file"]: session}}


def _change_lock(world: World, event: Event) -> Change:
    lock = {event["lock"]}
    others = world.foreign_locks
    return {"foreign_locks": others | lock if event["held"] else others - lock}


def _end_task(world: World, event: Event) -> Change:
    return {"running": world.running - {event["task"]}}


_CHANGES: Mapping[str, Callable[[World, Event], Change]] = {
    **dict.fromkeys(_ROLES, _append),
    "switch_branch": _switch,
    "compacted": _compact,
    "reload_config": _reload,
    "file_changed": _change_file,
    "session_changed": _change_session,
    "lock_changed": _change_lock,
    "background_return": _end_task,
}
