import pytest

from memassay.spec import SpecError, constants, table


def test_constants_by_id():
    assert constants()["index_max_units"] == 25_000


def test_unknown_tables_name_the_known_ones():
    with pytest.raises(SpecError, match="there is no table 'x'\n  there are: "):
        table("x")
