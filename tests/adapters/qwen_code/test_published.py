"""The published package itself: fetched, linked and asked. Needs a network (`nox -s ports`)."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.adapters.conversation import ADAPTERS, conversation, finish, needs_node

pytestmark = [
    needs_node,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
    pytest.mark.skipif(
        os.environ.get("MEMASSAY_NETWORK") != "1",
        reason="MEMASSAY_NETWORK is not 1",
    ),
]

OPS = [
    "index_read",
    "index_window",
    "project_key",
    "project_root",
    "recall_window",
    "staleness",
    "staleness_read",
    "topics_header",
    "topics_manifest",
    "topics_scan",
]
CLOCK_MS = 1_800_000_000_000
DAY_MS = 86_400_000


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    directory = os.environ.get("MEMASSAY_QWEN_CODE") or tmp_path_factory.mktemp("package") / "qwen"
    code, _, stderr = finish(["node", ADAPTERS / "qwen_code" / "install.mjs", directory])
    assert code == 0, stderr
    return directory


@pytest.fixture
def port(installed):
    command = ("node", ADAPTERS / "qwen_code" / "adapter.mjs", "--package", installed)
    with conversation(*command) as talk:
        talk.started = talk.start()
        yield talk


def test_it_says_whose_code_answers(port):
    assert port.started["implementation"]["name"] == "@qwen-code/qwen-code"
    assert port.started["implementation"]["version"] == "0.15.10"
    assert port.started["ops"] == OPS


def test_paths_and_index(port, tmp_path):
    assert port.ask("project_key", path="/a/é😀")["result"] == {"key": "-a----"}
    assert len(port.ask("project_key", path="/" + "k" * 299)["result"]["key"]) == 300
    assert port.ask("project_root", cwd=str(tmp_path.resolve()))["result"]["root"]
    assert port.ask("index_window", text=" - a\n")["result"] == {"kept": "- a", "warning": None}
    cut = port.ask("index_window", text="-" + "😀" * 15_000)["result"]
    assert cut["kept"].endswith("\ud83d")  # half a pair, at unit 25,000
    assert cut["warning"].startswith("> WARNING: MEMORY.md is 29.3 KB")


def test_a_hang_of_the_port_is_an_answer_and_the_next_request_is_answered(port, tmp_path):
    os.mkfifo(tmp_path / ".git")
    assert port.ask("project_root", cwd=str(tmp_path.resolve()))["error"]["code"] == "hung"
    assert port.ask("project_key", path="/a")["result"] == {"key": "-a"}


def test_topics(port, tmp_path):
    memory = tmp_path.resolve() / "memory"
    memory.mkdir()
    (memory / "a.md").write_text("---\nname: a\ntype: user\ndescription: d\n---\ntext\n")
    (memory / "b.md").write_text("---\nname: b\ndescription: d\nmetadata:\n  type: user\n---\n")
    (memory / "MEMORY.md").write_text("- [a](a.md)\n")
    topics = port.ask("topics_scan", memory_dir=str(memory))["result"]["topics"]
    assert [(topic["path"], topic["type"]) for topic in topics] == [("a.md", "user")]
    assert port.ask("index_read", memory_dir=str(memory))["result"]["kept"] == "- [a](a.md)"
    topic = {"path": "a.md", "description": "d", "type": "user", "mtime_ms": 0}
    assert port.ask("topics_manifest", topics=[topic])["result"] == {
        "lines": ["- [user] a.md (1970-01-01T00:00:00.000Z): d"]
    }
    assert port.ask("topics_header", content="no header", mtime_ms=1)["result"]["type"] is None


def test_recall_and_staleness(port, tmp_path):
    assert port.ask("recall_window", content="x" * 1201)["result"]["cut"] is True
    days = [
        port.ask("staleness", now_ms=CLOCK_MS, mtime_ms=CLOCK_MS - age)["result"]["days"]
        for age in (2 * DAY_MS - 1, 2 * DAY_MS)
    ]
    assert days == [None, 2]
    note = tmp_path.resolve() / "a.md"
    note.write_text("text\n")
    os.utime(note, ((CLOCK_MS - 5 * DAY_MS) / 1000,) * 2)
    read = {"memory_dir": str(note.parent), "file": str(note), "now_ms": CLOCK_MS}
    assert port.ask("staleness_read", **read)["result"] == {"days": 5, "before_content": True}


def test_what_the_report_says_of_files_in_the_ports_own_format(port, tmp_path):
    """docs/ports/qwen-code.md, "Under the first one": the scan beyond the type that it asks for."""
    memory = tmp_path.resolve() / "memory"
    memory.mkdir()
    for n in range(201):
        (memory / f"t{n:03}.md").write_text('---\ntype: user\ndescription: "d"\n---\n')
        os.utime(memory / f"t{n:03}.md", (CLOCK_MS / 1000 - n,) * 2)
    topics = port.ask("topics_scan", memory_dir=str(memory))["result"]["topics"]
    assert len(topics) == 200
    assert (topics[0]["path"], topics[-1]["path"]) == ("t000.md", "t199.md")
    assert topics[0]["description"] == '"d"'
    (memory / "folder.md").mkdir()
    assert port.ask("topics_scan", memory_dir=str(memory))["error"]["code"] == "EISDIR"
