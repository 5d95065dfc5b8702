"""Making a missing index: when, from what, in which order, how long, how a line looks."""

import os
import re
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference import index_backfill
from memassay_reference.index_backfill import (
    OPS,
    backfill,
    entry,
    is_linkable,
    linkable_topics,
    one_line,
)
from memassay_reference.js_text import length_units

MAX_UNITS = constants()["index_entry_max_units"]


def put(directory, name, description="q", *, age_s=0, text=None):
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\ndescription: {description}\n---\n" if text is None else text)
    os.utime(path, (2_000_000_000 - age_s,) * 2)
    return path


def made(directory, profile="claude-code"):
    return backfill(directory, profile=profile)


# --- when


def test_what_is_returned_is_what_stands_on_disk(tmp_path):
    put(tmp_path, "ü.md", "漢")
    assert made(tmp_path) == "- [ü](ü.md) — 漢\n"
    assert (tmp_path / "MEMORY.md").read_bytes() == "- [ü](ü.md) — 漢\n".encode()


def test_it_runs_again_only_after_the_index_is_deleted(tmp_path):
    put(tmp_path, "a.md")
    made(tmp_path)
    put(tmp_path, "b.md", age_s=1)
    assert made(tmp_path) is None
    (tmp_path / "MEMORY.md").unlink()
    assert made(tmp_path) == "- [a](a.md) — q\n- [b](b.md) — q\n"


@pytest.mark.parametrize("content", ["", " \n", "- [x](x.md)\n"])
def test_an_index_that_exists_stays(tmp_path, content):
    put(tmp_path, "a.md")
    put(tmp_path, "MEMORY.md", text=content)
    assert made(tmp_path) is None
    assert (tmp_path / "MEMORY.md").read_text() == content


def test_a_dangling_link_stays_and_its_target_is_not_made(tmp_path):
    put(tmp_path, "m/a.md")
    (tmp_path / "m/MEMORY.md").symlink_to("nope.md")
    assert made(tmp_path / "m") is None
    assert not (tmp_path / "m/nope.md").exists()


def test_an_index_made_by_another_in_between_stays(tmp_path, monkeypatch):
    put(tmp_path, "a.md")
    put(tmp_path, "MEMORY.md", text="theirs\n")
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    assert made(tmp_path) is None
    assert (tmp_path / "MEMORY.md").read_text() == "theirs\n"


def test_without_a_topic_nothing_is_made(tmp_path):
    put(tmp_path, "sub/MEMORY.md")
    assert made(tmp_path) is None
    assert not (tmp_path / "MEMORY.md").exists()


def test_a_missing_directory_is_an_error_to_a_direct_caller(tmp_path):
    with pytest.raises(FileNotFoundError):
        made(tmp_path / "missing")


def test_the_op_does_nothing_when_disabled(tmp_path):
    put(tmp_path, "a.md")
    args = {"memory_dir": str(tmp_path), "enabled": False}
    assert OPS["index_backfill"](args, "claude-code") == {"created": False, "text": None}
    assert not (tmp_path / "MEMORY.md").exists()


# --- from what


def test_hard_links_are_left_out(tmp_path):
    first = put(tmp_path, "m/a.md")
    put(tmp_path, "m/b.md", age_s=1)
    (tmp_path / "outside.md").hardlink_to(first)
    assert made(tmp_path / "m") == "- [b](b.md) — q\n"


def test_a_topic_that_goes_while_it_is_looked_for_costs_only_itself(tmp_path, monkeypatch):
    put(tmp_path, "a.md")
    gone = put(tmp_path, "b.md")

    def taking_away(path):
        if path == gone.name:
            gone.unlink()
        return is_linkable(path)

    monkeypatch.setattr(index_backfill, "is_linkable", taking_away)
    assert made(tmp_path) == "- [a](a.md) — q\n"


def test_pipes_and_sockets_are_left_out(tmp_path, monkeypatch):
    put(tmp_path, "a.md")
    os.mkfifo(tmp_path / "f.md")
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind("s.md")
        assert linkable_topics(tmp_path) == ["a.md"]


def test_what_cannot_be_read_is_left_out(tmp_path, monkeypatch):
    put(tmp_path, "a.md")
    put(tmp_path, "b.md", age_s=1)
    put(tmp_path, "closed/c.md", age_s=2)
    refuse(monkeypatch, index_backfill, "read_header", lambda path: path.name == "b.md")
    refuse(monkeypatch, os, "scandir", lambda path: path.endswith("closed/"))
    assert made(tmp_path) == "- [a](a.md) — q\n"


