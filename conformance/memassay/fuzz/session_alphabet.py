"""What random session scripts are made of: words, files, settings, pauses, near every limit."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

DAY_MS = 86_400_000
THROTTLE_MS = 600_000
MEMORY_DIR = "/m"
FILES = tuple(f"t{number:02}.md" for number in range(20))
RETURNS = ("normal", "api_error", "max_turns")
FAILURES = ("exception", "aborted", "invalidated")

PAUSES_MS = st.sampled_from(
    [1, 2, 10, 1999, 2000, 2001, 59_999, 60_000, 60_001, 599_999, 600_001, DAY_MS - 1, DAY_MS]
)
WORDS = (
    "ok",
    "port 8080",
    "port is 8080",
    "请 记住 端口",
    "请记住端口",
    "a\u00a0b\ufeffc",
    " a  b ",
)
BLOCKS = st.lists(
    st.sampled_from(
        [
            {"type": "text", "text": "port is 8080"},
            {"type": "text", "text": "port is"},
            {"type": "text", "text": "port"},
            {"type": "image"},
        ]
    ),
    min_size=1,
    max_size=2,
)
CONTENTS = st.sampled_from(WORDS) | st.just("please remember the port") | BLOCKS
PATHS = st.sampled_from(
    [*(f"{MEMORY_DIR}/{file}" for file in FILES[:4]), "../m/t00.md", "/memory/t00.md", "t00.md"]
)
ALWAYS = st.sampled_from([True])
TOOLS = st.fixed_dictionaries(
    {"tool": st.sampled_from(["read", "write", "edit"]), "path": PATHS},
    optional={"failed": ALWAYS, "truncated": ALWAYS, "offset": st.just(2)},
)
MOSTLY = st.sampled_from([True, True, True, False])


def session_file(number: int, updated_ms: int) -> dict[str, Any]:
    """Return another session's file."""
    header = {"type": "session", "id": f"{number:08d}-0000-4000-8000-000000000000"}
    return {"file": f"s{number}.jsonl", "header": header, "updated_ms": updated_ms}


SESSIONS = st.lists(
    st.sampled_from([-1000, -1000, -1000, -DAY_MS - 500]), min_size=3, max_size=8
).map(lambda times: [session_file(number, at_ms) for number, at_ms in enumerate(times)])
CONFIGS = st.fixed_dictionaries(
    {
        "selector": MOSTLY,
        "extraction": MOSTLY,
        "dream": MOSTLY,
        "last_attempt_ms": st.sampled_from([-2 * DAY_MS, -DAY_MS, 1 - DAY_MS, -1]),
        "sessions": SESSIONS,
    }
)
SIZES = st.lists(st.sampled_from([0, 1, 500, 4000, 4096]), min_size=1, max_size=len(FILES))


def topic(number: int, units: int) -> dict[str, Any]:
    """Return a topic file of so many units, in lines short enough for the window of one file."""
    line = "x" * 63 + "\n"
    text = (line * (units // len(line) + 1))[:units]
    return {"file": FILES[number], "text": text, "mtime_ms": -1000 * (number + 1)}
