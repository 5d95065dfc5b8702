"""What a model says to one request, before it is written in anybody's wire format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OVERLOADED = 529
"""The status by which the Messages API says that it is overloaded."""

_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    OVERLOADED: "overloaded_error",
}


@frozen
class Written:
    """An answer as it goes over the wire. `stream` is whether it is server-sent events."""

    status: int
    content_type: str
    body: bytes = field(repr=False)
    stream: bool = False


@frozen
class Reply:
    """One answer of the model, or an error of the API.

    `blocks` are the content of the message (`{type: text, text}`, `{type: tool_use, name, input}`),
    `stop` why it ends. With `status` of 400 and more the API refuses; with `fails_midstream` the
    answer begins and ends in the error. `delay_ms` and `drop_after_bytes` are how it is sent:
    later, or cut off. `recorded` is the answer as it was recorded; it is sent as it is whenever the
    request asks for the same form, streamed or not.
    """

    blocks: Sequence[Mapping[str, Any]] = ()
    stop: str = "end_turn"
    status: int = 200
    error: str | None = None
    message: str = ""
    fails_midstream: bool = False
    delay_ms: int = 0
    drop_after_bytes: int | None = None
    recorded: Written | None = None

    @property
    def refuses(self) -> bool:
        """Whether this is an error of the API and no answer of the model."""
        return self.status >= 400 or self.fails_midstream  # noqa: PLR2004 (HTTP's first error)


def reply_of(raw: Mapping[str, Any]) -> Reply:
    """Return the reply that a case writes under `model: {replies: […]}`, its builders built."""
    blocks: list[dict[str, Any]] = []
    if "text" in raw:
        blocks.append({"type": "text", "text": raw["text"]})
    for number, call in enumerate(raw.get("calls", ()), 1):
        tool = {"type": "tool_use", "id": f"toolu_{number}", **call}
        blocks.append(tool)
    status = raw.get("status", 200)
    fails = raw.get("fails_midstream", False)
    failure = OVERLOADED if fails and status < 400 else status  # noqa: PLR2004 (as above)
    return Reply(
        blocks=tuple(blocks),
        stop=raw.get("stop", "tool_use" if "calls" in raw else "end_turn"),
        status=status,
        error=raw.get("error", _ERRORS.get(failure, "api_error")) if failure != 200 else None,  # noqa: PLR2004
        message=raw.get("message", "as the script says"),
        fails_midstream=fails,
        delay_ms=raw.get("delay_ms", 0),
        drop_after_bytes=raw.get("drop_after_bytes"),
    )


def refusal(status: int, words: str) -> Reply:
    """Return an error that the API would answer with."""
    return Reply(status=status, error=_ERRORS.get(status, "api_error"), message=words)
