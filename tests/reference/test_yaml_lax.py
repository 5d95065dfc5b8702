import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.yaml_lax import as_written, made_lax, without_leading_tabs
from memassay_reference.yaml_nodes import UnreadableError
from memassay_reference.yaml_values import read_yaml


def value_of(source):
    """Return the value of a source, or None if it is broken."""
    try:
        return read_yaml(source)
    except UnreadableError:
        return None


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("k: a\tb", {"k": "a\tb"}),
        ("k: a {b}\tc", {"k": "a {b}\tc"}),
        ("k: a,\tb", {"k": "a,\tb"}),
        ("k: a -\tb", {"k": "a -\tb"}),
        ("a\tb: c", {"a\tb": "c"}),
        ("k\t:\ta\t", {"k": "a"}),
        ("k:\t\n  a: b", {"k": {"a": "b"}}),
        ("k:\r\n  a\t: b\r\n", {"k": {"a": "b"}}),
        ("k: a\n\t\nj: b", {"k": "a", "j": "b"}),
        ("k: a\n\t# c\nj: b", {"k": "a", "j": "b"}),
        ("k: a\n \tb", {"k": "a b"}),
        ("k:\n  \ta", {"k": "a"}),
        ("k: [a\tb,\tc]", {"k": ["a\tb", "c"]}),
        ("k: {a:\tb}", {"k": {"a": "b"}}),
        ("k: [a,\n \tb]", {"k": ["a", "b"]}),
        ("k: [\"a,\tb\", 'c\t]',\td]", {"k": ["a,\tb", "c\t]", "d"]}),
        ('k: "a\tb"', {"k": "a\tb"}),
        ("k:\n  -\tc", {"k": ["c"]}),
        ("?\ta\n:\tb", {"a": "b"}),
        ("k: |\n  a\tb\n  \tc\nj\t: d", {"k": "a\tb\n\tc\n", "j": "d"}),
        ("k:\n  - |\n   \ta\n  - b", {"k": ["\ta\n", "b"]}),
        ("k: |+\n  a\n\t\nj: b", {"k": "a\n", "j": "b"}),
        ("k:\n  j: |+\n    a\n  \t\n  i: b", {"k": {"j": "a\n", "i": "b"}}),
        ("k: |\n  a\n    b\n  c\td\n\n  e\tf\nj: b", {"k": "a\n  b\nc\td\n\ne\tf\n", "j": "b"}),
        ("k: |\n  a\n \t\nj: b", {"k": "a\n", "j": "b"}),
        ("k: |\n  a\n  \t\nj: b", {"k": "a\n\t\n", "j": "b"}),
        ("k: a\tb\nj: [c]#d", None),
    ],
)
def test_tabs_are_text_between_words_and_blanks_elsewhere(source, value):
    assert value_of(source) == value


@pytest.mark.parametrize(
    "source",
    [
        "k:\n\ta: b",
        "k:\n  \ta: b",
        "k:\n \t- a",
        "k: a\n\tb",
        "k: [a,\n\tb]",
        "k:\n  a: b\n  \tc\n  d: e",
        "k:\n  -\ta: b",
        "k:\n  -\t- a",
        "k: |\n\ta",
        "k:\n  a: |\n  \tb",
    ],
)
def test_tabs_do_not_indent(source):
    assert value_of(source) is None


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("k: ,", {"k": ","}),
        ("k:\n  - , a\n  - - ,", {"k": [", a", [","]]}),
        ("k:\n  # c\n  , a", {"k": ", a"}),
        ("{k: 1}: ,", {"[object Object]": ","}),
        ("k: &x , a", {"k": ", a"}),
        ("k: {a: ,b: 1}", {"k": {"a": None, "b": 1.0}}),
        ("k: [a\n  , b]", {"k": ["a", "b"]}),
    ],
)
def test_a_comma_can_begin_a_text(source, value):
    assert value_of(source) == value


@pytest.mark.parametrize("quote", ["'", '"'])
@pytest.mark.parametrize(
    ("inside", "value"),
    [
        ("a\r\n  b", "a\nb"),
        ("a \r\n\r\n  b", "a\n\nb"),
        ("a\r\n\r\n \r\n  b\r\n  c", "a\n\n\nb\nc"),
        ("\r\n  a\r\n  ", "\na\n"),
        ("a\n  b", "a b"),
    ],
)
def test_a_crlf_within_quotes_is_kept(quote, inside, value):
    assert value_of(f"k:\r\n- {quote}{inside}{quote}\r\nj: 1\r\n") == {"k": [value], "j": 1.0}


def test_a_crlf_behind_a_backslash_is_kept_too():
    assert value_of('k: "a\\\r\n  b"\r\n') == {"k": "a\nb"}
    assert value_of('k: "a\\\n  b"\n') == {"k": "ab"}


@given(st.text(st.sampled_from("ab,:-?#|>\"'[]{}&! \t\r\n\x85\u2028\u3000"), max_size=30))
def test_nothing_changes_its_place(source):
    try:
        lax = made_lax(source)
    except UnreadableError:
        assert "\t" in source
        return
    assert len(as_written(lax)) == len(lax) == len(source)
    if not set(source) & set("\t,\r\x85\u2028"):
        assert lax == source


def test_leading_tabs():
    assert without_leading_tabs("\ta\t\n\t\tb\n \tc") == "  a\t\n    b\n \tc"
