"""Scan, header and manifest of the topic files."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.topics import OPS, facts, manifest_line, scan

NOW_NS = 2_000_000_000_123_456_789


def put(directory, name, text="", *, age_s=0):
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, ns=(0, NOW_NS - age_s * 1_000_000_000))
    return path


def paths(directory):
    return [topic["path"] for topic in scan(directory)]


def test_newest_first_across_folders(tmp_path):
    put(tmp_path, "a.md", age_s=2)
    put(tmp_path, "sub/deep/b.md", age_s=1)
    put(tmp_path, "sub/c.md", age_s=3)
    put(tmp_path, "MEMORY.md")
    put(tmp_path, "d.txt")
    assert paths(tmp_path) == ["sub/deep/b.md", "a.md", "sub/c.md"]


def test_the_oldest_go_when_there_are_too_many(tmp_path):
    most = constants()["scan_max_topics"]
    for number in range(most + 1):
        put(tmp_path, f"t{number:03}.md", age_s=number)
    assert paths(tmp_path) == [f"t{number:03}.md" for number in range(most)]


def test_an_unreadable_topic_takes_no_place(tmp_path, monkeypatch):
    most = constants()["scan_max_topics"]
    for number in range(most + 1):
        put(tmp_path, f"t{number:03}.md", age_s=number)

    def read(path):
        if path.name == "t000.md":
            raise PermissionError(path)
        return {}

    monkeypatch.setattr("memassay_reference.topics.read_header", read)
    assert paths(tmp_path) == [f"t{number:03}.md" for number in range(1, most + 1)]


def test_links_are_followed_and_dangling_ones_skipped(tmp_path):
    real = put(tmp_path, "elsewhere/real.md", "---\ndescription: d\n---\n", age_s=60)
    (tmp_path / "m").mkdir()
    (tmp_path / "m/x.md").symlink_to(real)
    (tmp_path / "m/y.md").symlink_to("nowhere.md")
    (tmp_path / "m/z.md").symlink_to("z.md")
    [topic] = scan(tmp_path / "m")
    assert (topic["path"], topic["description"]) == ("x.md", "d")
    assert topic["mtime_ms"] == (NOW_NS - 60_000_000_000) // 1_000_000


def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "f.md")
    assert scan(tmp_path) == []


def test_what_is_no_directory_has_no_topics(tmp_path):
    assert scan(tmp_path / "missing") == []
    assert scan(put(tmp_path, "a.md")) == []


def test_a_closed_folder_costs_only_itself(tmp_path, monkeypatch):
    put(tmp_path, "a.md")
    put(tmp_path, "closed/b.md")
    genuine = os.scandir

    def scandir(path):  # mode bits would not bind the superuser
        if path.endswith("closed/"):
            raise PermissionError(path)
        return genuine(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert paths(tmp_path) == ["a.md"]


def test_looking_changes_nothing(tmp_path):
    path = put(tmp_path, "a.md", "---\ntype: banana\n---\n")
    before = path.stat().st_mtime_ns, path.read_bytes()
    assert scan(tmp_path)[0]["type"] is None
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


def test_times_are_whole_milliseconds(tmp_path):
    put(tmp_path, "a.md")
    [topic] = scan(tmp_path)
    assert topic["mtime_ms"] == topic["modified_ms"] == 2_000_000_000_123


def test_modified_falls_back_to_the_files_time():
    assert facts({"modified": "soon"}, 5)["modified_ms"] == 5
    assert facts({"modified": "1970-01-01T00:00:00.000Z"}, 5)["modified_ms"] == 0


@pytest.mark.parametrize(
    ("type_", "description", "line"),
    [
        ("user", "d", "- [user] a.md (1970-01-01T00:00:00.000Z): d"),
        (None, "d", "- a.md (1970-01-01T00:00:00.000Z): d"),
        ("user", None, "- [user] a.md (1970-01-01T00:00:00.000Z)"),
        (None, None, "- a.md (1970-01-01T00:00:00.000Z)"),
        ("banana", "d", "- a.md (1970-01-01T00:00:00.000Z): d"),
    ],
)
def test_manifest_lines(type_, description, line):
    topic = {"path": "a.md", "type": type_, "description": description, "mtime_ms": 0}
    assert manifest_line(topic) == line


@given(st.binary(), st.integers(0, 2**42))
def test_no_topic_breaks_the_header_op(content, mtime_ms):
    found = OPS["topics_header"]({"content": content, "mtime_ms": mtime_ms}, "claude-code")
    assert found.keys() == {"description", "type", "modified_ms"}
