"""One name for one project: what it is made of, and where the hash comes in."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.js_text import encode_units, length_units
from memassay_reference.project_key import OPS, project_key, slug

LIMIT = constants()["project_key_max_units"]
LONGEST_HASH = len("zik0zk")  # 2³¹ in base 36

texts = st.text(st.characters())
long_texts = st.text(st.characters(), min_size=LIMIT, max_size=LIMIT + 150)


def polynomial_hash(text: str) -> int:
    """Return the hash from its definition, Σ unit × 31^(n−1−i), instead of step by step."""
    units = encode_units(text)
    values = [int.from_bytes(units[i : i + 2], "little") for i in range(0, len(units), 2)]
    total = sum(value * 31 ** (len(values) - 1 - i) for i, value in enumerate(values))
    return (total + 2**31) % 2**32 - 2**31


@given(texts)
def test_a_slug_is_as_long_as_its_path_and_plain(path):
    assert length_units(slug(path)) == length_units(path)
    assert re.fullmatch(r"[A-Za-z0-9-]*", slug(path))


@given(texts, texts)
def test_a_slug_is_made_character_by_character(left, right):
    assert slug(left + right) == slug(left) + slug(right)


@given(st.text("abcXYZ019", max_size=LIMIT))
def test_letters_and_digits_stay(path):
    assert project_key(path) == path


@given(long_texts)
def test_a_long_key_ends_in_the_hash_of_the_path(path):
    key = project_key(path)
    if length_units(path) <= LIMIT:
        assert key == slug(path)
        return
    assert key[:LIMIT] == slug(path)[:LIMIT]
    assert key[LIMIT] == "-"
    assert len(key) <= LIMIT + 1 + LONGEST_HASH
    assert int(key[LIMIT + 1 :], 36) == abs(polynomial_hash(path))


@pytest.mark.parametrize("character", ["a", "é", "記", "😀"])
def test_the_limit_is_one_of_units(character):
    units = length_units(character)
    fits = character * (LIMIT // units)
    assert project_key(fits) == slug(fits)
    assert project_key(fits + "x").count("-") == slug(fits + "x")[:LIMIT].count("-") + 1


def test_the_sign_of_the_hash_is_lost():
    stem = "/k/" + "b" * 190 + "/a5wtwd3"
    assert [polynomial_hash(stem + end) for end in "xyz"] == [-1, 0, 1]
    assert project_key(stem + "x") == project_key(stem + "z")
    assert project_key(stem + "y").endswith("-0")


def test_halves_of_pairs_are_units_too():
    assert slug("\ud83d") == "-"
    assert slug("\ud83d\ude00") == slug("😀") == "--"


def test_the_op():
    assert OPS["project_key"]({"path": "/t/x"}, "claude-code") == {"key": "-t-x"}
