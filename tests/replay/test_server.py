import contextlib
import http.client
import json
import socket
import threading
import time

import pytest

from memassay.replay.playback import playback_of
from memassay.replay.server import MOST_BYTES, ModelServer
from tests.replay.asking import NATIVE, ask, body, post


@pytest.fixture
def serve():
    servers = []

    def start(*replies, **more):
        servers.append(ModelServer(playback_of({"replies": list(replies)}), **more))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def test_an_answer_and_the_request_that_got_it(serve):
    server = serve({"text": "hi"})
    status, message = ask(server.url, **NATIVE)
    assert (status, message["content"]) == (200, [{"type": "text", "text": "hi"}])
    (request,) = server.requests()
    assert (request["path"], request["form"], request["reply"]) == ("/v1/messages", "native", 0)
    assert "unanswered" not in request


def test_any_prefix_of_the_path_will_do(serve):
    server = serve({"text": "hi"})
    assert ask(server.url, "/proxy/v1/messages?beta=true")[0] == 200
    assert server.requests()[0]["path"] == "/proxy/v1/messages"


def test_who_asks_too_often_is_told_and_noted(serve):
    server = serve({"text": "hi"})
    ask(server.url)
    status, error = ask(server.url)
    assert status == 404
    assert "all 1 recorded answers were given" in error["error"]["message"]
    first, second = server.requests()
    assert (first["reply"], second["reply"]) == (0, None)
    assert "all 1" in second["unanswered"]


def test_errors_of_the_api(serve):
    server = serve({"status": 529})
    assert ask(server.url)[0] == 529
    assert ask(server.url)[1]["error"]["type"] == "overloaded_error"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"7", b"\xff"])
def test_a_body_that_is_no_object(serve, data):
    server = serve({"text": "hi"})
    assert post(server.url, data)[0] == 400
    assert server.requests()[0]["unanswered"] == "it is no JSON object"
    assert ask(server.url)[0] == 200  # and the answer is still there


def test_a_body_that_is_too_deep_to_judge(serve):
    server = serve({"text": "hi"})
    assert post(server.url, b'{"a":' + b"[" * 900 + b"]" * 900 + b"}")[0] == 400
    assert server.requests()[0]["unanswered"] == "it is nested more than 100 deep"


@pytest.mark.parametrize("size", [MOST_BYTES + 1, 50_000_000])
def test_a_huge_request_is_not_looked_at(serve, size):
    server = serve({"text": "hi"})
    assert post(server.url, b"x" * size)[0] == 413
    (request,) = server.requests()
    assert (request["bytes"], request["reply"]) == (size, None)
    assert f"{size:,} bytes" in request["unanswered"]


def test_a_request_of_the_largest_size_is_looked_at(serve):
    server = serve({"text": "hi"})
    empty = len(json.dumps(body(system="")))
    assert post(server.url, body(system="x" * (MOST_BYTES - empty)))[0] == 200


def test_chunked_requests(serve):
    server = serve({"text": "hi"})
    data = json.dumps(body()).encode()
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=20)
    connection.request(
        "POST", "/v1/messages", iter([data[:7], data[7:]]), encode_chunked=True,
        headers={"Transfer-Encoding": "chunked"},
    )  # fmt: skip
    assert connection.getresponse().status == 200
    connection.close()
    assert server.requests()[0]["model"] == "m"


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: -1",
        b"Content-Length: many",
        b"Transfer-Encoding: chunked\r\n\r\nmany",
        b"Transfer-Encoding: CHUNKED\r\n\r\n-5",
    ],
)
def test_a_request_without_an_end_is_refused_at_once_and_noted(serve, head):
    server = serve({"text": "hi"})
    place = server.url.removeprefix("http://").split(":")
    with socket.create_connection((place[0], int(place[1])), 20) as asking:
        asking.sendall(b"POST /v1/messages HTTP/1.1\r\n" + head + b"\r\n\r\n")
        assert asking.recv(100).startswith(b"HTTP/1.1 400 ")
    (request,) = server.requests()
    assert "is no number of bytes" in request["unanswered"]
    assert ask(server.url)[0] == 200  # and the answer is still there


def test_a_server_that_is_closed_twice_is_closed(serve):
    server = serve({"text": "hi"})
    server.close()
    server.close()
    with pytest.raises(OSError, match="refused"):
        ask(server.url)


def test_other_paths_and_methods(serve):
    server = serve({"text": "hi"})
    assert post(server.url, {}, "/v1/models", "GET")[0] == 404
    assert post(server.url, {}, "/v1/messages/count_tokens")[0] == 404
    assert server.requests() == []
    assert post(server.url, {}, "/v1/complete")[0] == 404
    (request,) = server.requests()
    assert request["unanswered"] == "no model that memassay can play is at that path"


def test_the_connection_is_cut_before_the_answer(serve):
    server = serve({"text": "hi", "drop_after_bytes": 0})
    with pytest.raises((http.client.HTTPException, OSError)):
        post(server.url, body())
    assert server.requests()[0]["reply"] == 0


def test_the_connection_is_cut_in_the_answer(serve):
    server = serve({"text": "hi", "drop_after_bytes": 10})
    with pytest.raises(http.client.IncompleteRead) as caught:
        post(server.url, body())
    assert len(caught.value.partial) == 10


def test_a_client_that_goes_away_disturbs_nobody(serve):
    server = serve({"text": "hi"}, {"text": "you"})
    place = server.url.removeprefix("http://").split(":")
    with socket.create_connection((place[0], int(place[1]))) as half:
        half.sendall(b"POST /v1/messages HTTP/1.1\r\nContent-Length: 999\r\n\r\n{")
    assert ask(server.url)[0] == 200


def test_an_answer_that_is_held_back_does_not_hold_the_server_back(serve):
    server = serve({"text": "late", "delay_ms": 60_000}, {"text": "soon"})
    asking = threading.Thread(target=_ask_and_forget, args=(server.url,), daemon=True)
    asking.start()
    while not server.requests():
        time.sleep(0.01)
    assert ask(server.url)[1]["content"][0]["text"] == "soon"
    server.close()
    asking.join(20)
    assert not asking.is_alive()


def _ask_and_forget(url):
    with contextlib.suppress(OSError, http.client.HTTPException):
        ask(url)


def test_requests_are_compared_with_the_one_before(serve):
    server = serve({"text": "a"}, {"text": "b"}, {"text": "c"})
    said = body()["messages"]
    more = [*said, {"role": "assistant", "content": "a"}, {"role": "user", "content": "and now"}]
    ask(server.url, metadata={"user_id": "s"})
    ask(server.url, metadata={"user_id": "s"}, messages=more)
    ask(server.url, metadata={"user_id": "t"}, messages=more, system="other")
    kept = [(r.get("same_prefix"), r.get("same_cache_id")) for r in server.requests()]
    assert kept == [(None, None), (True, True), (False, False)]


def test_listeners_are_told_of_every_answer_in_the_order_of_asking(serve):
    heard = []

    def slow_at_first(request):
        time.sleep(0 if heard else 0.2)
        heard.append(request["path"])

    server = serve({"text": "a"}, on_answer=slow_at_first)
    ask(server.url)
    post(server.url, {}, "/v1/complete")
    for _ in range(500):
        if len(heard) == 2:
            break
        time.sleep(0.01)
    assert heard == ["/v1/messages", "/v1/complete"]


def test_pings_of_the_connection(serve):
    assert post(serve().url, b"", "/", "HEAD") == (200, b"")
