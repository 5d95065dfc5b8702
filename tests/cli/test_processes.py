import sys
from pathlib import Path

import pytest

from .conftest import memassay, validate

PORT = Path(__file__).parent.parent / "processes" / "wrong_locks.py"


def processes(mistake, *options):
    return memassay("processes", *options, "--", sys.executable, PORT, mistake)


@pytest.mark.parametrize(
    ("mistake", "code", "said"),
    [
        ("none", 0, "everything is as expected"),
        ("looks, then writes", 1, "nonconforming: 1 scenario"),
        ("has none of it", 3, "nothing could be examined"),
        ("crashes", 4, "the adapter failed in 8 scenarios"),
    ],
)
def test_the_last_line_says_what_the_exit_code_says(mistake, code, said):
    ran = processes(mistake)
    assert ran.code == code
    assert ran.out.splitlines()[-1] == said


def test_a_failure_says_what_why_and_where():
    shown = processes("looks, then writes").out
    assert "prc-backfill-race  Exclusive creation" in shown
    assert "    differs    step 1 (index_backfill in a and b): results has no item" in shown
    assert "    scenario   spec/2.1.296/processes/locks.yaml:" in shown


def test_a_fault_shows_what_the_adapter_wrote_last():
    assert "    stderr     about to end" in processes("ends with words").out


def test_what_was_skipped_says_why():
    assert "8 skipped: the adapter has no op lock\n" in processes("has none of it").out


def test_json():
    ran = processes("looks, then writes", "--format", "json")
    validate("processes", ran.json)
    outcomes = {one["id"]: one["outcome"] for one in ran.json["scenarios"]}
    assert outcomes["prc-backfill-race"] == "fail"
    assert set(outcomes.values()) == {"pass", "fail"}
