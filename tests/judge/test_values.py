import base64

import pytest
from hypothesis import given

from memassay.judge.values import MISSING, Exactly, as_bytes, as_json, describe, kind, same
from tests.judge.strategies import json_values


def test_bytes_and_literals_become_json():
    value = {"a": [b"\xff", Exactly({"count": b"x"})], "b": MISSING, "c": (1, 2)}
    assert as_json(value) == {
        "a": [{"$bytes": "/w=="}, {"count": {"$bytes": "eA=="}}],
        "b": None,
        "c": [1, 2],
    }


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (b"ab", b"ab"),
        ({"$bytes": base64.b64encode(b"ab").decode()}, b"ab"),
        ({"$bytes": "YW\nI="}, None),
        ({"$bytes": "YWI=", "more": 1}, None),
        ({"$bytes": 1}, None),
        ("YWI=", None),
        (None, None),
    ],
)
def test_as_bytes(value, data):
    assert as_bytes(value) == data


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (False, 0, False),
        (True, True, True),
        (None, False, False),
        ("1", 1, False),
        ([1, [2]], [1, [2]], True),
        ([True], [1], False),
        ({"a": True}, {"a": 1}, False),
        ({"a": None}, {}, False),
        ([], {}, False),
    ],
)
def test_same_is_equality_of_json(one, other, equal):
    assert same(one, other) is equal
    assert same(other, one) is equal


@given(json_values)
def test_everything_is_the_same_as_itself(value):
    assert same(value, value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (3, "3"),
        ("a", '"a"'),
        (b"abc", "3 bytes"),
        ({"$bytes": "YQ=="}, "1 byte"),
        ([1], "a list of 1 item"),
        ([1, 2], "a list of 2 items"),
        ({}, "an empty mapping"),
        ({"b": 1, "a": 2}, 'a mapping ("a", "b")'),
        (MISSING, "missing"),
        (Exactly("x"), '"x"'),
    ],
)
def test_describe(value, words):
    assert describe(value) == words


def test_kind():
    values = (None, True, "x", b"x", 1, 1.5, {}, [], MISSING)
    assert [kind(value) for value in values] == [
        "null",
        "a boolean",
        "text",
        "bytes",
        "a number",
        "a number",
        "a mapping",
        "a list",
        "missing",
    ]
