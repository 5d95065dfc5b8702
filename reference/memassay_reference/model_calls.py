"""Real calls of the model, through the `anthropic` SDK (extra `model` of this package).

What a caller gets is one of two values, an `Answer` or a `Failure`; no exception of the SDK leaves
this module. The SDK's habit of trying again is switched off: a selection that failed is over
(SEL-5), and a background task's failure is counted by its own rules (EXT-3, DRM-3).

Each call exists four times, as the SDK has it: sync and async, whole and streamed.
"""

from __future__ import annotations

import asyncio
import ssl
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    from anthropic import Anthropic, AsyncAnthropic
    from anthropic.types import Message

SHORT = {"type": "ephemeral"}
"""A cache marker of short retention (SEL-8, CCH-3)."""

TIME_LIMIT_S = 600.0
"""How long a call may take; the SDK's own default, said aloud."""


@frozen
class Answer:
    """What the model said: the blocks of its message, and why it ended."""

    blocks: tuple[Mapping[str, Any], ...]
    stop: str | None

    @property
    def text(self) -> str | None:
        """The words of the answer, or None if there are none."""
        texts = [block["text"] for block in self.blocks if block["type"] == "text"]
        return "".join(texts) if any(texts) else None

    @property
    def length_stop(self) -> bool:
        """Whether the answer was cut off by its limit of tokens."""
        return self.stop == "max_tokens"

    def calls(self) -> list[Mapping[str, Any]]:
        """Return the tools that the model calls."""
        return [block for block in self.blocks if block["type"] == "tool_use"]


@frozen
class Failure:
    """There is no answer: the API refused (`status`), the connection failed, or we stopped it."""

    why: str
    status: int | None = None
    aborted: bool = False


ABORTED = Failure("aborted", aborted=True)


def has_sdk() -> bool:
    """Return whether the SDK is installed."""
    return find_spec("anthropic") is not None


def client(base_url: str, api_key: str) -> Anthropic:
    """Return a client that asks once and no more."""
    from anthropic import Anthropic, DefaultHttpxClient  # noqa: PLC0415 (an extra, slow to import)

    http = DefaultHttpxClient(base_url=base_url, verify=_tls())
    return Anthropic(
        base_url=base_url, api_key=api_key, max_retries=0, timeout=TIME_LIMIT_S, http_client=http
    )


def async_client(base_url: str, api_key: str) -> AsyncAnthropic:
    """Return an asynchronous client that asks once and no more."""
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient  # noqa: PLC0415 (as above)

    http = DefaultAsyncHttpxClient(base_url=base_url, verify=_tls())
    return AsyncAnthropic(
        base_url=base_url, api_key=api_key, max_retries=0, timeout=TIME_LIMIT_S, http_client=http
    )


@cache
def _tls() -> ssl.SSLContext:
    """Return the certificates that are trusted; reading them takes longer than a call."""
    return ssl.create_default_context()


def ask(model: Anthropic, body: Mapping[str, Any]) -> Answer | Failure:
    """Ask and wait for the whole answer. `body` is a request of the Messages API."""
    try:
        return _answer(model.messages.create(**body))
    except Exception as error:  # noqa: BLE001 (see `_failure`, which raises what is not the API's)
        return _failure(error)


def ask_streamed(model: Anthropic, body: Mapping[str, Any]) -> Answer | Failure:
    """Ask and take the answer as it is written."""
    try:
        with model.messages.stream(**body) as stream:
            return _answer(stream.get_final_message())
    except Exception as error:  # noqa: BLE001 (as in `ask`)
        return _failure(error)


async def ask_async(model: AsyncAnthropic, body: Mapping[str, Any]) -> Answer | Failure:
    """Ask and await the whole answer."""
    try:
        return _answer(await model.messages.create(**body))
    except Exception as error:  # noqa: BLE001 (as in `ask`)
        return _failure(error)


async def ask_async_streamed(model: AsyncAnthropic, body: Mapping[str, Any]) -> Answer | Failure:
    """Ask and await the answer as it is written."""
    try:
        async with model.messages.stream(**body) as stream:
            return _answer(await stream.get_final_message())
    except Exception as error:  # noqa: BLE001 (as in `ask`)
        return _failure(error)


async def until(
    asking: Awaitable[Answer | Failure], abort_after_ms: int | None
) -> Answer | Failure:
    """Await an answer, but give it up after so long; the request is cancelled then."""
    if abort_after_ms is None:
        return await asking
    try:
        async with asyncio.timeout(abort_after_ms / 1000):
            return await asking
    except TimeoutError:
        return ABORTED


def _answer(message: Message) -> Answer:
    if not hasattr(message, "content"):
        raise TypeError("the API answered with something that is no message")
    blocks = (block.model_dump(exclude_none=True) for block in message.content)
    return Answer(tuple(blocks), message.stop_reason)


def _failure(error: Exception) -> Failure:
    """Return what a failed call comes to; raise again what is a mistake of ours."""
    from anthropic import AnthropicError, APIStatusError  # noqa: PLC0415 (as above)
    from httpx2 import HTTPError  # noqa: PLC0415 (as above)

    if isinstance(error, APIStatusError):
        return Failure(str(error), error.status_code)
    # A connection that breaks in the middle of a stream, and a body that is no message, come
    # through the SDK as they are.
    if isinstance(error, (AnthropicError, HTTPError, ValueError)) or "no message" in str(error):
        return Failure(f"{type(error).__name__}: {error}")
    raise error
