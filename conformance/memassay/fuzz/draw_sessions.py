"""Random sessions for the op caching: a MEMORY.md that changes, and requests that may carry it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from memassay.fuzz.drawn import Drawn

if TYPE_CHECKING:
    Draw = st.DrawFn

_INDEXES = st.sampled_from(
    ["- [a](a.md) — one", "- [a](a.md) — two", "- [a](a.md) — one\n", "\n", "", "x\u200b",
     "<!-- c -->", "<!-- c -->x", "---\na: 1\n---\nx", "<system-reminder>", "- l\n" * 201]
)  # fmt: skip
_CHANGES = st.builds(
    lambda kind, text: {"type": kind, "text": text}, st.sampled_from(["edit", "write"]), _INDEXES
)
_EVENTS = st.one_of(
    st.sampled_from(["request", "request", "compact", "clear", "resume"]).map(
        lambda kind: {"type": kind}
    ),
    _CHANGES,
)


@st.composite
def cachings(draw: Draw) -> Drawn:
    """Draw a session of a few events that begins and ends with a request.

    It begins so because what has not begun can be neither compacted nor resumed.
    """
    request: dict[str, Any] = {"type": "request"}
    between = draw(st.lists(_EVENTS, min_size=1, max_size=6))
    return Drawn({"index": draw(_INDEXES), "events": [request, *between, request]})
