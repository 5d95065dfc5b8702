"""The header window and its YAML: limits, marks, rescue, and no bytes that it fails on."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.frontmatter import (
    frontmatter,
    header_window,
    parse_header,
    read_header,
)

MAX_LINES = constants()["header_max_lines"]
MAX_BYTES = constants()["header_max_bytes"]


def header(*lines):
    return "\n".join(["---", *lines, "---", "body", ""])


def sized(size, *, fill=b"x"):
    """Return a file of which the bytes through the closing dashes are `size`."""
    start, end = b"---\nname: ", b"\ndescription: d\n---"
    room = size - len(start) - len(end)
    return start + fill * (room // len(fill)) + b"y" * (room % len(fill)) + end + b"\nbody\n"


# --- the window


def test_the_window_takes_thirty_lines():
    text = "\n".join(str(n) for n in range(1, MAX_LINES + 2))
    assert header_window(text.encode()).split("\n")[-1] == str(MAX_LINES)


def test_the_window_drops_a_line_that_does_not_fit_and_all_after_it():
    text = "short\n" + "x" * MAX_BYTES + "\nlast\n"
    assert header_window(text.encode()) == "short"


@pytest.mark.parametrize("fill", [b"x", "漢".encode(), "😀".encode()])
def test_the_closing_dashes_may_end_on_the_last_byte(fill):
    assert parse_header(sized(MAX_BYTES, fill=fill))["description"] == "d"
    assert parse_header(sized(MAX_BYTES + 1, fill=fill)) == {}


def test_a_byte_order_mark_is_not_counted():
    mark = b"\xef\xbb\xbf"
    assert parse_header(mark + sized(MAX_BYTES))["description"] == "d"
    assert parse_header(mark + sized(MAX_BYTES + 1)) == {}


def test_carriage_returns_are_not_counted():
    assert parse_header(sized(MAX_BYTES).replace(b"\n", b"\r\n"))["description"] == "d"
    assert parse_header(sized(MAX_BYTES + 1).replace(b"\n", b"\r\n")) == {}


def test_bad_bytes_count_as_what_they_become():
    lines = b"---\ndescription: d\nname: " + b"\xff" * 20_000 + b"\n---\n"
    assert parse_header(lines)["description"] == "d"
    assert parse_header(lines.replace(b"\xff", b"\xff\xff")) == {}


def test_a_file_is_read_no_further_than_the_window(tmp_path):
    file = tmp_path / "a.md"
    file.write_bytes(sized(MAX_BYTES) + b"x" * 1_000_000)
    assert read_header(file) == parse_header(sized(MAX_BYTES))


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(OSError, match="missing"):
        read_header(tmp_path / "missing.md")


# --- the marks


@pytest.mark.parametrize("opening", ["---", "--- ", "---\t", "---\u00a0", "\ufeff---", "---\r"])
def test_openings(opening):
    assert parse_header(f"{opening}\ndescription: d\n---\n") == {"description": "d"}


@pytest.mark.parametrize("opening", ["----", "---yaml", " ---", "", "--", "---\u200b", "+++"])
def test_no_openings(opening):
    assert parse_header(f"{opening}\ndescription: d\n---\n") == {}


@pytest.mark.parametrize("closing", ["---", "--- ", "----", "   ---", "---yaml"])
def test_closings(closing):
    assert parse_header(f"---\ndescription: d\n{closing}\n") == {"description": "d"}
    assert parse_header(f"---\ndescription: d\n{closing}") == {"description": "d"}


def test_the_first_three_dashes_end_it_wherever_they_are():
    assert frontmatter("---\ndescription: a---b\n---\n") == "description: a"


def test_an_unclosed_header_is_none():
    assert frontmatter("---\ndescription: d\n") is None
    assert frontmatter("---") is None


# --- values


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("plain", "plain"),
        ('"42"', "42"),
        ("'it''s'", "it's"),
        ("2026-01-01", "2026-01-01"),
        ("yes", "yes"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ('"\\ud83d\\ude00"', "😀"),
        ("!!str 42", "42"),
        ("a\tb", "a\tb"),
    ],
)
def test_text(written, value):
    assert parse_header(header(f"description: {written}"))["description"] == value


@pytest.mark.parametrize(
    "written",
    ["42", "-1", "0x1f", "0o7", "012", "1e3", ".5", "5.", ".inf", "-.inf", ".nan", "null", "~", "",
     "true", "FALSE", "[a]", "{a: b}", '"\\ud800"'],
)  # fmt: skip
def test_what_yaml_takes_for_something_else_is_no_text(written):
    assert parse_header(header(f"description: {written}")).get("description") is None


def test_of_a_key_that_is_there_twice_the_last_one_counts():
    assert parse_header(header("a: 1", "a: x", "a: y")) == {"a": "y"}


def test_metadata_is_a_dictionary_of_texts():
    found = parse_header(header("metadata:", "  type: user", "  n: 1", "  deep: {a: b}"))
    assert found == {"metadata": {"type": "user", "n": None, "deep": None}}


def test_anchors_make_nothing_large_or_endless():
    laughs = [f"k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 9)}]" for n in range(1, 25)]
    assert parse_header(header("k0: &k0 x", *laughs, "description: d"))["description"] == "d"
    assert parse_header(header("metadata: &m {a: *m}", "description: d"))["description"] == "d"


# --- the rescue


@pytest.mark.parametrize(
    "value",
    ["a: b", "@at", "`b`", "*a", "%p", "[a", "{z", "| x", '"a: b', 'a "b" c: d', "a\\b: c", "[a]]"],
)
def test_a_value_that_breaks_yaml_is_taken_as_it_is(value):
    assert parse_header(header(f"description: {value}"))["description"] == value


@pytest.mark.parametrize("value", ['"q', "'it's'", '"a" z', "- y", "? x"])
def test_without_a_special_character_nothing_is_rescued(value):
    assert parse_header(header(f"description: {value}")) == {}


def test_the_rescue_quotes_every_odd_value_and_leaves_lists():
    found = parse_header(header("a: b: c", "b: d # c", "c: [x, y]", "d: {x: y}", "e: 42"))
    assert found == {"a": "b: c", "b": "d # c", "c": None, "d": "{x: y}", "e": None}


@pytest.mark.parametrize("line", [" a: b: c", "a1: b: c", "a b: c: d", "a.b: c: d", "a : b: c"])
def test_other_lines_are_not_rescued(line):
    assert parse_header(header(line, "description: d")) == {}


def test_a_nul_breaks_a_header():
    assert parse_header(header("description: a\0b")) == {}


# --- any bytes at all


YAML_PIECES = st.sampled_from(
    ["description: ", "metadata:\n  ", "type: ", "a", "\n", " ", "\t", ": ", "- ", "[", "]", "{",
     "}", "&a ", "*a", "!", "!!", "|", ">", "'", '"', "\\", "#", "%", "@", "`", "?", "---", "\0",
     "\x85", "\u2028", "😀", "<<: ", "\r"]
)  # fmt: skip


@given(st.binary())
@example(b"\xef\xbb\xbf---\n\xff: \xfe\n---")
def test_no_bytes_fail(content):
    assert isinstance(parse_header(content), dict)


@given(st.lists(YAML_PIECES, max_size=40).map("".join))
def test_no_yaml_fails(source):
    found = parse_header(f"---\n{source}\n---\n")
    for value in found.values():
        assert value is None or isinstance(value, dict | str)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=60))
def test_a_double_quoted_text_comes_back(text):
    escaped = "".join(f"\\U{ord(char):08X}" for char in text)
    if "---" not in escaped:
        assert parse_header(header(f'description: "{escaped}"')) == {"description": text}


def test_half_a_surrogate_pair_is_a_replacement_character():
    assert parse_header(header("name: a\ud800b"))["name"] == "a\ufffdb"
