import json

import pytest

from memassay.replay.chat_completions import ChatCompletions
from memassay.replay.formats import GROUP, format_of, wire_formats
from memassay.replay.reply import Reply
from tests.replay.asking import SCHEMA

API = ChatCompletions()
MESSAGES = [{"role": "system", "content": "be kind"}, {"role": "user", "content": "hello there"}]


def body(**more):
    return {"model": "m", "max_completion_tokens": 512, "messages": MESSAGES, **more}


def test_the_normal_form_is_that_of_the_messages_api():
    request = API.read(body(prompt_cache_key="s-1"))
    assert (request["system"], request["max_tokens"], request["form"]) == ("be kind", 512, "text")
    assert [message["text"] for message in request["messages"]] == ["hello there"]
    assert (request["cache_id"], request["text"]) == ("s-1", "be kind\nhello there")


def test_structured_output_and_forced_tool():
    schema = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}
    native = API.read(body(response_format=schema))
    tool = API.read(
        body(
            tools=[{"type": "function", "function": {"name": "pick", "parameters": SCHEMA}}],
            tool_choice={"type": "function", "function": {"name": "pick"}},
        )
    )
    assert (native["form"], tool["form"]) == ("native", "tool")
    assert native["schema"] == tool["schema"] is not None
    assert (tool["tools"], tool["tool_choice"]) == (["pick"], "pick")


@pytest.mark.parametrize("stream", [False, True])
def test_answers(stream):
    reply = Reply(
        ({"type": "text", "text": "a"}, {"type": "tool_use", "name": "pick", "input": {"b": 1}}),
        "tool_use",
    )
    written = API.write(reply, API.read(body(stream=stream)), 1)
    assert written.stream == stream
    if stream:
        lines = written.body.decode().split("\n\n")
        assert lines[2:] == ["data: [DONE]", ""]
        choice = json.loads(lines[0].removeprefix("data: "))["choices"][0]["delta"]
    else:
        choice = json.loads(written.body)["choices"][0]["message"]
    assert choice["content"] == "a"
    assert choice["tool_calls"][0]["function"] == {"name": "pick", "arguments": '{"b":1}'}


def test_stops_and_errors():
    cut = API.write(Reply(({"type": "text", "text": "a"},), "max_tokens"), API.read(body()), 1)
    assert json.loads(cut.body)["choices"][0]["finish_reason"] == "length"
    assert API.write(Reply(status=500, error="api_error"), API.read(body()), 1).status == 500
    failing = Reply(error="overloaded_error", fails_midstream=True)
    assert API.write(failing, API.read(body()), 1).status == 529
    assert b"[DONE]" not in API.write(failing, API.read(body(stream=True)), 1).body


def test_formats_are_found_by_their_path():
    assert format_of("/v1/messages").name == "messages"
    assert format_of("/openai/v1/chat/completions").name == "chat-completions"
    assert format_of("/v1/complete") is None


def test_others_may_bring_formats(monkeypatch):
    class Theirs(ChatCompletions):
        name = "theirs"

        def takes(self, path):
            return path == "/ask"

    class Point:
        @staticmethod
        def load():
            return Theirs()

    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda *, group: [Point()] if group == GROUP else []
    )
    wire_formats.cache_clear()
    try:
        assert format_of("/ask").name == "theirs"
    finally:
        wire_formats.cache_clear()
