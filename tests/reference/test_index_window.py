"""The pipeline from the file to the prompt."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.index_window import OPS, index_window, read_index, strip_frontmatter
from memassay_reference.js_text import length_units

CLIENT = "claude-code"
MAX_LINES = constants()["index_max_lines"]
MAX_UNITS = constants()["index_max_units"]
MAX_BYTES = constants()["index_max_bytes"]

LINE = st.sampled_from(
    [
        "",
        "- a",
        "é漢",
        "😀" * 300,
        "x" * 1000,
        "- <tick>",
        "\u200b",
        "a\rb",
        "<!-- c -->",
        "---",
        "  ",
    ]
)
LINES = st.lists(st.tuples(LINE, st.integers(1, 60)), max_size=12).map(
    lambda runs: [line for line, times in runs for _ in range(times)]
)
ENTRIES = st.lists(
    st.tuples(st.sampled_from(["- a", "- é漢", "- 😀", "x" * 249]), st.integers(1, 120)),
    min_size=1,
    max_size=6,
).map(lambda runs: [line for line, times in runs for _ in range(times)])
TEXTS = st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\r"])).map(
    lambda pair: pair[1].join(pair[0])
)


def kept(text):
    return index_window(text, CLIENT).kept


def warning(text):
    return index_window(text, CLIENT).warning


@given(TEXTS)
def test_limits_hold_before_escaping(text):
    result = index_window(text, CLIENT)
    plain = result.kept.replace("<\\", "<")
    assert length_units(plain) <= MAX_UNITS
    if "\r" not in text:
        assert plain.count("\n") < MAX_LINES


@given(ENTRIES, st.sampled_from(["", "\n", "\n\n"]))
def test_a_warning_if_and_only_if_something_was_cut(lines, end):
    text = "\n".join(lines)
    fits = len(lines) <= MAX_LINES and length_units(text) <= MAX_UNITS
    assert (warning(text + end) is None) == fits
    assert (kept(text + end) == text) == fits


@given(TEXTS)
def test_what_is_kept_is_text_without_carriage_returns(text):
    result = index_window(text, CLIENT)
    for part in (result.kept, result.warning or ""):
        assert "\r" not in part
        assert "\u200b" not in part


@given(st.lists(st.sampled_from(["- a", "# h", "é", "x" * 90]), min_size=1, max_size=MAX_LINES))
def test_a_plain_index_that_fits_stays_as_it_is(lines):
    text = "\n".join(lines)
    assert index_window(f"\n{text}\n\n", CLIENT) == (text, None)


@given(ENTRIES)
def test_whole_lines_only(lines):
    left = kept("\n".join(lines)).split("\n")
    assert left == lines[: len(left)]


def test_boundaries():
    text = "\n".join(["l"] * MAX_LINES)
    assert index_window(text, CLIENT) == (text, None)
    assert warning(f"{text}\nl")
    assert index_window("x" * MAX_UNITS, CLIENT) == ("x" * MAX_UNITS, None)
    assert kept("x" * (MAX_UNITS + 1)) == "x" * MAX_UNITS
    assert kept("x" * MAX_UNITS + "\ny") == "x" * MAX_UNITS
    assert kept("x" * (MAX_UNITS + 1) + "\ny") == "x" * MAX_UNITS


def test_the_whole_warning():
    lines = [f"- l{number}" for number in range(250)]
    assert warning("\n".join(lines)) == (
        "> WARNING: MEMORY.md is 250 lines (limit: 200). Only part of it was loaded: 50 of 250"
        ' lines were cut off, starting at line 201 ("- l200"). Keep index entries to one line'
        " under ~200 chars; move detail into topic files."
    )


def test_other_profile_has_another_warning():
    text = "x" * (MAX_UNITS + 1)
    assert index_window(text, "pi-project-memory").warning == "WARNING: MEMORY.md was truncated"
    assert index_window(text, "picc-memory").warning == warning(text)
    assert index_window("x", "pi-project-memory").warning is None


def test_nothing_kept_with_a_warning():
    result = index_window("\u200b\n" * 250 + "x", CLIENT)
    assert result.kept == ""
    assert 'starting at line 201 ("")' in result.warning


def test_a_text_that_holds_the_warning_itself_is_not_shortened():
    words = warning("\n".join("l" * 250))
    fitting = (MAX_UNITS + 1) // (len(words) + 1)
    assert kept("\n".join([words] * 250)) == "\n".join([words] * fitting)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("---\na: 1\n---\nx", "x"),
        ("---\n---", ""),
        ("--- \t\n---x", "x"),
        ("---\nx", "---\nx"),
        ("----\n---", "----\n---"),
        ("---", "---"),
        ("\ufeff---\n---\nx", "x"),
        ("\ufeffx", "\ufeffx"),
        ("", ""),
    ],
)
def test_frontmatter(text, left):
    assert strip_frontmatter(text) == left


def test_read(tmp_path):
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"\xef\xbb\xbf- a\xff\x00\r\n")
    assert read_index(tmp_path, CLIENT) == ("- a\ufffd", None)
    assert read_index(tmp_path, CLIENT, enabled=False) == ("", None)


def test_read_backfills(tmp_path):
    (tmp_path / "t.md").write_text("---\ndescription: d\n---\n")
    assert read_index(tmp_path, CLIENT, enabled=False) == ("", None)
    assert not (tmp_path / "MEMORY.md").exists()
    assert read_index(tmp_path, CLIENT) == ("- [t](t.md) — d", None)
    assert (tmp_path / "MEMORY.md").read_text(encoding="utf-8") == "- [t](t.md) — d\n"


def test_read_never_fails(tmp_path):
    index = tmp_path / "MEMORY.md"
    nothing = ("", None)
    assert read_index(tmp_path / "missing", CLIENT) == nothing
    index.mkdir()
    assert read_index(tmp_path, CLIENT) == nothing
    index.rmdir()
    index.symlink_to("nowhere")
    assert read_index(tmp_path, CLIENT) == nothing
    index.unlink()
    index.symlink_to("MEMORY.md")
    assert read_index(tmp_path, CLIENT) == nothing
    index.unlink()
    os.mkfifo(index)
    assert read_index(tmp_path, CLIENT) == nothing
    index.unlink()
    index.write_text("- a")
    assert read_index(index, CLIENT) == nothing


def test_an_unreadable_file(tmp_path, monkeypatch):
    (tmp_path / "MEMORY.md").write_text("- a")

    def refuse(_path):
        raise PermissionError

    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    assert read_index(tmp_path, CLIENT) == ("", None)


def test_file_size(tmp_path):
    index = tmp_path / "MEMORY.md"
    index.write_bytes(b"- a" + b"\n" * (MAX_BYTES - 3))
    assert read_index(tmp_path, CLIENT) == ("- a", None)
    index.write_bytes(b"- a" + b"\n" * (MAX_BYTES - 2))
    assert read_index(tmp_path, CLIENT) == ("", None)


def test_ops(tmp_path):
    assert OPS["index_window"]({"text": " a "}, CLIENT) == {"kept": "a", "warning": None}
    (tmp_path / "MEMORY.md").write_text("- a")
    args = {"memory_dir": str(tmp_path)}
    assert OPS["index_read"](args, CLIENT) == {"kept": "- a", "warning": None}
    assert OPS["index_read"]({**args, "enabled": False}, CLIENT)["kept"] == ""