def refuse(monkeypatch, owner, name, refused):
    """Make a function fail for some paths; mode bits would not bind the superuser."""
    genuine = getattr(owner, name)

    def function(path):
        if refused(path):
            raise PermissionError(path)
        return genuine(path)

    monkeypatch.setattr(owner, name, function)


def test_a_name_that_is_no_utf8_is_left_out(tmp_path):
    put(tmp_path, "a.md")
    try:
        (tmp_path / os.fsdecode(b"b\xff.md")).write_text("")
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    assert linkable_topics(tmp_path) == ["a.md"]


@pytest.mark.parametrize("folder", ["logs", "Team", "SESSIONS", "logs.", "team ", "x/logs", ".x"])
def test_reserved_folders_are_left_out(tmp_path, folder):
    put(tmp_path, f"{folder}/a.md")
    assert linkable_topics(tmp_path) == []


@pytest.mark.parametrize("folder", ["logsx", "log", " logs", "x.", "memory", "MEMORY.md"])
def test_other_folders_are_not(tmp_path, folder):
    put(tmp_path, f"x/{folder}/a.md")
    assert linkable_topics(tmp_path) == [f"x/{folder}/a.md"]


@pytest.mark.parametrize(
    "char", ["(", ")", "[", "]", "\n", "\r", "\t", "\u200b", "\u2028", "\ue000"]
)
def test_unlinkable_names(char):
    assert not is_linkable(f"a{char}b.md")


@pytest.mark.parametrize(
    "char", [" ", "{", "（", "\u00a0", "\u200d", "\ufe0f", "e\u0301", "\ufffd"]
)
def test_linkable_names(char):
    assert is_linkable(f"a{char}b.md")


# --- in which order


def test_newest_first_below_the_millisecond(tmp_path):
    for number, name in enumerate(["b.md", "c.md", "sub/a.md"]):
        path = put(tmp_path, name)
        os.utime(path, ns=(0, 1_000_000_000_000_000_000 - number * 1_000))
    assert linkable_topics(tmp_path) == ["b.md", "c.md", "sub/a.md"]


# --- how long


def test_the_clients_limits_are_lower_than_a_ports(tmp_path):
    for number in range(170):
        put(tmp_path, f"t{number:03}.md", age_s=number)
    assert made(tmp_path).count("\n") == constants()["backfill_max_lines"]
    (tmp_path / "MEMORY.md").unlink()
    text = made(tmp_path, "pi-project-memory")
    assert text.count("\n") == constants()["backfill_ceiling_lines"]


def test_headers_beyond_the_last_line_are_not_read(tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(
        "memassay_reference.index_backfill.read_header", lambda path: read.append(path) or {}
    )
    for number in range(300):
        put(tmp_path, f"t{number:03}.md", age_s=number)
    made(tmp_path)
    assert len(read) == constants()["backfill_max_lines"] + 1


# --- how a line looks


def test_a_topic_without_description_is_only_a_link():
    assert entry("sub/a.md", None) == "- [a](sub/a.md)"
    assert entry("sub/a.md", " \u200b ") == "- [a](sub/a.md)"


def test_the_link_leaves_room_for_a_unit_and_the_ellipsis_or_for_nothing():
    stem = "s" * 68
    assert entry(f"{stem}.md", "xyz") == f"- [{stem}]({stem}.md) — x…"
    stem = "s" * 67
    assert entry(f"xy/{stem}.md", "x") == f"- [{stem}](xy/{stem}.md)"


def test_a_description_is_cleaned_before_it_is_put_on_one_line():
    assert one_line(" a \u200b b\u0085c\u00a0\n\td ") == "a bc d"


@given(st.text(st.sampled_from("ab c😀漢é"), max_size=300))
def test_a_description_that_was_cut_ends_in_a_word_and_an_ellipsis(description):
    line = entry("a.md", description)
    whole = one_line(description)
    assert whole.startswith(line.partition(" — ")[2].removesuffix("…"))
    assert not re.search("[\ud800-\udfff]", line)
    assert " …" not in line


@given(st.text(st.characters(codec="utf-8"), max_size=400))
def test_an_entry_is_one_line_within_the_limit(description):
    line = entry("a.md", description)
    assert line.startswith("- [a](a.md)")
    assert length_units(line) <= MAX_UNITS
    assert not re.search("[\n\r\u2028\u2029]", line)
