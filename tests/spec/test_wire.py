import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec.wire import MOST_DEEP, NestedError, from_wire, parse_json, to_wire

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters()) | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("abc"), inner),
)


@given(VALUES)
def test_values_survive_the_wire(value):
    assert from_wire(json.loads(json.dumps(to_wire(value)))) == value


def test_bytes_that_are_no_base64_are_refused():
    with pytest.raises(ValueError, match="base64"):
        from_wire([{"$bytes": "?"}])


@pytest.mark.parametrize("pair", ["[]", '{"a":}'])
def test_json_is_read_as_deep_as_everybody_can_bear(pair):
    opening, closing = pair[:-1], pair[-1]
    inner = "1"
    assert parse_json(opening * MOST_DEEP + inner + closing * MOST_DEEP)
    for depth in (MOST_DEEP + 1, 900, 100_000):
        with pytest.raises(NestedError, match="more than 100 deep"):
            parse_json(opening * depth + inner + closing * depth)
    assert len(parse_json(f"[{'[],' * 500}1]")) == 501  # many are not deep


@pytest.mark.parametrize("text", ["NaN", "[-Infinity]", "1e999", "[", ""])
def test_what_json_has_not_is_refused(text):
    with pytest.raises(ValueError, match=r"no JSON value|too large|Expecting"):
        parse_json(text)
