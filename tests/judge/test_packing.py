import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.judge.packing import LONG_UNITS, pack, unpack
from tests.judge.strategies import json_values, long_texts


@given(st.recursive(json_values | long_texts, st.lists, max_leaves=3))
def test_what_was_packed_is_unpacked_through_json_too(value):
    assert unpack(pack(value)) == value
    assert unpack(json.loads(json.dumps(pack(value)))) == value


@pytest.mark.parametrize(
    "text",
    ["x" * LONG_UNITS, "😀" * (LONG_UNITS // 2), "é" * LONG_UNITS, "", "short"],
)
def test_texts_up_to_the_limit_stay_as_they_are(text):
    assert pack(text) == text


@pytest.mark.parametrize(
    "text",
    ["x" * (LONG_UNITS + 1), "😀" * (LONG_UNITS // 2) + "x", "\ud83d" * (LONG_UNITS + 1)],
)
def test_longer_ones_are_compressed(text):
    packed = pack(text)
    assert packed.keys() == {"$zlib"}
    assert len(packed["$zlib"]) < 200
    assert unpack(packed) == text


@pytest.mark.parametrize("value", [{"$zlib": "x"}, {"$plain": {"$zlib": "x"}}, {"$plain": 1}])
def test_a_mapping_that_looks_packed_survives(value):
    assert pack(value) == {"$plain": pack_children(value)}
    assert unpack(pack(value)) == value


def pack_children(value):
    return {key: pack(child) for key, child in value.items()}


@pytest.mark.parametrize(
    ("packed", "problem"),
    [
        ("not base64!", "damaged"),
        ("YWJj", "damaged"),
        (5, "damaged"),
        (pack("x" * 3000)["$zlib"][:12], "damaged|cut off"),
    ],
)
def test_damage_is_told(packed, problem):
    with pytest.raises(ValueError, match=problem):
        unpack({"$zlib": packed})


def test_a_text_that_unpacks_to_too_much_is_refused(monkeypatch):
    packed = pack("x" * 3000)
    monkeypatch.setattr("memassay.judge.packing.MOST_BYTES", 2999)
    with pytest.raises(ValueError, match="more than memassay takes"):
        unpack(packed)
    monkeypatch.setattr("memassay.judge.packing.MOST_BYTES", 3001)
    assert unpack(packed) == "x" * 3000
