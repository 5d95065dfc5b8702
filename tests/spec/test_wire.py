import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec.wire import from_wire, to_wire

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
