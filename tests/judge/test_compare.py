import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.judge.compare import MOST_MISMATCHES, compare
from memassay.judge.values import MISSING, Exactly, same
from tests.judge.strategies import json_values, leaves, plain_json, texts


@given(json_values)
def test_every_value_meets_itself_taken_literally(value):
    assert compare(Exactly(value), copy.deepcopy(value)) == ()


@given(plain_json)
def test_every_value_meets_itself_if_nothing_in_it_is_a_matcher(value):
    assert compare(value, copy.deepcopy(value)) == ()


def places(value, here=()):
    """Yield the path of every leaf."""
    if isinstance(value, dict) and value:
        for key in value:
            yield from places(value[key], (*here, key))
    elif isinstance(value, list) and value:
        for index in range(len(value)):
            yield from places(value[index], (*here, index))
    else:
        yield here


def replaced(value, path, new):
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = replaced(value[path[0]], path[1:], new)
    return changed


def at(value, path):
    for step in path:
        value = value[step]
    return value


@given(plain_json, st.data())
def test_a_change_of_any_leaf_is_noticed(value, data):
    path = data.draw(st.sampled_from(list(places(value))))
    new = data.draw(leaves.filter(lambda leaf: not same(leaf, at(value, path))))
    changed = replaced(value, path, new)
    # an empty mapping asks for nothing but a mapping, and gets none here
    (mismatch,) = compare(value, changed)
    assert mismatch.problem
    assert compare(Exactly(value), changed)


@given(st.dictionaries(texts, plain_json, min_size=1), st.data())
def test_a_missing_key_is_noticed_and_an_extra_one_is_not(value, data):
    key = data.draw(st.sampled_from(sorted(value)))
    less = {name: child for name, child in value.items() if name != key}
    assert compare(Exactly(value), less)
    assert compare(Exactly(less), value)
    assert compare({key: 1}, {}) != ()
    assert compare({}, value) == ()


@given(st.lists(plain_json, min_size=1, max_size=5), st.data())
def test_a_list_of_another_length_is_noticed(value, data):
    index = data.draw(st.integers(0, len(value) - 1))
    (mismatch,) = compare(value, value[:index] + value[index + 1 :])
    assert mismatch.problem.startswith(f"has {len(value) - 1} item")


def test_types_are_told_apart_but_numbers_are_one_type():
    assert compare(True, 1)  # noqa: FBT003 (a JSON value)
    assert compare(1, True)  # noqa: FBT003 (a JSON value)
    assert compare(0, None)
    assert compare("1", 1)
    assert compare([], {})
    assert compare({}, [])
    assert compare(None, MISSING)
    assert compare(1, 1.0) == ()
    assert compare(2**60, float(2**60)) == ()
    assert compare(2**60 + 1, float(2**60))


def test_places_are_named_as_a_reader_would():
    expect = {"topics": [{"file": "a"}, {"file": "b", "odd key": 1}]}
    got = {"topics": [{"file": "a"}, {"file": "c", "odd key": 2}]}
    assert [m.at for m in compare(expect, got)] == ["topics[1].file", 'topics[1]["odd key"]']
    assert compare(1, 2, "tree:a")[0].at == "tree:a"
    assert compare({"x": 1}, {}, "error")[0].at == "error.x"


@pytest.mark.parametrize(
    ("expect", "got", "problem"),
    [
        (None, "x", 'is "x", expected null'),
        ("x", None, 'is null, expected the text "x"'),
        ("x", MISSING, 'is missing, expected the text "x"'),
        (None, MISSING, "is missing, expected null"),
        (1, "1", 'is "1", expected 1'),
        ({"a": 1}, [], 'is a list of 0 items, expected a mapping ("a")'),
        ([1], {"$bytes": ""}, "is 0 bytes, expected a list of 1 item"),
        ({"a": 1}, {"$bytes": ""}, 'is 0 bytes, expected a mapping ("a")'),
        (b"ab", "ab", "is text, expected 2 bytes"),
        ("ab", {"$bytes": "YWI="}, 'is 2 bytes, expected the text "ab"'),
        ([1, 2, 3], [1, 3], "has 2 items, expected 3; the first that differs is [1]"),
        ([1, 2], [1, 2, 3], "has 3 items, expected 2; the first that differs is [2]"),
    ],
)
def test_the_problem_is_a_sentence(expect, got, problem):
    (mismatch,) = compare(expect, got)
    assert mismatch.problem == problem


def test_bytes_meet_bytes_in_either_form_and_differ_from_a_byte_on():
    assert compare(b"a\xff", {"$bytes": "Yf8="}) == ()
    assert compare({"$bytes": "Yf8="}, b"a\xff") == ()
    (mismatch,) = compare(b"a\xff\x00", {"$bytes": "Yf8="})
    assert mismatch.problem == (
        "differs from byte 2 on: expected 00 of 3 bytes, got the end of 2 bytes"
    )
    assert mismatch.expected == {"$bytes": "Yf8A"}


def test_a_difference_of_texts_carries_its_position():
    (mismatch,) = compare({"kept": "a\n😀b"}, {"kept": "a\n😀c"})
    assert (mismatch.at, mismatch.expected, mismatch.got) == ("kept", "a\n😀b", "a\n😀c")
    assert (mismatch.position.units, mismatch.position.line, mismatch.position.column) == (4, 2, 3)


def test_inside_a_literal_nothing_is_a_matcher_and_no_key_is_extra():
    assert compare({"a": Exactly({"count": 1})}, {"a": {"count": 1}}) == ()
    assert compare({"a": {"count": 1}}, {"a": {"count": 1}})
    (mismatch,) = compare({"a": Exactly({"b": 1})}, {"a": {"b": 1, "c": 2}})
    assert (mismatch.at, mismatch.problem) == ("a.c", "is there, expected no such key")


def test_no_more_differences_are_told_than_help():
    numbers = list(range(1000))
    assert len(compare(numbers, [-1 - n for n in numbers])) == MOST_MISMATCHES


def test_decomposed_and_composed_characters_are_different_texts():
    assert compare("é", "e\u0301")
