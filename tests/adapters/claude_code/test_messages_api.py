import http.client
import json

import pytest
from memassay_claude_code.messages_api import InTurn, MessagesApi, Refuse, Say, ToolCall, UseTools

TOOLS = [{"name": "Read"}]


@pytest.fixture
def api():
    with MessagesApi() as running:
        yield running


def ask(api, method, path, body=None):
    connection = http.client.HTTPConnection(api.url.removeprefix("http://"))
    connection.request(method, path, None if body is None else json.dumps(body))
    response = connection.getresponse()
    data = response.read().decode()
    connection.close()
    return response.status, data


def events(data):
    return [json.loads(line[6:]) for line in data.splitlines() if line.startswith("data: ")]


def test_whole_answer(api):
    api.play(InTurn([Say("good day")]))
    status, data = ask(api, "POST", "/v1/messages", {"model": "m", "tools": TOOLS})
    message = json.loads(data)
    assert status == 200
    assert message["content"] == [{"type": "text", "text": "good day"}]
    assert (message["model"], message["stop_reason"]) == ("m", "end_turn")


def test_streamed_answer_has_the_events_of_the_documented_stream_in_order(api):
    api.play(InTurn([UseTools((ToolCall("t1", "Read", {"file_path": "/x"}),))]))
    _, data = ask(api, "POST", "/v1/messages?beta=true", {"stream": True, "tools": TOOLS})
    seen = events(data)
    assert [event["type"] for event in seen] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert seen[0]["message"]["content"] == []
    assert json.loads(seen[2]["delta"]["partial_json"]) == {"file_path": "/x"}
    assert seen[4]["delta"]["stop_reason"] == "tool_use"


def test_replies_come_in_turn_and_then_the_turn_ends(api):
    api.play(InTurn([Say("one"), Say("two")]))
    said = [
        json.loads(ask(api, "POST", "/v1/messages", {"tools": TOOLS})[1])["content"][0]["text"]
        for _ in range(3)
    ]
    assert said == ["one", "two", "OK"]


def test_a_refusal_is_an_error_of_the_api(api):
    api.play(InTurn([Refuse(529, "overloaded_error", "later")]))
    status, data = ask(api, "POST", "/v1/messages", {"tools": TOOLS, "stream": True})
    assert status == 529
    assert json.loads(data)["error"] == {"type": "overloaded_error", "message": "later"}


def test_a_sub_request_does_not_take_a_reply_of_the_script(api):
    api.play(InTurn([Say("for the conversation")]))
    ask(api, "POST", "/v1/messages", {"messages": [{"role": "user", "content": "title?"}]})
    _, data = ask(api, "POST", "/v1/messages", {"tools": TOOLS})
    assert json.loads(data)["content"][0]["text"] == "for the conversation"
    assert len(api.requests()) == len(api.sub_requests()) == 1


def test_play_forgets_earlier_requests(api):
    ask(api, "POST", "/v1/messages", {"tools": TOOLS})
    api.play(InTurn([]))
    assert api.requests() == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("HEAD", "/", None, 200),
        ("GET", "/v1/models", None, 404),
        ("POST", "/v1/elsewhere", {}, 404),
        ("POST", "/v1/messages", [], 400),
        ("POST", "/v1/messages", None, 400),
        ("POST", "/v1/messages/count_tokens", {"messages": []}, 200),
    ],
)
def test_everything_else(api, method, path, body, status):
    assert ask(api, method, path, body)[0] == status
    assert api.requests() == []
