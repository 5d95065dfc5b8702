import pytest

from memassay.spec import SpecError, constants, table


def test_constants_by_id():
    assert constants()["index_max_units"] == 25_000


def test_unknown_tables_name_the_known_ones():
    with pytest.raises(SpecError, match="there is no table 'x'\n  there are: "):
        table("x")


def test_an_entry_of_an_overlays_table_replaces_that_entry_only():
    below, above = (table("sanitise-lookalikes", one) for one in ("2.1.296", "2.1.332"))
    changed = {key for key in below if below[key] != above[key]}
    assert changed == {"about", "less_than", "greater_than", "ignored"}
    assert above.keys() == below.keys()
