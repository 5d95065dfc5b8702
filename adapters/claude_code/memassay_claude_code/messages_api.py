"""A scripted Messages API on loopback: the only model that the client ever talks to.

It answers as the public documentation of the API describes: streamed (server-sent events) or not,
with text, tool calls or an error. Each request is kept for `observe` to read.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request of the client. `main` is false for what it asks beside the conversation."""

    path: str
    body: Mapping[str, Any]
    main: bool
    received_ns: int


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool that the model is played to call."""

    id: str
    name: str
    input: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """The model answers in words, and its turn is over."""

    text: str = "OK"


@dataclass(frozen=True, slots=True)
class UseTools:
    """The model calls tools; the client runs them and asks again with the results."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Refuse:
    """The API answers with an error. The client tries again after some of them."""

    status: int
    kind: str
    message: str


Reply = Say | UseTools | Refuse


class Script(Protocol):
    """What the model says to the requests of a conversation, one after another."""

    def reply(self, request: ModelRequest) -> Reply:
        """Return the answer to the next main request."""
        ...


class SayOk:
    """The script that ends every turn with one word."""

    def reply(self, request: ModelRequest) -> Reply:  # noqa: ARG002 (the protocol's)
        """Return the one word."""
        return Say()


@dataclass
class InTurn:
    """The script that gives `replies` one after another, and one word when there are no more."""

    replies: Sequence[Reply]
    _next: int = field(default=0, init=False)

    def reply(self, request: ModelRequest) -> Reply:  # noqa: ARG002 (the protocol's)
        """Return the next reply."""
        self._next += 1
        return self.replies[self._next - 1] if self._next <= len(self.replies) else Say()


def is_main(body: Mapping[str, Any]) -> bool:
    """Return whether a request belongs to the conversation.

    Titles, summaries, quota probes and the like carry no tools; they get one word and do not take
    part in the script.
    """
    return bool(body.get("tools"))


class MessagesApi:
    """The server. Use it as a context manager; `url` goes into `ANTHROPIC_BASE_URL`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: list[ModelRequest] = []
        self._script: Script = SayOk()
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (_Handler,), {"api": self})
        )
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        """The base URL, without a trailing slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def play(self, script: Script) -> None:
        """Forget the requests so far and answer the next ones by `script`."""
        with self._lock:
            self._requests.clear()
            self._script = script

    def requests(self) -> list[ModelRequest]:
        """Return the main requests since `play`, oldest first."""
        with self._lock:
            return [request for request in self._requests if request.main]

    def sub_requests(self) -> list[ModelRequest]:
        """Return the requests that do not belong to the conversation, since `play`."""
        with self._lock:
            return [request for request in self._requests if not request.main]

    def take(self, path: str, body: Mapping[str, Any]) -> Reply:
        """Keep a request and return what the model says to it."""
        request = ModelRequest(path, body, is_main(body), time.time_ns())
        with self._lock:
            self._requests.append(request)
            return self._script.reply(request) if request.main else Say()


class _Handler(BaseHTTPRequestHandler):
    api: MessagesApi
    protocol_version = "HTTP/1.1"
    # Small answers must not wait for the client's delayed acknowledgement.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's)
        """Say nothing: stderr belongs to the diagnostics."""

    def do_HEAD(self) -> None:
        self._send(200, "application/json", b"", bodiless=True)

    def do_GET(self) -> None:
        self._send_json(404, _error("not_found_error", "there is nothing here"))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            self._send_json(400, _error("invalid_request_error", "not a JSON object"))
        elif self.path.partition("?")[0].endswith("/count_tokens"):
            self._send_json(200, {"input_tokens": len(raw) // 4})
        elif self.path.partition("?")[0].endswith("/messages"):
            self._answer(body, self.api.take(self.path, body))
        else:
            self._send_json(404, _error("not_found_error", "there is nothing here"))

    def _answer(self, body: Mapping[str, Any], reply: Reply) -> None:
        if isinstance(reply, Refuse):
            self._send_json(reply.status, _error(reply.kind, reply.message))
            return
        message = _message(str(body.get("model", "")), reply)
        if body.get("stream"):
            self._send(200, "text/event-stream", _events(message))
        else:
            self._send_json(200, message)

    def _send_json(self, status: int, value: Mapping[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(value).encode())

    def _send(self, status: int, kind: str, data: bytes, *, bodiless: bool = False) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("request-id", "req_memassay")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if not bodiless:
                self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client was killed or gave up


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def _message(model: str, reply: Say | UseTools) -> dict[str, Any]:
    if isinstance(reply, Say):
        content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}]
        stop = "end_turn"
    else:
        content = [
            {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.input)}
            for call in reply.calls
        ]
        stop = "tool_use"
    return {
        "id": f"msg_{time.monotonic_ns()}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10,
            "output_tokens": 5,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }


def _events(message: dict[str, Any]) -> bytes:
    """Return a whole message as the server-sent events of a stream."""
    opening = {**message, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": opening}]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start: dict[str, Any] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events += [
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return "".join(lines).encode()
