"""How a background task asks its model: on top of the parent's request, or on its own.

Extraction and dream share this (EXT-7, EXT-8, EXT-9; CCH-3; BGT-3). A request that repeats the
parent's whole prefix is cheap because the provider has it cached; it is possible only if model and
tools are the same and the prefix was kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memassay_reference.session_world import Action, Message, World

RETENTION = "short"


def background_request(world: World, fresh: Iterable[Message]) -> Action:
    """Return the request of a task that starts now; `fresh` are the messages after the cursor."""
    config = world.config
    prefix = is_reusable(world)
    messages = world.branch() if prefix else _recent(list(fresh), config.get("recent_messages"))
    request: Action = {
        "form": "prefix" if prefix else "independent",
        "sent": [_sent(message, world) for message in messages],
        "adds_rules": not config.get("rules_in_prompt", True),
        "retention": RETENTION,
        "codemode": config.get("codemode", "off"),
    }
    if "inline_budget" in config:
        request["inline_budget"] = config["inline_budget"]
    return request


def is_reusable(world: World) -> bool:
    """Return whether the parent's request can be the beginning of the task's (EXT-8, CCH-3)."""
    config = world.config
    return (
        same_model(background_model(world), world.model)
        and config.get("tools_match", True)
        and config.get("snapshot", True)
        and not config.get("images_blocked", False)
        and config.get("recent_messages") is None
    )


def background_model(world: World) -> Mapping[str, str]:
    """Return the model of background tasks."""
    return world.config.get("background_model", world.model)


def same_model(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Return whether two models agree in provider, api and model (EXT-7)."""
    return all(one[key] == other[key] for key in ("provider", "api", "model"))


def without_foreign_proofs(blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return blocks as another model may see them: no thinking, no signatures (EXT-7)."""
    return [
        {key: value for key, value in block.items() if key != "signature"}
        for block in blocks
        if block["type"] != "thinking"
    ]


def _recent(messages: list[Message], most: int | None) -> list[Message]:
    return messages if most is None else messages[max(0, len(messages) - most) :]


def _sent(message: Message, world: World) -> dict[str, Any]:
    content = message.event.get("content")
    if content is None:  # a tool result: what it says is no part of the script
        return {"id": message.id}
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    author = message.event.get("model", world.model)
    if message.role == "assistant" and not same_model(author, background_model(world)):
        return {"id": message.id, "blocks": without_foreign_proofs(blocks)}
    return {"id": message.id, "blocks": [dict(block) for block in blocks]}
