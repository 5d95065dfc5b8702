"""Which recorded or scripted answer a request gets, and what is said of one that gets none."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from memassay.replay.reply import Reply, reply_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMPARED = (
    "form", "schema", "tool_choice", "tools", "max_tokens", "model", "stream", "system", "messages",
)  # fmt: skip
"""What of two requests is compared to say how near they are, the telling things first."""


@frozen
class Exchange:
    """An answer, and the normal form of the request that got it when it was recorded.

    A script has only answers, perhaps with words (`to`) that a request must hold to get one.
    """

    reply: Reply
    request: Mapping[str, Any] | None = None
    to: str = ""


@frozen
class Served:
    """What a request gets: an answer and its number, or why there is none and what comes nearest.

    `nearest` is `{interaction, differs}`: a recorded request and where the two part.
    """

    reply: Reply | None
    index: int | None = None
    unanswered: str | None = None
    nearest: Mapping[str, Any] | None = None


@define
class Playback:
    """Answers requests in the order of a recording or a script.

    Implementations word their prompts differently, so words are left to the judge. A recorded
    answer goes to the next request of the same form (native structured output, forced tool, tools,
    text); a script's answers go out one after another. Where the last answer is an error of the
    API, it stays: who tries again meets the same error.
    """

    exchanges: Sequence[Exchange]
    _played: set[int] = field(factory=set, init=False)
    _lock: Lock = field(factory=Lock, init=False, repr=False)

    def take(self, request: Mapping[str, Any]) -> Served:
        """Return what a request in normal form gets; every answer goes out once."""
        with self._lock:
            for index, exchange in enumerate(self.exchanges):
                if index not in self._played and _fits(exchange, request):
                    self._played.add(index)
                    return Served(exchange.reply, index)
            for exchange in self.exchanges[-1:]:
                if exchange.reply.refuses and _fits(exchange, request):
                    return Served(exchange.reply, len(self.exchanges) - 1)
            return self._unanswered(request)

    def _unanswered(self, request: Mapping[str, Any]) -> Served:
        left = [index for index in range(len(self.exchanges)) if index not in self._played]
        why = (
            f"the recording has no answer left for a request of the form {request['form']}"
            if left
            else f"all {len(self.exchanges)} recorded answers were given before"
        )
        known = [
            (index, exchange.request)
            for index, exchange in enumerate(self.exchanges)
            if exchange.request is not None
        ]
        return Served(None, unanswered=why, nearest=nearest(request, known))


def _fits(exchange: Exchange, request: Mapping[str, Any]) -> bool:
    if exchange.request is None:
        return exchange.to in request["text"]
    return exchange.request["form"] == request["form"]


def nearest(
    request: Mapping[str, Any], known: Sequence[tuple[int, Mapping[str, Any]]]
) -> dict[str, Any] | None:
    """Return the number of the recorded request that differs least, and where it differs."""
    best: dict[str, Any] | None = None
    for index, other in known:
        differs = [name for name in COMPARED if request.get(name) != other.get(name)]
        if best is None or len(differs) < len(best["differs"]):
            best = {"interaction": index, "differs": differs}
    return best


def playback_of(model: Mapping[str, Any]) -> Playback:
    """Return what a case's `model:` plays, its builders built.

    Raises `CassetteError` if it names a cassette that cannot be played.
    """
    if "cassette" in model:
        from memassay.replay.cassette import stored  # noqa: PLC0415 (scripts need no YAML)

        return Playback(stored(model["cassette"]).exchanges)
    return Playback([Exchange(reply_of(raw), to=raw.get("to", "")) for raw in model["replies"]])
