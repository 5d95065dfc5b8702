"""Wire formats: how a request is read, whatever vendor's it is, and how an answer is written.

The judge knows one shape of a request, the *normal* one, and a model's answer is one `Reply`. Each
vendor's API is a `WireFormat` between the two. To have another one, write a class of that shape and
name an instance in the entry point group `memassay.wire_formats` of your own distribution:

    [project.entry-points."memassay.wire_formats"]
    my-vendor = "my_package.wire:FORMAT"
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.replay.reply import Reply, Written

GROUP = "memassay.wire_formats"
"""The entry point group of formats that others bring."""


class WireFormat(Protocol):
    """One vendor's HTTP API for models."""

    name: str
    """What the normal request calls it."""

    def takes(self, path: str) -> bool:
        """Return whether a POST to `path` (no query) is a request to the model."""
        ...

    def read(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the normal form of a request.

        `model`, `max_tokens`, `stream`; `form` (`native` for structured output, `tool` for a forced
        tool, `tools` for several on offer, `text`); `schema` (compact JSON text in the order sent,
        or null), `tools` (names), `tool_choice` (a name or null); `system` (text); `messages`, each
        `{role, text, blocks}`; `cached`, each `{at, ttl}`; `cache_id` (text or null); `text`, all
        words in it.
        """
        ...

    def write(self, reply: Reply, request: Mapping[str, Any], number: int) -> Written:
        """Return `reply` to the normal request `request`, streamed if that asks for a stream.

        `number` counts the answers of a server from 1; ids are made of it.
        """
        ...


@cache
def wire_formats() -> tuple[WireFormat, ...]:
    """Return every format there is: our own, then those that others bring."""
    from importlib.metadata import entry_points  # noqa: PLC0415 (slow, and seldom needed)

    from memassay.replay.chat_completions import ChatCompletions  # noqa: PLC0415 (reads this module)
    from memassay.replay.messages_api import MessagesApi  # noqa: PLC0415 (as above)

    others = (point.load() for point in entry_points(group=GROUP))
    return (MessagesApi(), ChatCompletions(), *others)


def format_of(path: str) -> WireFormat | None:
    """Return the format whose requests go to `path`, or None."""
    return next((known for known in wire_formats() if known.takes(path)), None)
