"""Locks and the attempt time, as one process sees them; tests/processes has several."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memassay_reference import locks
from memassay_reference.topics import OPS as TOPICS


@pytest.fixture(autouse=True)
def _nothing_held():
    yield
    for file in locks._held.values():
        locks.os.close(file)
    locks._held.clear()


def test_a_lock_is_taken_once_and_left(tmp_path):
    memory = str(tmp_path)
    assert locks.acquire(memory, "dream.lock")
    assert locks.acquire(memory, "dream.lock"), "it holds it already"
    assert not locks.release(memory, "dream.lock")
    assert locks._held == {}


def test_leaving_what_is_not_held_changes_nothing(tmp_path):
    assert locks.release(str(tmp_path), "dream.lock") is False
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_nobody_holds_is_no_lock(tmp_path):
    (tmp_path / "dream.lock").write_text("whatever another implementation wrote")
    assert locks.acquire(str(tmp_path), "dream.lock")
    assert (tmp_path / "dream.lock").read_text() == "whatever another implementation wrote"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.none() | st.integers(0, 3), st.none() | st.integers(0, 3))))
def test_swapping_is_compare_and_swap(tmp_path, swaps):
    memory = str(tmp_path)
    there = locks.last_attempt(memory)
    for expected, value in swaps:
        there = value if there == expected else there
        assert locks.swap_attempt(memory, expected, value) == there
        assert locks.last_attempt(memory) == there


def test_nothing_of_it_is_a_topic(tmp_path):
    memory = str(tmp_path)
    locks.acquire(memory, "extract.lock")
    locks.swap_attempt(memory, None, 1)
    assert TOPICS["topics_scan"]({"memory_dir": memory}, "claude-code") == {"topics": []}
