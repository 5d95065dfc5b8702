"""JavaScript text in Python: what `.length`, `.slice`, `.trim` and their like do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference import js_text

TEXTS = st.text(st.sampled_from("aé漢😀\u0301\ufeff\u00a0 \n\ud83d\ude00"))
WELL_FORMED = st.text(st.sampled_from("aé漢😀\u0301\ufeff \n"))


@pytest.mark.parametrize(
    ("text", "units"),
    [("", 0), ("abc", 3), ("é", 1), ("漢字", 2), ("😀", 2), ("e\u0301", 2), ("\ud83d", 1)],
)
def test_length(text, units):
    assert js_text.length_units(text) == units


def test_slice_cuts_pairs_as_javascript_does():
    assert js_text.slice_units("a😀b", 0, 2) == "a\ud83d"
    assert js_text.slice_units("a😀b", 2) == "\ude00b"
    assert js_text.slice_units("abc", 1, 9) == "bc"


def test_slice_whole_drops_half_a_pair_and_nothing_else():
    assert js_text.slice_whole("a😀b", 2) == "a"
    assert js_text.slice_whole("a😀b", 3) == "a😀"
    assert js_text.slice_whole("ab", 2) == "ab"
    assert js_text.slice_whole("a\ud83d", 2) == "a\ud83d"  # the text's own half


@given(TEXTS, st.integers(0, 12), st.integers(0, 12))
def test_slices_join_to_the_whole(text, first, second):
    start, end = sorted((first, second))
    parts = [
        js_text.encode_units(js_text.slice_units(text, *bounds))
        for bounds in ((0, start), (start, end), (end, None))
    ]
    assert b"".join(parts) == js_text.encode_units(text)


@given(WELL_FORMED, st.integers(0, 12))
def test_slice_whole_of_well_formed_text_is_well_formed(text, end):
    cut = js_text.slice_whole(text, end)
    cut.encode()
    assert text.startswith(cut)
    assert js_text.length_units(cut) in {min(end, js_text.length_units(text)), end - 1}


@pytest.mark.parametrize(("position", "found"), [(0, -1), (1, 1), (2, 1), (4, 1), (5, 5), (100, 5)])
def test_last_index_of_counts_units_and_starts_at_the_position(position, found):
    assert js_text.last_index_of("a\n😀b\nc", "\n", position) == found


def test_trim_is_ecmascripts():
    blanks = "\ufeff\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000 \t\v\f\r\n"
    assert js_text.trim(f"{blanks}a b{blanks}") == "a b"
    for kept in "\x85\x1c\x1f\u180e\u200b\u2060":
        assert js_text.trim(f"{kept}a{kept}") == f"{kept}a{kept}"


@pytest.mark.parametrize(
    ("number", "digits"),
    [(0, "0"), (35, "z"), (36, "10"), (2**31, "zik0zk"), (2**31 - 1, "zik0zj")],
)
def test_base36(number, digits):
    assert js_text.to_radix(number, 36) == digits
    assert int(digits, 36) == number


@pytest.mark.parametrize(
    ("text", "value"), [("", 0), ("a", 97), ("abc", 96354), ("hello", 99162322), ("😀", 1772899)]
)
def test_java_hash(text, value):
    assert js_text.java_hash(text) == value


@given(TEXTS)
def test_java_hash_is_a_signed_32_bit_number(text):
    assert -(2**31) <= js_text.java_hash(text) < 2**31


@pytest.mark.parametrize(
    ("units", "shown"),
    [
        (25001, "24.4KB"),
        (25600, "25KB"),
        (25344, "24.8KB"),
        (25856, "25.3KB"),
        (26214, "25.6KB"),
        (1048524, "1023.9KB"),
        (1048525, "1024KB"),
        (1048575, "1024KB"),
        (1048576, "1MB"),
        (1101004, "1MB"),
        (1101005, "1.1MB"),
        (102400, "100KB"),
        (0, "0KB"),
    ],
)
def test_sizes(units, shown):
    """The values of observation D63-sizes, and two whose zeros must stay."""
    assert js_text.format_size(units, 1024) == shown


def test_halves_go_up():
    assert js_text.to_fixed(1, 4) == "0.3"
    assert js_text.to_fixed(3, 4) == "0.8"
    assert js_text.to_fixed(1, 3) == "0.3"


@pytest.mark.parametrize(
    ("text", "shortened"),
    [
        ("p" * 80, "p" * 80),
        ("p" * 81, "p" * 79 + "…"),
        ("a" * 41 + " " + "b" * 100, "a" * 41 + "…"),
        ("a" * 40 + " " + "b" * 100, "a" * 40 + " " + "b" * 38 + "…"),
        ("a" * 50 + "   " + "b" * 100, "a" * 50 + "…"),
        ("a" * 60 + "\u00a0" + "b" * 60, "a" * 60 + "…"),
        ("😀" * 41, "😀" * 39 + "…"),
    ],
)
def test_shorten(text, shortened):
    assert js_text.shorten(text, 80) == shortened


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [
        ("abcd", 4, "abcd"),
        ("abcde", 4, "abc…"),
        ("a bcd", 4, "a b…"),  # the space is at 1, and 2 × 1 is not more than 4
        ("ab cd", 4, "ab…"),
        ("abcd ef", 6, "abcd…"),
        ("abc def", 6, "abc d…"),
        ("ab😀😀", 4, "ab…"),
        ("😀😀", 2, "…"),
        ("😀x ef gh", 7, "😀x ef…"),
    ],
)
def test_shorten_cuts_at_a_late_space_or_in_mid_word(text, room, short):
    assert js_text.shorten(text, room) == short


@given(WELL_FORMED, st.integers(2, 12))
def test_what_is_shortened_fits_and_begins_as_the_text_does(text, max_units):
    short = js_text.shorten(text, max_units)
    assert js_text.length_units(short) <= max_units
    assert text.startswith(short.removesuffix("…"))
    assert (short == text) == (js_text.length_units(text) <= max_units)


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_796_040_000_007, "2026-11-30T12:00:00.007Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_iso(ms, shown):
    assert js_text.iso_ms(ms) == shown


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a漢😀", "a漢😀".encode()),
        ("a\ud800b", b"a\xef\xbf\xbdb"),
        ("\udc00\ud800", b"\xef\xbf\xbd\xef\xbf\xbd"),
        ("\ud83d\ude00", "😀".encode()),
    ],
)
def test_a_file_holds_no_half_of_a_pair(text, data):
    assert js_text.to_utf8(text) == data
