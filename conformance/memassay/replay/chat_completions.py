"""Chat completions, the wire format that OpenAI made common: enough of it to judge a selector."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memassay.replay.messages_api import compact
from memassay.replay.reply import OVERLOADED, Reply, Written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FINISH = {"max_tokens": "length", "tool_use": "tool_calls", "refusal": "content_filter"}


class ChatCompletions:
    """POST …/chat/completions."""

    name = "chat-completions"

    def takes(self, path: str) -> bool:
        """Return whether `path` is that of the API."""
        return path.endswith("/chat/completions")

    def read(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the normal form of a request (`memassay.replay.formats.WireFormat.read`)."""
        messages = [_message(message) for message in _mappings(body.get("messages"))]
        leading = [m["text"] for m in messages if m["role"] in {"system", "developer"}]
        rest = [m for m in messages if m["role"] not in {"system", "developer"}]
        tools = [_mapping(tool.get("function")) for tool in _mappings(body.get("tools"))]
        choice = _mapping(_mapping(body.get("tool_choice")).get("function")).get("name")
        form = _mapping(_mapping(body.get("response_format")).get("json_schema"))
        schema = form.get("schema")
        if not form:
            schema = next((t.get("parameters") for t in tools if t.get("name") == choice), None)
        kinds = ((form, "native"), (schema is not None, "tool"), (tools, "tools"))
        system = "\n".join(leading)
        return {
            "model": body.get("model"),
            "max_tokens": body.get("max_completion_tokens", body.get("max_tokens")),
            "stream": bool(body.get("stream")),
            "form": next((name for holds, name in kinds if holds), "text"),
            "schema": None if schema is None else compact(schema),
            "tools": [tool.get("name") for tool in tools],
            "tool_choice": choice,
            "system": system,
            "messages": rest,
            "cached": [],  # this API caches prefixes unasked
            "cache_id": body.get("prompt_cache_key"),
            "text": "\n".join([system, *(message["text"] for message in rest)]),
        }

    def write(self, reply: Reply, request: Mapping[str, Any], number: int) -> Written:
        """Return `reply` as a completion, its chunks, or an error."""
        if reply.refuses and not (reply.fails_midstream and request["stream"]):
            status = OVERLOADED if reply.fails_midstream else reply.status
            return Written(status, "application/json", _dump(_error(reply)))
        message = _answer(reply, number)
        head = {"id": f"chatcmpl-{number}", "created": 0, "model": request["model"]}
        finish = _FINISH.get(reply.stop, "stop")
        if not request["stream"]:
            choice = {"index": 0, "message": message, "finish_reason": finish}
            whole = {**head, "object": "chat.completion", "choices": [choice], "usage": {}}
            return Written(200, "application/json", _dump(whole))
        for index, call in enumerate(message.get("tool_calls", ())):
            call["index"] = index
        parts: list[dict[str, Any]] = [
            {"index": 0, "delta": message, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": finish},
        ]
        chunks = [{**head, "object": "chat.completion.chunk", "choices": [part]} for part in parts]
        lines = [_dump(chunk) for chunk in chunks] + [b"[DONE]"]
        if reply.fails_midstream:
            lines = [lines[0], _dump(_error(reply))]
        body = b"".join(b"data: " + line + b"\n\n" for line in lines)
        return Written(200, "text/event-stream", body, stream=True)


def _answer(reply: Reply, number: int) -> dict[str, Any]:
    texts = [block["text"] for block in reply.blocks if block["type"] == "text"]
    calls = list(_calls(reply, number))
    message: dict[str, Any] = {"role": "assistant", "content": "".join(texts) if texts else None}
    return {**message, "tool_calls": calls} if calls else message


def _calls(reply: Reply, number: int) -> Iterator[dict[str, Any]]:
    for place, block in enumerate(reply.blocks):
        if block["type"] == "tool_use":
            call = {"name": block["name"], "arguments": compact(block["input"])}
            yield {"id": f"call_{number}_{place}", "type": "function", "function": call}


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    blocks: list[dict[str, Any]] = (
        [{"type": "text", "text": content}]
        if isinstance(content, str)
        else [dict(part) for part in _mappings(content)]
    )
    if message.get("role") == "tool":
        blocks = [{**block, "type": "tool_result"} for block in blocks]
    for call in _mappings(message.get("tool_calls")):
        function = _mapping(call.get("function"))
        blocks.append(
            {"type": "tool_use", "name": function.get("name"), "input": function.get("arguments")}
        )
    words = (block.get("text") for block in blocks)
    text = "\n".join(word for word in words if isinstance(word, str))
    role = "user" if message.get("role") == "tool" else message.get("role")
    return {"role": role, "text": text, "blocks": blocks}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _error(reply: Reply) -> dict[str, Any]:
    return {"error": {"type": reply.error, "message": reply.message, "code": None}}


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()
