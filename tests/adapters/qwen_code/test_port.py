"""The way from our ops to the port's functions and back, shown on a small port of our own."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from tests.adapters.conversation import finish, needs_node

pytestmark = needs_node

HERE = Path(__file__).parent
DAY_MS = 86_400_000


def ask(*requests: tuple[str, dict]) -> list[dict]:
    lines = "\n".join(json.dumps({"op": op, "args": args}) for op, args in requests)
    code, stdout, stderr = finish(
        ["node", HERE / "ask.mjs", HERE / "fixtures" / "port.js"], lines.encode()
    )
    assert (code, stderr) == (0, "")
    return [json.loads(line) for line in stdout.splitlines()]


def one(op: str, **args) -> dict:
    return ask((op, args))[0]


@pytest.fixture
def memory(tmp_path):
    directory = tmp_path.resolve() / "project" / "memory"
    directory.mkdir(parents=True)
    return directory


def test_a_project_key_is_what_the_port_makes_of_the_path():
    assert one("project_key", path="/a/b") == {"key": "-a-b"}


def test_a_project_root_is_what_the_port_makes_a_key_of(tmp_path):
    real = tmp_path.resolve() / "real"
    real.mkdir()
    (real.parent / "link").symlink_to(real)
    # twice: neither the port's cache nor our working directory may answer the second time
    roots = ask(
        ("project_root", {"cwd": str(real.parent / "link")}),
        ("project_root", {"cwd": str(tmp_path.resolve())}),
        ("project_root", {"cwd": str(real)}),
    )
    assert [root["root"] for root in roots] == [str(real), str(tmp_path.resolve()), str(real)]


def test_the_environment_of_a_case_is_the_ports_for_that_case_only(tmp_path):
    cwd = str(tmp_path.resolve())
    first, second = ask(
        ("project_root", {"cwd": cwd, "env": {"MINI_ROOT": "/elsewhere"}}),
        ("project_root", {"cwd": cwd}),
    )
    assert (first, second) == ({"root": "/elsewhere"}, {"root": cwd})


def test_an_index_is_told_apart_from_the_prompt_around_it_and_its_warning():
    assert one("index_window", text="a\nb") == {"kept": "a\nb", "warning": None}
    assert one("index_window", text="a\nb\nc\nd") == {
        "kept": "a\nb\nc",
        "warning": "> WARNING: MEMORY.md is 4 lines.",
    }


def test_the_sentence_for_an_empty_index_is_no_index():
    assert one("index_window", text="") == {"kept": "", "warning": None}


def test_an_index_that_quotes_heading_and_warning_keeps_them():
    text = "## D/MEMORY.md\n\n> WARNING: MEMORY.md is\nx"
    assert one("index_window", text=text)["kept"] == "## D/MEMORY.md\n\n> WARNING: MEMORY.md is"


def test_an_index_is_read_as_at_a_sessions_start(memory):
    (memory / "MEMORY.md").write_text("a")
    assert one("index_read", memory_dir=str(memory)) == {"kept": "a", "warning": None}
    assert one("index_read", memory_dir=str(memory), enabled=False) == {"kept": "", "warning": None}


def test_what_the_port_throws_comes_out(memory):
    (memory / "MEMORY.md").mkdir()
    assert "EISDIR" in one("index_read", memory_dir=str(memory))["message"]


def test_a_header_of_a_file_that_the_port_drops_has_nothing():
    seen, dropped = ask(
        ("topics_header", {"content": "user\nabout", "mtime_ms": 5}),
        ("topics_header", {"content": "unknown\nabout", "mtime_ms": 5}),
    )
    assert seen == {"description": "about", "type": "user", "modified_ms": 5}
    assert dropped == {"description": None, "type": None, "modified_ms": 5}


def test_a_missing_description_is_null_and_bytes_are_decoded_with_replacement():
    assert one("topics_header", content="user\n", mtime_ms=5)["description"] is None
    content = base64.b64encode(b"user\n\xffx").decode()
    assert one("topics_header", bytes=content, mtime_ms=5)["description"] == "\ufffdx"


def test_scanned_times_are_whole_milliseconds(memory):
    (memory / "a.md").write_text("user\nabout")
    os.utime(memory / "a.md", ns=(0, 1_700_000_000_123_999_000))
    assert one("topics_scan", memory_dir=str(memory))["topics"] == [
        {
            "path": "a.md",
            "description": "about",
            "type": "user",
            "mtime_ms": 1_700_000_000_123,
            "modified_ms": 1_700_000_000_123,
        }
    ]


def test_a_manifest_is_cut_into_lines():
    topic = {"path": "a.md", "description": None, "type": "user", "mtime_ms": 7}
    none, two = ask(
        ("topics_manifest", {"topics": []}), ("topics_manifest", {"topics": [topic] * 2})
    )
    assert (none, two) == ({"lines": []}, {"lines": ["user a.md 7 "] * 2})


def test_a_manifest_that_the_port_never_makes_is_declined():
    topic = {"path": "a.md", "description": None, "type": None, "mtime_ms": 7}
    assert one("topics_manifest", topics=[topic])["thrown"] == "Skip"


def test_a_recalled_text_is_told_apart_from_its_note():
    whole, cut = ask(
        ("recall_window", {"content": "0123456789\n"}),
        ("recall_window", {"content": "0123456789a"}),
    )
    assert whole == {"text": "0123456789", "cut": False, "note": None}
    assert cut == {"text": "0123456789", "cut": True, "note": "> NOTE: cut."}


def test_a_recalled_file_loses_the_header_that_the_port_takes_off():
    assert one("recall_window", content="user\nabout\nbody")["text"] == "body"


def test_the_ports_clock_is_the_cases_and_then_the_systems_again():
    answers = ask(
        ("staleness", {"now_ms": 5 * DAY_MS, "mtime_ms": 0}),
        ("staleness", {"now_ms": 2 * DAY_MS - 1, "mtime_ms": 0}),
    )
    assert answers == [{"days": 5}, {"days": None}]


def test_a_read_tells_the_days_and_where_the_reminder_stands(memory):
    (memory / "a.md").write_text("text\nafter\npicture\n")
    os.utime(memory / "a.md", (0, 0))
    args = {"memory_dir": str(memory), "file": str(memory / "a.md"), "now_ms": 5 * DAY_MS}
    before, after, picture, fresh = ask(
        ("staleness_read", args),
        ("staleness_read", {**args, "offset": 2, "limit": 1}),  # the second line, counted from 1
        ("staleness_read", {**args, "offset": 3}),
        ("staleness_read", {**args, "now_ms": DAY_MS}),
    )
    assert before == {"days": 5, "before_content": True}
    assert after == {"days": 5, "before_content": False}
    assert picture == fresh == {"days": None, "before_content": None}


def test_a_file_outside_has_no_reminder_and_a_missing_one_is_an_error(memory):
    outside = memory.parent / "b.md"
    outside.write_text("text")
    os.utime(outside, (0, 0))
    args = {"memory_dir": str(memory), "now_ms": 5 * DAY_MS}
    other, missing = ask(
        ("staleness_read", {**args, "file": str(outside)}),
        ("staleness_read", {**args, "file": str(memory / "none.md")}),
    )
    assert other == {"days": None, "before_content": None}
    assert missing["message"] == "no file"
