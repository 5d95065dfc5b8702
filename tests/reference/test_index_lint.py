"""What a write of the index is answered with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.index_lint import OPS, index_lint, is_linted
from memassay_reference.js_text import length_units

NUMBERS = constants()
MAX_LINES, MAX_UNITS = NUMBERS["index_max_lines"], NUMBERS["index_max_units"]
NEAR_LINES, NEAR_UNITS = NUMBERS["index_lint_near_lines"], NUMBERS["index_lint_near_units"]


def level(text):
    said = index_lint(text)
    return said and said["level"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (NEAR_LINES - 1, None),
        (NEAR_LINES, "approaching"),
        (MAX_LINES, "approaching"),
        (MAX_LINES + 1, "over"),
    ],
)
def test_lines(lines, expected):
    assert level("\n".join(["- x"] * lines) + "\n") == expected


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        (NEAR_UNITS - 1, None),
        (NEAR_UNITS, "approaching"),
        (MAX_UNITS, "approaching"),
        (MAX_UNITS + 1, "over"),
    ],
)
def test_units(units, expected):
    assert level("x" * units) == expected
    assert level("😀" * (units // 2) + "x" * (units % 2)) == expected


def test_the_parts():
    assert index_lint("x\n" * 250) == {
        "level": "over",
        "measure": "lines",
        "shown": "250 lines",
        "limit": "200 lines",
        "target": "140 lines",
    }
    assert index_lint("x" * 20_000) == {
        "level": "approaching",
        "measure": "size",
        "shown": "19.5KB",
        "limit": "24.4KB",
        "target": "17.1KB",
    }


def test_only_the_beginning_is_read():
    limit = NUMBERS["index_lint_read_bytes"]
    assert index_lint("x" * limit) == index_lint("x" * limit * 2)
    assert index_lint(" " * limit + "x\n" * 300) is None


def test_nothing_is_left_out_of_what_is_too_long_to_be_read_whole():
    limit = NUMBERS["index_lint_read_bytes"]
    for extra in ("---\na: 1\n---\n", "<!--\nb\n-->\n"):
        text = extra + "x\n" * (NEAR_LINES - 3)
        assert index_lint(text + " " * (limit - len(text))) is None
        assert level(text + " " * (limit - len(text) + 1)) == "approaching"


def test_what_counts_is_what_the_save_has_left_on_disk():
    limit = NUMBERS["index_lint_read_bytes"]
    text = "---\na: 1\n---\n" + "x\n" * (NEAR_LINES - 7)
    text += " " * (limit - len(text))
    assert index_lint(text) is None
    answered = OPS["index_lint"]({"text": text}, "claude-code")["feedback"]
    assert answered is not None
    assert answered["shown"] == f"{NEAR_LINES + 2} lines"


@pytest.mark.parametrize("file", ["sub/MEMORY.md", "memory.md", "a.md", "../MEMORY.md"])
def test_other_files(file):
    assert not is_linted(file, "write")
    assert OPS["index_lint"]({"file": file, "text": "x\n" * 300}, "claude-code") == {
        "feedback": None
    }


def test_tools_and_the_switch():
    assert is_linted("MEMORY.md", "write")
    assert is_linted("sub/../MEMORY.md", "edit")
    assert not is_linted("MEMORY.md", "shell")
    assert not is_linted("MEMORY.md", "write", enabled=False)


LINES = st.tuples(st.integers(1, 260), st.integers(0, 160), st.sampled_from("x漢😀\u200b"))


@given(LINES)
def test_the_worse_limit_is_named(made):
    lines, width, char = made
    text = "\n".join([f"-{char * width}."] * lines)
    units = length_units(text)
    said = index_lint(text)
    near = lines >= NEAR_LINES or units >= NEAR_UNITS
    assert (said is not None) == near
    if said is not None:
        over = lines > MAX_LINES or units > MAX_UNITS
        assert said["level"] == ("over" if over else "approaching")
        assert (said["measure"] == "lines") == (lines / MAX_LINES > units / MAX_UNITS)


@given(st.text(max_size=300))
def test_white_space_around_does_not_count(text):
    assert index_lint("\n \n" + text * 100 + "\n\t\n") == index_lint(text * 100)
