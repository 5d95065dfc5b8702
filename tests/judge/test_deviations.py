from pathlib import Path

import pytest

from memassay.judge.deviations import Deviation, DeviationError, read_deviations, reasons
from memassay.spec.errors import SpecError


@pytest.fixture
def written(tmp_path, spec):
    def write(text):
        path = tmp_path / "deviations.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_deviations(path, spec)

    return write


GOOD = """\
deviations:
  - rule: SH-2
    reason: >-
      We keep ß
      as it is.
  - {rule: NO-1, reason: read-only, issue_url: "https://example.org/7"}
"""


def test_rules_reasons_and_issues_are_read_in_order(written):
    found = written(GOOD)
    assert found == (
        Deviation("SH-2", "We keep ß as it is."),
        Deviation("NO-1", "read-only", "https://example.org/7"),
    )
    assert reasons(found) == {
        "SH-2": "We keep ß as it is.",
        "NO-1": "read-only (https://example.org/7)",
    }


def test_there_may_be_none(written):
    assert written("deviations: []") == ()


@pytest.mark.parametrize(
    ("text", "line", "problem", "hint"),
    [
        ("deviations:\n  - {rule: SH-9, reason: x}", 2, "has no rule SH-9", "did you mean SH-"),
        ("deviations:\n  - {rule: sh-2, reason: x}", 2, "has no rule sh-2", "SH-2"),
        ("deviations:\n  - {rule: sh-ascii, reason: x}", 2, "no rule sh-ascii", "its rule is SH-1"),
        ("deviations:\n  - {rule: XYZZY, reason: x}", 2, "no rule XYZZY", "memassay list --rules"),
        (
            "deviations:\n  - {rule: SH-1, reason: x}\n  - {rule: SH-1, reason: y}",
            3,
            "declared twice",
            "keep one",
        ),
        ("deviations:\n  - rule: SH-1", 2, "'reason' is a required property", "guide"),
        ("deviations:\n  - {rule: SH-1, reason: ''}", 2, "", "guide"),
        ("deviations:\n  - {rule: SH-1, reason: x, why: y}", 2, "'why' was unexpected", "guide"),
        ("deviations:\n  - {rule: SH-1, reason: x, issue_url: 7}", 2, "7 is not", "guide"),
        ("deviations: SH-1", 1, "'SH-1' is not of type 'array'", "guide"),
        ("SH-1: whisper", 1, "", "guide"),
        ("", None, "None is not of type 'object'", "guide"),
        ("deviations:\n  - {rule: [", 2, "", "guide"),
        ("deviations: []\ndeviations: []", 2, "duplicate key", "guide"),
        (b"deviations: \xff", None, "is not UTF-8", "guide"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(written, text, line, problem, hint):
    with pytest.raises(DeviationError) as caught:
        written(text)
    error = caught.value
    assert error.where.path.name == "deviations.yaml"
    assert error.where.line == line
    assert problem in error.message
    assert hint in error.hint
    place = "deviations.yaml" if line is None else f"deviations.yaml:{line}"
    assert place in str(error).splitlines()[0]


def test_a_file_that_cannot_be_read_is_named(spec, tmp_path):
    with pytest.raises(SpecError, match=r"none\.yaml: cannot be read: No such file or directory"):
        read_deviations(tmp_path / "none.yaml", spec)
    with pytest.raises(SpecError, match="cannot be read: Is a directory"):
        read_deviations(Path(tmp_path), spec)
