import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.judge.texts import (
    around,
    difference,
    first_difference,
    length_units,
    line_count,
    position,
    quote,
)
from memassay.judge.verdict import Position
from tests.judge.strategies import texts


@pytest.mark.parametrize(
    ("text", "units"), [("", 0), ("abc", 3), ("é", 1), ("漢字", 2), ("a😀", 3), ("\ud83d", 1)]
)
def test_length_counts_utf16_units(text, units):
    assert length_units(text) == units


@pytest.mark.parametrize(
    ("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("\n", 1), ("a\n\n", 2), ("a\r\u2028b", 1)]
)
def test_only_lf_ends_a_line(text, lines):
    assert line_count(text) == lines


@given(texts, texts, texts)
def test_first_difference_is_the_end_of_the_shared_part(shared, one, other):
    index = first_difference(shared + one, shared + other)
    left, right = shared + one, shared + other
    assert left[:index] == right[:index]
    assert left == right or left[index : index + 1] != right[index : index + 1]


@given(st.binary(), st.binary())
def test_first_difference_of_bytes(one, other):
    index = first_difference(one, other)
    assert one[:index] == other[:index]
    assert one[index : index + 1] != other[index : index + 1] or one == other


def test_position_counts_units_and_lines():
    text = "ab\n😀c"
    assert position(text, 4) == Position(units=5, line=2, column=3)
    assert position(text, 0) == Position(units=0, line=1, column=1)


@pytest.mark.parametrize(
    ("expected", "got", "problem"),
    [
        ("abc", "", 'is empty, expected "abc"'),
        ("", "abc", 'is "abc", expected an empty text'),
        ("abc", "xbc", 'is "xbc", expected "abc"'),
        ("a\nbc", "a\nb", 'ends after 3 units (line 2, column 2); expected to follow: "c"'),
        (
            "ab",
            "abc",
            'goes on after 2 units (line 1, column 3), where it should end: "c"',
        ),
        (
            "ab\u200bc",
            "ab c",
            'differs after 2 equal units (line 1, column 3): expected "ab\\u200bc", got "ab c"',
        ),
    ],
)
def test_the_sentence_names_the_place_and_both_sides(expected, got, problem):
    assert difference(expected, got)[0] == problem


def test_half_a_pair_at_the_cut_is_named():
    problem, place = difference("-" + "😀" * 12499, "-" + "😀" * 12499 + "\ud83d")
    assert place.units == 24999
    assert problem.endswith('where it should end: "\\ud83d"')


def test_context_is_short_and_says_where_it_was_cut():
    text = "x" * 1000
    shown = around(text, 500)
    assert shown == '…"' + "x" * 36 + '"…'
    assert around("abc", 1) == '"abc"'


def test_quote_is_one_printable_line_and_names_the_length_of_long_texts():
    assert quote('a"\\\n\r\t\x00\ud83d\U000e0001') == '"a\\"\\\\\\n\\r\\t\\u0000\\ud83d\\U000e0001"'
    assert quote("漢é") == '"漢é"'
    assert quote("😀" * 100, 4) == '"😀😀😀😀"… (200 units)'


@given(texts)
def test_quote_is_printable(text):
    assert quote(text).isprintable()
