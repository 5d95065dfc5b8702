import json

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from memassay.replay.messages_api import MessagesApi, recorded_reply
from memassay.replay.reply import Reply, Written
from tests.replay.asking import NATIVE, SCHEMA, TOOL, body

API = MessagesApi()
CALL = {"type": "tool_use", "id": "t", "name": "pick", "input": {"a": ["b"]}}


def text_block(text):
    return {"type": "text", "text": text}


def test_a_plain_request():
    request = API.read(body(system="be kind"))
    assert request == {
        "model": "m",
        "max_tokens": 512,
        "stream": False,
        "form": "text",
        "schema": None,
        "tools": [],
        "tool_choice": None,
        "system": "be kind",
        "messages": [
            {"role": "user", "text": "hello there", "blocks": [text_block("hello there")]}
        ],
        "cached": [],
        "cache_id": None,
        "text": "be kind\nhello there",
    }


def test_a_schema_is_told_in_the_order_in_which_it_was_sent():
    text = '{"type":"object","properties":{},"additionalProperties":false}'
    assert API.read(body(**NATIVE))["schema"] == text
    turned = dict(reversed(SCHEMA.items()))
    other = {"output_config": {"format": {"type": "json_schema", "schema": turned}}}
    assert API.read(body(**other))["schema"] != text


@pytest.mark.parametrize(
    ("more", "form"),
    [
        ({}, "text"),
        (NATIVE, "native"),
        ({"output_format": {"type": "json_schema", "schema": SCHEMA}}, "native"),
        (TOOL, "tool"),
        ({**TOOL, "tool_choice": {"type": "any"}}, "tool"),
        ({"tools": TOOL["tools"]}, "tools"),
        ({"tools": [*TOOL["tools"], {"name": "x"}], "tool_choice": {"type": "auto"}}, "tools"),
    ],
)
def test_forms(more, form):
    assert API.read(body(**more))["form"] == form


def test_cache_markers_and_their_time():
    short, long = {"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}
    request = API.read(
        body(
            system=[{**text_block("a"), "cache_control": short}],
            messages=[{"role": "user", "content": [{**text_block("b"), "cache_control": long}]}],
            metadata={"user_id": "s-1"},
        )
    )
    assert request["cached"] == [
        {"at": "system[0]", "ttl": "5m"},
        {"at": "messages[0].blocks[0]", "ttl": "1h"},
    ]
    assert request["cache_id"] == "s-1"
    assert request["messages"][0]["blocks"] == [text_block("b")]


def test_results_and_signatures_are_kept():
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "tool_result", "tool_use_id": "t", "content": [text_block("x")], "is_error": True},
    ]
    message = API.read(body(messages=[{"role": "assistant", "content": blocks}]))["messages"][0]
    assert message["blocks"] == [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "tool_result", "text": "x", "is_error": True},
    ]


@pytest.mark.parametrize("wrong", [None, 7, "x", [], {"a": 1}, [1, None]])
@pytest.mark.parametrize(
    "key", ["messages", "system", "tools", "tool_choice", "output_config", "metadata"]
)
def test_nonsense_in_a_request_is_read_and_not_refused(key, wrong):
    assert set(API.read(body(**{key: wrong}))) == set(API.read(body()))


def test_errors():
    written = API.write(
        Reply(status=429, error="rate_limit_error", message="slow"), API.read(body()), 1
    )
    assert (written.status, written.content_type) == (429, "application/json")
    assert json.loads(written.body) == {
        "type": "error",
        "error": {"type": "rate_limit_error", "message": "slow"},
    }


def test_an_error_in_midstream_is_529_for_who_does_not_stream():
    reply = Reply((text_block("a"),), error="overloaded_error", fails_midstream=True)
    assert API.write(reply, API.read(body()), 1).status == 529
    streamed = API.write(reply, API.read(body(stream=True)), 1)
    assert streamed.status == 200
    assert b'"text": "a"' in streamed.body
    assert b"event: error" in streamed.body
    assert b"message_stop" not in streamed.body


blocks = st.lists(
    st.one_of(
        st.text().map(text_block),
        st.dictionaries(st.text(), st.text()).map(lambda given_: {**CALL, "input": given_}),
    ),
    max_size=4,
)


@given(blocks, st.booleans(), st.sampled_from(["end_turn", "max_tokens", "tool_use"]))
def test_what_is_written_can_be_read_again_in_either_form(said, stream, stop):
    request = API.read(body(stream=stream))
    written = API.write(Reply(tuple(said), stop), request, 1)
    assert written.stream == stream
    reply = recorded_reply(written)
    assert reply.stop == stop
    assert [{**b, "id": 0} for b in reply.blocks] == [{**b, "id": 0} for b in said]


def test_only_line_feeds_end_the_lines_of_a_recording():
    words = "one\u2028two\x85three\x0bfour"
    recorded = API.write(Reply((text_block("WORDS"),)), API.read(body(stream=True)), 1)
    said = evolve(recorded, body=recorded.body.replace(b"WORDS", words.encode()))
    assert recorded_reply(evolve(said, body=said.body.replace(b"\x0b", b"\\u000b"))).blocks == (
        text_block(words),
    )
    crlf = evolve(recorded, body=recorded.body.replace(b"\n", b"\r\n"))
    assert recorded_reply(crlf).blocks == (text_block("WORDS"),)


def test_a_recording_is_sent_as_it_is_or_written_anew():
    recorded = API.write(Reply((text_block("a"),)), API.read(body(stream=True)), 1)
    reply = recorded_reply(recorded)
    assert API.write(reply, API.read(body(stream=True)), 2) is recorded
    other = API.write(reply, API.read(body()), 2)
    assert json.loads(other.body)["content"] == [text_block("a")]


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"x"])
def test_what_is_no_answer_is_refused(data):
    with pytest.raises((ValueError, TypeError)):
        recorded_reply(Written(200, "application/json", data))
