import base64
import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.report.visible import (
    columns,
    quoted,
    short,
    shown_bytes,
    visible,
    visible_json,
    window,
)

ANY_TEXT = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs"]),
        st.sampled_from(" \t\n\r␉␊␍␠⟨⟩\u200b\u0301é😀"),
    )
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("", ""),
        ("a\tb\r\nc", "a␉b␍␊c"),
        ("a b", "a b"),
        (" a", "␠a"),
        ("a ", "a␠"),
        ("a  b", "a␠␠b"),
        ("a \nb", "a␠␊b"),
        ("a\n b", "a␊␠b"),
        (" ", "␠"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("\ufeffa", "⟨U+FEFF⟩a"),
        ("a\u00a0b", "a⟨U+00A0⟩b"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("\x00\x1b\x7f\x85", "⟨U+0000⟩⟨U+001B⟩⟨U+007F⟩⟨U+0085⟩"),
        ("\ud83d", "⟨D83D⟩"),
        ("x\udc00y", "x⟨DC00⟩y"),
        ("😀", "😀"),
        ("日本", "日本"),
        ("é", "é"),
        ("e\u0301", "e⟨U+0301⟩"),  # looks like the one above
        ("x\u0301", "x\u0301"),  # there is no such composed character
        ("x\u0301\u0302", "x\u0301\u0302"),
        ("\u1112\u1161", "\u1112⟨U+1161⟩"),  # two jamo that look like one syllable
        ("\u0301", "⟨U+0301⟩"),
        ("\n\u0301", "␊⟨U+0301⟩"),
        ("☺\ufe0f", "☺⟨U+FE0F⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\u202eabc", "⟨U+202E⟩abc"),
        ("\u2800", "⟨U+2800⟩"),
        ("␊", "⟨U+240A⟩"),
        ("⟨U+200B⟩", "⟨U+27E8⟩U+200B⟨U+27E9⟩"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


def read_back(shown):
    """The inverse of `visible`: it exists only because nothing is ambiguous."""
    signs = {"␉": "\t", "␊": "\n", "␍": "\r", "␠": " "}
    return re.sub(
        r"⟨(?:U\+)?([0-9A-F]+)⟩|[␉␊␍␠]",
        lambda match: chr(int(match[1], 16)) if match[1] else signs[match[0]],
        shown,
    )


@given(ANY_TEXT)
def test_two_texts_are_never_written_the_same(text):
    assert read_back(visible(text)) == text


@given(ANY_TEXT)
def test_nothing_invisible_is_left(text):
    shown = visible(text)
    assert shown.isascii() or not {unicodedata.category(c) for c in shown} & {
        "Cc",
        "Cf",
        "Cn",
        "Co",
        "Cs",
        "Zl",
        "Zp",
    }
    assert "\n" not in shown


def test_a_part_is_shown_as_it_is_in_the_whole():
    assert visible("a b", 0, 2) == "a "  # this space is not the last character of the text
    assert visible("a  b", 0, 2) == "a␠"
    assert visible("a b", 1) == " b"


def test_columns_counts_what_a_terminal_uses():
    assert columns("ab") == 2
    assert columns("日本") == 4
    assert columns("x\u0301") == 1


def test_quoted_names_the_length_of_what_it_cuts():
    assert quoted("a" * 60) == '"' + "a" * 60 + '"'
    assert quoted("a" * 61) == '"' + "a" * 48 + '"…"' + "a" * 12 + '" (61 units)'
    assert quoted("😀" * 1000).endswith(" (2,000 units)")


def test_window_marks_what_it_leaves_out():
    text = "".join(map(str, range(100)))
    assert window("abc", 1) == '"abc"'
    assert window(text, 50, before=3, after=2) == f'…"{text[47:52]}"…'
    assert window(text, 0, before=3, after=2) == '"01"…'
    assert window(text, len(text), before=3, after=2) == f'…"{text[-3:]}"'


def test_window_is_measured_in_columns():
    assert window("日本語日本語", 3, before=5, after=4) == '…"本語日本"…'
    assert window("\u200b" * 9, 5, before=20, after=9) == '…"⟨U+200B⟩⟨U+200B⟩⟨U+200B⟩"…'


def test_shown_bytes():
    assert shown_bytes(b"") == "0 bytes"
    assert shown_bytes(b"\xff") == "1 byte: FF"
    assert shown_bytes(bytes(25)) == "25 bytes: " + "00 " * 24 + "…"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (12, "12"),
        (1.5, "1.5"),
        ("a\n", '"a␊"'),
        (b"\xff\xfe", "2 bytes: FF FE"),
        ({"$bytes": base64.b64encode(b"\xff\xfe").decode()}, "2 bytes: FF FE"),
        ({"$bytes": "no base64"}, '{$bytes: "no base64"}'),
        ([], "[]"),
        ({}, "{}"),
        (["a", 1], '["a", 1]'),
        ({"a": [None]}, "{a: [null]}"),
        (list(range(8)), "[0, 1, 2, 3, 4, 5, … 2 more]"),
    ],
)
def test_short(value, shown):
    assert short(value) == shown


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=10,
)


@given(JSON)
def test_visible_json_can_be_pasted(value):
    shown = visible_json(value)
    assert json.loads(shown) == value
    shown.encode()  # half a pair would not pass


def test_visible_json_escapes_only_what_cannot_be_seen():
    assert visible_json("é😀\u200b\U000e0001\ud83d") == r'"é😀\u200b\udb40\udc01\ud83d"'
