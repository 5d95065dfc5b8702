"""Reading YAML: what a plain scalar is to JavaScript, and where the client's parser is its own."""

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.yaml_nodes import UnreadableError
from memassay_reference.yaml_values import number_text, object_of, read_yaml


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("012", 12.0),
        ("0x1f", 31.0),
        ("-0x1", -1.0),
        ("0o17", 15.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e400", math.inf),
        ("-.INF", -math.inf),
        ("True", True),
        ("NULL", None),
        ("~", None),
        *((text, text) for text in ("yes", "0b1", "1_000", "0X1F", "0o8", "2026-01-01", "12:30")),
        ("0x1ffffffffffffffffff", "0x1ffffffffffffffffff"),
        ("!!str 5", "5"),
        ("!!int 5", 5.0),
        ("!t a", "a"),
        ("!t 5", "5"),
        ("! true", "true"),
        ("!<x> ~", "~"),
        ("!!bool 5", "5"),
        ("!!bool true", True),
        ("!!int 1.5", 1.5),
        ("!!seq False", "False"),
        ("!!null 5", "5"),
        ("!!str &x 5", "5"),
        ("&x !t 5", "5"),
        ("!t", None),
        ("!!int", None),
        ("!", ""),
        ("!!str", ""),
        ("a\tb", "a\tb"),
        (", a", ", a"),
        ("a\x85b", "a\x85b"),
        ("a\u2028b", "a\u2028b"),
        ('"\\ud83d\\ude00"', "😀"),
    ],
)
def test_scalars(source, value):
    assert read_yaml(f"k: {source}\n") == {"k": value}


@pytest.mark.parametrize(
    "source",
    [
        "[a",
        "a: b: c",
        "a: - b",
        'a: "\\ud83d"',
        'a: "\\UFFFFFFFF"',
        "a: [b]#c",
        "a: [-]",
        "a:\n  - {b: -}",
        'a:\n  - "b"#c',
        "a: \0",
        "a: *x",
        "a: 1\n...\nb: 2",
        'a:\n  b: "c\n  d"',
        'a:\n  - "b\n  c"',
        "a:\n  - [b,\n  c]",
        "a:\n|\n  b",
        "a:\n  b: &x\n  >\n   c",
        "a:\n- [b,\nc]",
        "a:\n  - - 'b\n    c'",
    ],
)
def test_unreadable(source):
    with pytest.raises(UnreadableError):
        read_yaml(source)


def test_an_item_may_go_on_deeper_than_its_dash():
    assert read_yaml("a:\n  - 'b\n   c'\n  - &x [d,\n   e]\n  - - 'f\n     g'\n") == {
        "a": ["b c", ["d", "e"], ["f g"]]
    }
    for properties in ("&x", "!!seq", "&x !t", "&x # c"):
        assert read_yaml(f"a: {properties}\n  - [b,\n   c]\n") == {"a": [["b", "c"]]}
        with pytest.raises(UnreadableError):
            read_yaml(f"a: {properties}\n  - [b,\n  c]\n")


def test_deep_nesting_is_unreadable_and_no_crash():
    with pytest.raises(UnreadableError):
        read_yaml("[" * 5000 + "]" * 5000)


def test_keys_are_property_names():
    assert list(read_yaml("z: 1\n10: a\n2: b\n1.5: c\nnull: d\n[a, b]: e\n.inf: f\n")) == [
        *("2", "10", "z", "1.5", "null", "a,b", "Infinity")
    ]


def test_a_merge_key_is_resolved():
    assert read_yaml("b: &b {p: 1}\nc: &c {p: 2, q: 3}\nd:\n  <<: [*b, *c]\n")["d"] == {
        "p": 1,
        "q": 3,
    }
    assert read_yaml("a:\n  <<: text\n") == {"a": {"<<": "text"}}


def test_an_alias_is_the_same_object():
    value = read_yaml("a: &x [1]\nb: *x\n")
    assert value["a"] is value["b"]


def test_indices_come_first():
    assert list(object_of(dict.fromkeys(["b", "10", "9", "01", "4294967295", "4294967294"]))) == [
        *("9", "10", "4294967294", "b", "01", "4294967295")
    ]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e21, "1.5e+21"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (123.456, "123.456"),
        (-0.5, "-0.5"),
        (-0.0, "-0"),
        (2.0**53, "9007199254740992"),
        (5e-324, "5e-324"),
        (math.inf, ".inf"),
        (-math.inf, "-.inf"),
        (math.nan, ".nan"),
    ],
)
def test_number_text(number, text):
    assert number_text(number) == text


@given(st.text())
def test_any_text_is_read_or_refused(source):
    with suppress(UnreadableError):
        read_yaml(source)
