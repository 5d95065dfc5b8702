"""Real calls through the SDK, to a model that the runner plays."""

import asyncio

import pytest

from memassay.replay.playback import playback_of
from memassay.replay.server import API_KEY, ModelServer
from memassay_reference import model_calls
from memassay_reference.model_calls import ABORTED, Answer, Failure

BODY = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hello"}]}


def sync(asking):
    def call(url):
        with model_calls.client(url, API_KEY) as client:
            return asking(client, BODY)

    return call


def awaited(asking):
    async def go(url):
        async with model_calls.async_client(url, API_KEY) as client:
            return await asking(client, BODY)

    return lambda url: asyncio.run(go(url))


WAYS = {
    "whole": sync(model_calls.ask),
    "streamed": sync(model_calls.ask_streamed),
    "async": awaited(model_calls.ask_async),
    "async-streamed": awaited(model_calls.ask_async_streamed),
}


@pytest.fixture(params=WAYS)
def ask(request):
    def call(*replies):
        with ModelServer(playback_of({"replies": list(replies)})) as server:
            answer = WAYS[request.param](server.url)
            return answer, server.requests()

    return call


def test_an_answer(ask):
    answer, (request,) = ask({"text": "hi", "calls": [{"name": "read", "input": {"path": "a"}}]})
    assert isinstance(answer, Answer)
    assert (answer.text, answer.stop, answer.length_stop) == ("hi", "tool_use", False)
    assert [(call["name"], call["input"]) for call in answer.calls()] == [("read", {"path": "a"})]
    assert request["reply"] == 0


def test_the_end_by_length(ask):
    answer, _ = ask({"text": "h", "stop": "max_tokens"})
    assert answer.length_stop


def test_no_text(ask):
    assert ask({"text": ""})[0].text is None
    assert ask({})[0].text is None


@pytest.mark.parametrize("status", [400, 401, 429, 500, 529])
def test_a_refusal_is_not_tried_again(ask, status):
    answer, requests = ask({"status": status}, {"text": "a second try"})
    assert (answer.status, answer.aborted, len(requests)) == (status, False, 1)


@pytest.mark.parametrize("after", [0, 20])
def test_a_cut_connection_is_not_tried_again(ask, after):
    answer, requests = ask({"text": "hi", "drop_after_bytes": after}, {"text": "a second try"})
    assert isinstance(answer, Failure)
    assert (answer.status, len(requests)) == (None, 1)


def test_an_error_in_midstream(ask):
    answer, _ = ask({"text": "hi", "fails_midstream": True})
    assert isinstance(answer, Failure)


def test_an_abort_ends_the_call():
    async def go(url):
        async with model_calls.async_client(url, API_KEY) as client:
            return await model_calls.until(model_calls.ask_async(client, BODY), 50)

    with ModelServer(playback_of({"replies": [{"text": "hi", "delay_ms": 60_000}]})) as server:
        assert asyncio.run(go(server.url)) == ABORTED


def test_our_own_mistakes_are_raised():
    with (
        ModelServer(playback_of({"replies": []})) as server,
        model_calls.client(server.url, API_KEY) as client,
        pytest.raises(TypeError),
    ):
        model_calls.ask(client, {"model": "m"})
