"""Days, the path test, and what shows a line."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.staleness import OPS, read_reminder, shows_a_line, stale_days

DAY_MS = constants()["staleness_day_ms"]
NOW_MS = 1_796_040_000_000
times_ms = st.integers(-(10**14), 10**14)


@pytest.mark.parametrize(
    ("age_ms", "days"),
    [
        (2 * DAY_MS - 1, None),
        (2 * DAY_MS, 2),
        (3 * DAY_MS - 1, 2),
        (3 * DAY_MS, 3),
        (0, None),
        (-1, None),
        (-5 * DAY_MS, None),
    ],
)
def test_the_first_reminder_says_two(age_ms, days):
    assert stale_days(NOW_MS, NOW_MS - age_ms) == days


@given(times_ms, times_ms)
def test_days_are_whole_and_never_one(now_ms, mtime_ms):
    days = stale_days(now_ms, mtime_ms)
    age_ms = now_ms - mtime_ms
    if days is None:
        assert age_ms < 2 * DAY_MS
    else:
        assert days >= 2
        assert days * DAY_MS <= age_ms < (days + 1) * DAY_MS


@given(times_ms, times_ms, st.integers(0, 10**12))
def test_a_file_does_not_get_younger(now_ms, mtime_ms, later_ms):
    before = stale_days(now_ms, mtime_ms) or 0
    assert (stale_days(now_ms + later_ms, mtime_ms) or 0) >= before


@pytest.mark.parametrize(
    ("content", "lines"),
    [(b"", 0), (b"\xef\xbb\xbf", 0), (b"a", 1), (b"a\n", 2), (b"\n", 2), (b"a\r\nb", 2)],
)
def test_lines_that_can_be_shown(content, lines):
    assert shows_a_line(content, 1) == (lines > 0)
    if lines:
        assert shows_a_line(content, lines)
    assert not shows_a_line(content, lines + 1)


@given(st.binary(min_size=1).filter(lambda content: content != b"\xef\xbb\xbf"))
def test_every_line_that_lf_separates_can_be_shown(content):
    last = len(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    assert shows_a_line(content, last)
    assert not shows_a_line(content, last + 1)


@pytest.fixture
def memory(tmp_path) -> Path:
    directory = tmp_path / "mem"
    directory.mkdir()
    (directory / "m.md").write_text("one\ntwo\n")
    set_age(directory / "m.md", 5)
    return directory


def set_age(path: Path, days: float) -> None:
    time_s = NOW_MS / 1000 - days * DAY_MS / 1000
    os.utime(path, (time_s, time_s))


def test_a_read_inside_reminds(memory):
    assert read_reminder(str(memory), f"{memory}/m.md", NOW_MS) == 5


def test_memory_that_is_off_does_not_remind(memory):
    assert read_reminder(str(memory), f"{memory}/m.md", NOW_MS, enabled=False) is None


def test_a_neighbour_with_the_same_beginning_is_outside(memory):
    other = memory.with_name("mem2")
    other.mkdir()
    (other / "m.md").write_text("x")
    set_age(other / "m.md", 5)
    assert read_reminder(str(memory), f"{other}/m.md", NOW_MS) is None
    assert read_reminder(str(other), f"{other}/m.md", NOW_MS) == 5


def test_the_path_decides_and_the_target_has_the_age(memory, tmp_path):
    (tmp_path / "out.md").write_text("x")
    set_age(tmp_path / "out.md", 9)
    (memory / "lnk.md").symlink_to("../out.md")
    (tmp_path / "in.md").symlink_to("mem/m.md")
    assert read_reminder(str(memory), f"{memory}/lnk.md", NOW_MS) == 9
    assert read_reminder(str(memory), f"{tmp_path}/in.md", NOW_MS) is None


def test_dots_go_as_text(memory):
    assert read_reminder(str(memory), f"{memory}/no/../m.md", NOW_MS) == 5
    assert read_reminder(str(memory), f"{memory}/../mem/m.md", NOW_MS) == 5


def test_reading_changes_no_time(memory):
    before = (memory / "m.md").stat().st_mtime_ns
    read_reminder(str(memory), f"{memory}/m.md", NOW_MS)
    assert (memory / "m.md").stat().st_mtime_ns == before


def test_a_file_that_is_not_there_is_an_error(memory):
    with pytest.raises(FileNotFoundError):
        read_reminder(str(memory), f"{memory}/none.md", NOW_MS)


def test_the_ops(memory):
    assert OPS["staleness"]({"now_ms": NOW_MS, "mtime_ms": NOW_MS - 2 * DAY_MS}, "") == {"days": 2}
    args = {"memory_dir": str(memory), "file": f"{memory}/m.md", "now_ms": NOW_MS}
    assert OPS["staleness_read"](args, "") == {"days": 5, "before_content": True}
    args["offset"] = 4
    assert OPS["staleness_read"](args, "") == {"days": None, "before_content": None}
