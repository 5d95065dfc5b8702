import os

import pytest
from memassay_claude_code.errors import CannotWitnessError, ClientAskedError
from memassay_claude_code.ops_reading import staleness, staleness_read

DAY_MS = 86_400_000
NOW_MS = 1_796_040_000_000
"""2026-11-30T12:00:00Z, the clock of the cases: not the fake's clock."""


@pytest.mark.parametrize(
    ("age_ms", "days"),
    [
        (0, None),
        (2 * DAY_MS - 60_000, None),
        (2 * DAY_MS, 2),
        (3 * DAY_MS - 60_000, 2),
        (400 * DAY_MS, 400),
        (-10 * DAY_MS + 60_000, None),
    ],
)
def test_staleness(bench, age_ms, days):
    seen = staleness(bench(), {"now_ms": NOW_MS, "mtime_ms": NOW_MS - age_ms})
    assert seen == {"days": days}


def test_one_client_tells_several_ages(bench):
    one = bench()
    ages = [5, 0, 5, 9]
    seen = [staleness(one, {"now_ms": NOW_MS, "mtime_ms": NOW_MS - n * DAY_MS}) for n in ages]
    assert [answer["days"] for answer in seen] == [5, None, 5, 9]


def test_a_day_that_ends_while_the_client_reads_is_no_answer(bench):
    with pytest.raises(CannotWitnessError, match="day's end"):
        staleness(bench(), {"now_ms": NOW_MS, "mtime_ms": NOW_MS - 2 * DAY_MS + 0.001})


def test_a_time_that_no_file_can_have(bench, monkeypatch):
    monkeypatch.setattr("memassay_claude_code.ops_reading._WIDE_TIMES", "/none")
    with pytest.raises(CannotWitnessError, match="file system"):
        staleness(bench(), {"now_ms": NOW_MS, "mtime_ms": -(10**19)})


@pytest.fixture
def memory(nothing_left):
    path = nothing_left / "case" / "mem"
    path.mkdir(parents=True)
    (path / "m.md").write_text("a\nb\nc\n")
    times_ns = (NOW_MS - 5 * DAY_MS) * 10**6
    os.utime(path / "m.md", ns=(times_ns, times_ns))
    return path


def test_staleness_read(bench, memory):
    before = (memory / "m.md").stat()
    args = {"memory_dir": str(memory), "file": str(memory / "m.md"), "now_ms": NOW_MS}
    assert staleness_read(bench(), args) == {"days": 5, "before_content": True}
    assert (memory / "m.md").stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.parametrize(
    ("more", "days"),
    [({"offset": 2, "limit": 1}, 5), ({"offset": 100}, None), ({"enabled": False}, None)],
)
def test_staleness_read_passes_what_it_is_asked(bench, memory, more, days):
    args = {"memory_dir": str(memory), "file": str(memory / "m.md"), "now_ms": NOW_MS, **more}
    assert staleness_read(bench(), args)["days"] == days


def test_a_file_that_is_not_there(bench, memory):
    args = {"memory_dir": str(memory), "file": str(memory / "none.md"), "now_ms": NOW_MS}
    assert staleness_read(bench(), args) == {"days": None, "before_content": None}


def test_a_client_that_refuses_to_read(bench, memory):
    args = {"memory_dir": str(memory), "file": str(memory / "m.md"), "now_ms": NOW_MS}
    with pytest.raises(ClientAskedError, match="no permission"):
        staleness_read(bench("deny"), args)


def test_a_session_that_backfills_leaves_no_trace_of_it(bench, memory):
    args = {"memory_dir": str(memory), "file": str(memory / "m.md"), "now_ms": NOW_MS}
    before = memory.stat().st_mtime_ns
    staleness_read(bench(), args)
    assert [path.name for path in memory.iterdir()] == ["m.md"]
    assert memory.stat().st_mtime_ns == before


def test_a_client_that_touches_what_it_reads_is_not_covered_up(bench, memory):
    args = {"memory_dir": str(memory), "file": str(memory / "m.md"), "now_ms": NOW_MS}
    before = (memory / "m.md").stat().st_mtime_ns
    staleness_read(bench("touch"), args)
    assert (memory / "m.md").stat().st_mtime_ns != before


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="no tmpfs here")  # noqa: PTH112 (a text)
def test_times_that_only_another_file_system_holds(bench):
    year_1_ms = -62_135_596_800_000
    assert staleness(bench(), {"now_ms": NOW_MS, "mtime_ms": year_1_ms}) == {"days": 739_949}
