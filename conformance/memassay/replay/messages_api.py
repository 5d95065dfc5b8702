"""The Messages API, as its public documentation describes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memassay.replay.reply import OVERLOADED, Reply, Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SHORT = "5m"
"""How long a cache marker without a `ttl` keeps a prompt."""

_USAGE = {
    "input_tokens": 10,
    "output_tokens": 5,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


def compact(value: Any) -> str:
    """Return a JSON value as text, keys in their order, no spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class MessagesApi:
    """POST …/messages."""

    name = "messages"

    def takes(self, path: str) -> bool:
        """Return whether `path` is that of the API."""
        return path.endswith("/messages")

    def read(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the normal form of a request (`memassay.replay.formats.WireFormat.read`)."""
        system = _text(body.get("system"))
        messages = [_message(message) for message in _mappings(body.get("messages"))]
        tools = list(_mappings(body.get("tools")))
        form, schema = _form(body, tools)
        return {
            "model": body.get("model"),
            "max_tokens": body.get("max_tokens"),
            "stream": bool(body.get("stream")),
            "form": form,
            "schema": None if schema is None else compact(schema),
            "tools": [tool.get("name") for tool in tools],
            "tool_choice": _chosen(body),
            "system": system,
            "messages": messages,
            "cached": list(_markers(body)),
            "cache_id": _mapping(body.get("metadata")).get("user_id"),
            "text": "\n".join([system, *(message["text"] for message in messages)]),
        }

    def write(self, reply: Reply, request: Mapping[str, Any], number: int) -> Written:
        """Return `reply`, as an error, a message or the events of one."""
        stream = bool(request["stream"])
        if reply.recorded is not None and (
            reply.recorded.stream == stream or reply.recorded.status >= 400  # noqa: PLR2004
        ):
            return reply.recorded
        if reply.fails_midstream and not stream:
            reply = Reply(status=OVERLOADED, error=reply.error, message=reply.message)
        if reply.status >= 400:  # noqa: PLR2004 (HTTP's first error)
            return Written(reply.status, "application/json", _dump(_error(reply)))
        message = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": [
                {**block, "id": f"toolu_{number}_{place}"} if "input" in block else dict(block)
                for place, block in enumerate(reply.blocks)
            ],
            "stop_reason": reply.stop,
            "stop_sequence": None,
            "usage": _USAGE,
        }
        if not stream:
            return Written(200, "application/json", _dump(message))
        events = list(_events(message))
        if reply.fails_midstream:
            events = [*events[:-2], _error(reply)]
        return Written(200, "text/event-stream", b"".join(map(_event, events)), stream=True)


def recorded_reply(written: Written) -> Reply:
    """Return what a recorded answer says, so that it can be written in the other form too.

    Raises `ValueError` or `TypeError` if it is no message, no events of one and no error.
    """
    if written.stream:
        return _from_events(written)
    value = json.loads(written.body)
    if not isinstance(value, dict):
        raise TypeError("the answer is no object")
    if written.status >= 400:  # noqa: PLR2004 (HTTP's first error)
        error = _mapping(value.get("error"))
        return Reply(
            status=written.status,
            error=error.get("type", "api_error"),
            message=error.get("message", ""),
            recorded=written,
        )
    if "content" not in value:
        raise ValueError("the answer is a message without content")
    return Reply(tuple(value["content"]), value.get("stop_reason") or "end_turn", recorded=written)


def _from_events(written: Written) -> Reply:
    blocks: list[dict[str, Any]] = []
    inputs: dict[int, str] = {}
    stop, error = "end_turn", None
    # Only line feeds end a line of an event: JSON may hold U+2028 and U+0085 as they are.
    for line in written.body.decode().split("\n"):
        if not line.startswith("data:"):
            continue
        event = json.loads(line.removeprefix("data:"))
        kind = event.get("type")
        if kind == "content_block_start":
            blocks.append(dict(event["content_block"]))
        elif kind == "content_block_delta":
            delta, index = event["delta"], event["index"]
            if delta["type"] == "text_delta":
                blocks[index]["text"] += delta["text"]
            elif delta["type"] == "input_json_delta":
                inputs[index] = inputs.get(index, "") + delta["partial_json"]
        elif kind == "message_delta":
            stop = event["delta"].get("stop_reason") or stop
        elif kind == "error":
            error = event["error"]
    for index, text in inputs.items():
        blocks[index]["input"] = json.loads(text or "{}")
    return Reply(
        tuple(blocks),
        stop,
        error=None if error is None else error["type"],
        message="" if error is None else error["message"],
        fails_midstream=error is not None,
        recorded=written,
    )


def _form(
    body: Mapping[str, Any], tools: list[Mapping[str, Any]]
) -> tuple[str, Mapping[str, Any] | None]:
    """Return how a structured answer is asked for, and its schema."""
    wanted = _mapping(_mapping(body.get("output_config")).get("format"))
    wanted = wanted or _mapping(body.get("output_format"))
    if wanted:
        return "native", wanted.get("schema")
    chosen = _chosen(body)
    if chosen is None and len(tools) == 1 and _mapping(body.get("tool_choice")):
        chosen = tools[0].get("name")
    for tool in tools:
        if chosen is not None and tool.get("name") == chosen:
            return "tool", tool.get("input_schema")
    return ("tools" if tools else "text"), None


def _chosen(body: Mapping[str, Any]) -> str | None:
    return _mapping(body.get("tool_choice")).get("name")


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    blocks = [_block(block) for block in _mappings(content)]
    words = (block.get("text") for block in blocks)
    return {
        "role": message.get("role"),
        "text": "\n".join(word for word in words if isinstance(word, str)),
        "blocks": blocks,
    }


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    kept = {
        key: block[key]
        for key in ("type", "text", "thinking", "signature", "name", "input", "is_error")
        if key in block
    }
    if block.get("type") == "tool_result":
        kept["text"] = _text(block.get("content"))
    return kept


def _markers(body: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield where prompt caching is asked for, in the order in which a prompt is put together."""
    places: list[tuple[str, Mapping[str, Any]]] = [("request", body)]
    for name in ("tools", "system"):
        parts = _mappings(body.get(name))
        places += [(f"{name}[{index}]", part) for index, part in enumerate(parts)]
    for index, message in enumerate(_mappings(body.get("messages"))):
        for part, block in enumerate(_mappings(message.get("content"))):
            places.append((f"messages[{index}].blocks[{part}]", block))
    for at, part in places:
        marker = part.get("cache_control")
        if isinstance(marker, dict):
            yield {"at": at, "ttl": marker.get("ttl", SHORT)}


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = (block.get("text") for block in _mappings(content))
    return "\n".join(text for text in texts if isinstance(text, str))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _error(reply: Reply) -> dict[str, Any]:
    return {"type": "error", "error": {"type": reply.error, "message": reply.message}}


def _events(message: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield a whole message as the events of a stream."""
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        start: dict[str, Any] = dict(block)
        delta: dict[str, Any] | None = None
        if block["type"] == "text":
            start["text"], delta = "", {"type": "text_delta", "text": block["text"]}
        elif "input" in block:
            start["input"] = {}
            delta = {"type": "input_json_delta", "partial_json": compact(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        if delta is not None:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 5}}
    yield {"type": "message_stop"}


def _event(event: Mapping[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: ".encode() + _dump(event) + b"\n\n"


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()
