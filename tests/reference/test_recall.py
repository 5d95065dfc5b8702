"""The window of one recalled file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.recall import OPS, window

MAX_LINES = constants()["recall_max_lines"]
MAX_BYTES = constants()["recall_max_bytes"]


@pytest.mark.parametrize("content", ["", "a", "a\n", "a\nb", "\n", "\n\n", "a\r\nb\r\n"])
def test_a_short_file_is_taken_as_it_is(content):
    assert window(content) == (content, False)


def test_lines():
    lines = [f"l{number}" for number in range(MAX_LINES + 1)]
    assert window("\n".join(lines[:-1])) == ("\n".join(lines[:-1]), False)
    assert window("\n".join(lines[:-1]) + "\n") == ("\n".join(lines[:-1]) + "\n", False)
    assert window("\n".join(lines)) == ("\n".join(lines[:-1]), True)


@pytest.mark.parametrize("char", ["x", "é", "漢", "😀"])
def test_bytes(char):
    size = len(char.encode())
    full = "y" * (MAX_BYTES % size) + char * (MAX_BYTES // size)
    assert window(full) == (full, False)
    assert window(full + "z") == ("", True)
    assert window("a\n" + full) == ("a", True)


def test_it_stops_at_the_first_line_that_does_not_fit():
    assert window("a\n" + "x" * MAX_BYTES + "\nb") == ("a", True)


def test_bytes_are_decoded_with_replacement():
    assert window(b"a\xffb") == ("a\ufffdb", False)


def test_the_note_comes_with_a_cut_and_only_then():
    assert OPS["recall_window"]({"content": "a"}, "claude-code")["note"] is None
    assert OPS["recall_window"]({"content": "x" * (MAX_BYTES + 1)}, "claude-code")["note"]


LINES = st.lists(st.text(st.sampled_from("aé漢😀\n\r"), max_size=600).map(lambda t: t * 3))


@given(LINES.map("\n".join))
def test_whole_lines_within_both_limits(content):
    text, cut = window(content)
    assert content.startswith(text)
    assert cut == (text != content)
    lines = text.removesuffix("\n").split("\n") if text else []
    assert len(lines) <= MAX_LINES
    assert len(text.removesuffix("\n").encode()) <= MAX_BYTES
    if cut and text:
        assert content[len(text)] == "\n"
