"""Removing what is invisible and escaping reserved tags."""

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import table
from memassay_reference.sanitise import escape_tags, remove_invisible, sanitise

PIECES = st.sampled_from(
    ["<", "＜", "⟨", ">", "\\", "/", " ", "\n", "\r", "\u2028", "tick", "Tick", "т", "ick",
     "antml:", "bash", "-", "—", "input", "\u0301", "\u200b", "\u200d", "ﬆ", "㎄", "é", "x", "_",
     "1", "😀", "\x00"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)


def ranges(text):
    for item in text.split():
        first, _, last = item.partition("-")
        yield int(first, 16), int(last or first, 16)


@given(TEXTS)
def test_twice_is_once(text):
    assert sanitise(sanitise(text)) == sanitise(text)


@given(TEXTS)
def test_without_brackets_nothing_is_escaped(text):
    bare = "".join(char for char in text if char not in "<＜⟨")
    assert escape_tags(bare) == bare


@given(TEXTS)
def test_escaping_only_puts_backslashes_after_brackets(text):
    pattern = "".join(f"(?:{char}|<\\\\)" if char in "<＜⟨" else re.escape(char) for char in text)
    assert re.fullmatch(pattern, escape_tags(text))


@given(st.text())
def test_what_is_left_is_a_part_of_what_was(text):
    left = iter(text)
    assert all(char in left for char in remove_invisible(text))


@given(st.text(), st.text())
def test_removing_looks_at_one_code_point_at_a_time(one, other):
    assert remove_invisible(one + other) == remove_invisible(one) + remove_invisible(other)


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]).filter(lambda c: c != "<")))
def test_printable_ascii_stays(text):
    assert sanitise(text) == text


def test_lone_surrogates_are_removed():
    assert sanitise("a\ud83db\ude00c") == "abc"


def test_removed_ranges_are_in_order_and_apart():
    removed = table("sanitise-removed")
    found = [
        pair
        for key, text in removed.items()
        if key not in {"table", "about"}
        for pair in ranges(text)
    ]
    assert sum(last - first + 1 for first, last in found) == 952_693
    for (_, last), (first, _) in pairwise(found):
        # E000 follows D7FF: no surrogate is listed. Planes are listed apart.
        assert first > last
    assert all(first <= last for first, last in found)


def test_removed_code_points_are_of_the_kinds_the_table_says():
    """Every control, format and private character this Python knows is removed, but for six."""
    kept = [
        code_point
        for code_point in range(0x110000)
        if unicodedata.category(chr(code_point)) in {"Cc", "Cf", "Co"}
        and remove_invisible(chr(code_point))
    ]
    assert kept == [0x9, 0xA, 0xD, 0x200C, 0x200D]


def test_no_letter_is_its_own_lookalike_twice():
    letters = table("sanitise-lookalikes")["letters"]
    owners = {}
    for letter, text in letters.items():
        for first, last in ranges(text):
            for code_point in range(first, last + 1):
                owners.setdefault(code_point, []).append(letter)
    ambiguous = {chr(code): found for code, found in owners.items() if len(found) > 1}
    assert ambiguous == {"Ν": ["n", "v"], "ν": ["n", "v"], "Υ": ["u", "y"], "υ": ["u", "y"]}
    assert all(owners[ord(letter)] == owners[ord(letter.upper())] == [letter] for letter in letters)


@pytest.mark.parametrize("name", table("sanitise-reserved")["whole"])
def test_every_reserved_name(name):
    for spelled in (name, name.upper(), name.replace("-", "_"), f" {name}", f"/{name}"):
        assert sanitise(f"<{spelled}>") == f"<\\{spelled}>"
    for other in (f"{name}s", f"x{name}", f"{name}-x", f"{name}_", name[:-1], name[1:]):
        assert sanitise(f"<{other}>") == f"<{other}>"


def test_line_breaks_before_invisible_characters():
    assert sanitise("a\r\u200b\nb\r\nc\rd\u2028e\u2029f") == "a\n\nb\nc\nd\ne\nf"


def test_a_name_must_follow_its_own_bracket():
    assert escape_tags("<x> tick") == "<x> tick"
    assert escape_tags("<x <tick") == "<x <\\tick"
    assert escape_tags("tick <") == "tick <"


def test_overlapping_names_of_lookalikes():
    """`stdout` ends in the t of `tick`; only the second one ends where it may."""
    text = "<\u042c\u0430\u0455\u04bb\u2013\u0455\u0442\u0501\u043e\u03c5\u0442ick"
    assert escape_tags(text) == f"<\\{text[1:]}"
