"""The model on loopback: an HTTP server that answers by a playback and keeps what it was asked."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from memassay.replay.formats import format_of
from memassay.replay.reply import refusal
from memassay.spec.wire import NestedError, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType

    from memassay.replay.formats import WireFormat
    from memassay.replay.playback import Playback, Served
    from memassay.replay.reply import Reply

API_KEY = "memassay-no-key"
"""The key that implementations are to send: it opens nothing."""

MOST_BYTES = 8 * 1024 * 1024
"""The largest request that is looked at; a larger one is answered 413."""

_CHUNK = 1 << 16
_PATIENCE_S = 60.0  # for a client that stops in the middle of its request
_WAKE_S = 1.0


class ModelServer:
    """Serves from its creation until `close`. `url` is the base URL: no slash at the end."""

    def __init__(
        self,
        playback: Playback,
        *,
        port: int = 0,
        on_answer: Callable[[Mapping[str, Any]], None] | None = None,
    ) -> None:
        self._playback = playback
        self._on_answer = on_answer
        self._requests: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._told = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), type("Handler", (_Handler,), {"model": self}))
        self._thread = threading.Thread(
            target=self._serve,
            name="memassay-model",
            daemon=True,
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """The base URL, `http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def requests(self) -> list[dict[str, Any]]:
        """Return the requests to the model so far, in normal form, oldest first.

        Beside what `WireFormat.read` gives, each has `path`, `format`, `reply` (the number of the
        answer it got, or null), and, where there was none, `unanswered` and perhaps `nearest`.
        From the second on, `same_cache_id` and `same_prefix` compare it with the one before it.
        """
        with self._lock:
            return [dict(request) for request in self._requests]

    def close(self) -> None:
        """Stop: answers that are still held back are never given."""
        if self._closing.is_set():
            return
        self._closing.set()
        # The thread that waits for a connection gets one. Were it to look up now and then instead,
        # every model that waits for its case would cost time, and each end would wait for a look.
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self._server.server_port), _WAKE_S).close()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _serve(self) -> None:
        while not self._closing.is_set():
            self._server.handle_request()

    def wait_ms(self, delay_ms: int) -> bool:
        """Hold an answer back; return whether it is still wanted afterwards."""
        return not self._closing.wait(delay_ms / 1000) if delay_ms else not self._closing.is_set()

    def keep(self, request: dict[str, Any]) -> int:
        """Keep a request and return its number, from 1."""
        with self._lock:
            if self._requests:
                request.update(_compared(self._requests[-1], request))
            self._requests.append(request)
            return len(self._requests)

    @contextmanager
    def telling(self, request: Mapping[str, Any]) -> Iterator[None]:
        """Tell whoever listens that a request has got all that it gets, within the block.

        Who asks again after an answer is told of after it, whichever thread is quicker.
        """
        if self._on_answer is None:
            yield
            return
        with self._told:
            yield
            self._on_answer(request)

    def serve(self, path: str, wire: WireFormat, raw: bytes) -> tuple[Reply, dict[str, Any], int]:
        """Return the answer to a request, the request in normal form, and its number."""
        head: dict[str, Any] = {"path": path, "format": wire.name}
        try:
            asked = wire.read(_mapping(raw))
        except ValueError as error:
            unread = {**head, "stream": False, "model": None, "reply": None}
            deep = isinstance(error, NestedError)
            unread["unanswered"] = str(error) if deep else "it is no JSON object"
            return refusal(400, "the body is no JSON object"), unread, self.keep(unread)
        served = self._playback.take(asked)
        request = {**head, **asked, "reply": served.index, **_without_answer(served)}
        number = self.keep(request)
        if served.reply is None:
            return refusal(404, f"memassay: {served.unanswered}"), request, number
        return served.reply, request, number


def _mapping(raw: bytes) -> Mapping[str, Any]:
    body = parse_json(raw.decode("utf-8"))
    if not isinstance(body, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004 (it is a value's fault, not ours)
    return body


def _without_answer(served: Served) -> dict[str, Any]:
    if served.reply is not None:
        return {}
    return {"unanswered": served.unanswered, "nearest": served.nearest}


def _compared(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, bool]:
    """Return whether a request begins like the one before it, and says that it belongs to it."""
    messages, earlier = now.get("messages", []), before.get("messages", [])
    return {
        "same_cache_id": now.get("cache_id") == before.get("cache_id"),
        "same_prefix": (
            now.get("system") == before.get("system")
            and now.get("tools") == before.get("tools")
            and bool(earlier)
            and messages[: len(earlier)] == earlier
        ),
    }


def _length(digits: str, base: int) -> int:
    length = int(digits.strip() or "0", base)
    if length < 0:  # `read` would take it for "all there is", and wait for the end
        raise ValueError(digits)
    return length


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away; stderr belongs to the report."""


class _Handler(BaseHTTPRequestHandler):
    model: ModelServer
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE_S
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's)
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._send(200, "application/json", b"")

    def do_GET(self) -> None:
        self._send(404, "application/json", b'{"type":"error","error":{"type":"not_found_error"}}')

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        try:
            raw, size = self._body()
        except ValueError:
            # nobody can tell where it ends, so no other request can follow it
            problem = "its Content-Length, or the length of a chunk, is no number of bytes"
            self._refuse(400, "invalid_request_error", {"path": path, "unanswered": problem})
            return
        if raw is None:
            problem = f"it has {size:,} bytes, more than {MOST_BYTES:,}"
            request = {"path": path, "bytes": size, "unanswered": problem}
            self._refuse(413, "request_too_large", request)
            return
        wire = format_of(path)
        if wire is None:
            self._miss(path)
            return
        reply, request, number = self.model.serve(path, wire, raw)
        wanted = self.model.wait_ms(reply.delay_ms)
        with self.model.telling(request):
            if wanted:
                written = wire.write(reply, request, number)
                self._send(
                    written.status, written.content_type, written.body, reply.drop_after_bytes
                )
            else:
                self._hang_up()

    def _refuse(self, status: int, error: str, request: dict[str, Any]) -> None:
        """Refuse a request whose body was not looked at, and end the connection."""
        request["reply"] = None
        self.model.keep(request)
        self.close_connection = True
        with self.model.telling(request):
            self._send(status, "application/json", b'{"error":{"type":"%b"}}' % error.encode())

    def _miss(self, path: str) -> None:
        """Answer a request to a path where there is no model."""
        if path.endswith("/count_tokens"):  # a question beside the one to the model
            self.do_GET()
            return
        problem = "no model that memassay can play is at that path"
        request = {"path": path, "reply": None, "unanswered": problem}
        self.model.keep(request)
        with self.model.telling(request):
            self.do_GET()

    def _body(self) -> tuple[bytes | None, int]:
        """Return the body and its size, or None and the size if it is too large to look at.

        Raises `ValueError` if a length is none.
        """
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self._chunked()
        left = size = _length(self.headers.get("Content-Length") or "0", 10)
        parts: list[bytes] = []
        while left:
            part = self.rfile.read(min(left, _CHUNK))
            if not part:
                break
            left -= len(part)
            if size <= MOST_BYTES:
                parts.append(part)
        return (b"".join(parts) if size <= MOST_BYTES else None), size

    def _chunked(self) -> tuple[bytes | None, int]:
        parts: list[bytes] = []
        size = 0
        while left := _length(self.rfile.readline().partition(b";")[0].decode("latin-1"), 16):
            size += left
            while left and (part := self.rfile.read(min(left, _CHUNK))):
                left -= len(part)
                if size <= MOST_BYTES:
                    parts.append(part)
            self.rfile.readline()
        self.rfile.readline()
        return (b"".join(parts) if size <= MOST_BYTES else None), size

    def _send(self, status: int, kind: str, body: bytes, drop_after: int | None = None) -> None:
        if drop_after == 0:
            self._hang_up()
            return
        with suppress(OSError):  # the client has gone, which is its right
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("request-id", "req_memassay")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body if drop_after is None else body[:drop_after])
            if drop_after is not None:
                self._hang_up()

    def _hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
