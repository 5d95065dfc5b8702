import os
import re
import shlex
import shutil
import subprocess

import pytest

from memassay.adapter.messages import FaultKind
from memassay.judge.compare import compare
from memassay.judge.verdict import Mismatch, Outcome, Verdict
from memassay.report.failure import MAX_DIFFERENCES, MAX_STDERR_LINES, reproduce, rows
from memassay.report.rows import plain
from memassay.report.visible import columns

AGAIN = "memassay run --case ID -- node adapter.mjs"


def verdict(case="cut-pair", outcome=Outcome.FAIL, **parts):
    return Verdict(case, "CUT-1", "cutting", "MUST", outcome, **parts)


def told(mini, verdict_):
    return plain(rows(verdict_, mini, AGAIN))


def differing(mini, expected, got, at="kept"):
    found = compare(expected, got, at)
    assert found
    return told(mini, verdict(mismatches=found))


def test_a_failure_of_text(mini, snapshot):
    expected = "-" + "😀" * 4
    assert differing(mini, expected, expected + "\ud83d") == snapshot


def test_a_failure_far_inside_a_long_text(mini, snapshot):
    lines = [f"- entry {n:03} of the index\n" for n in range(300)]
    expected = "".join(lines)
    assert differing(mini, expected, expected.replace("entry 200", "entry  200")) == snapshot


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ("abcdef", "abcxef"),
        ("日本語", "日本人"),
        ("a" * 100 + "x", "a" * 100 + "y"),
        (" a\tb \r\n", "a\tb"),
        ("a b", "a c"),
        ("a ", "a x"),
        ("abc", "abcd"),
        ("é" * 40 + "x", "é" * 40 + "y"),
        ("x\u0301" * 40 + "x", "x\u0301" * 40 + "y"),
        ("漢" * 60 + "x" + "字" * 60, "漢" * 60 + "y" + "字" * 60),
        ("\u200b" * 60 + "x" + "\u200b" * 60, "\u200b" * 60 + "y"),
    ],
)
def test_the_mark_points_at_the_first_difference(mini, expected, got):
    lines = differing(mini, expected, got).splitlines()
    one, other, mark = (
        next(line for line in lines if re.match(sign, line)) for sign in ("expected", "got", " +▲")
    )
    column = mark.index("▲")
    assert prefix(one, column) == prefix(other, column)
    assert prefix(one, column + 3) != prefix(other, column + 3)
    assert max(map(columns, (one, other))) <= 76  # it is indented by four on a terminal of 80


def prefix(line, width):
    """What stands in the first columns of a line, its label left out."""
    text = line[11:].replace("␠", " ")  # how a space is shown depends on what follows it
    end = next((n for n in range(len(text) + 1) if columns(text[:n]) > width - 11), len(text) + 1)
    return text[: end - 1]


def test_bytes_are_shown_as_bytes(mini, snapshot):
    expected, got = bytes(range(20)), bytes(range(15)) + b"\xff" + bytes(4)
    assert differing(mini, expected, {"$bytes": "AAECAwQFBgcICQoLDA0O/wAAAAA="}, "head") == snapshot
    assert got  # the same bytes, as the wire has them


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (None, "warning"),
        ({"contains": "29.3KB"}, "WARNING: 29.4KB"),
        ({"any_of": [1, {"absent": True}]}, 3),
        (["a.md", "b.md"], ["a.md", "c.md", "b.md"]),
        ([{"path": "a.md", "type": "user"}], [{"path": "a.md", "type": None}]),
        (12, 13),
        (True, 1),
        ("text", None),
        (b"\xff", "text"),
    ],
    ids=repr,
)
def test_other_differences(mini, expected, got, snapshot):
    assert differing(mini, expected, got) == snapshot


@pytest.mark.parametrize(
    ("expected", "got", "said"),
    [
        ("<system>", "<s\u0443stem>", "(line 1, column 3): U+0079 expected, U+0443 got"),
        ("é", "e\u0301", "from the start: U+00E9 expected, U+0065 got"),
        ("abc", "abd", "(line 1, column 3)"),
        ("abé", "ab", "(line 1, column 3)"),
    ],
)
def test_characters_that_might_look_alike_are_named(mini, expected, got, said):
    (line,) = [one for one in differing(mini, expected, got).splitlines() if "differs" in one]
    assert line.endswith(said)


def test_an_error_instead_of_a_result(mini):
    problem = 'is the error "exit-2" ("no such file"), expected a result'
    found = Mismatch("error", problem, None, {"code": "exit-2", "message": "no such file"})
    shown = told(mini, verdict(mismatches=(found,)))
    assert f"differs    the answer {problem}\n" in shown
    assert "got  " not in shown


def test_only_the_first_differences_are_shown(mini):
    many = tuple(Mismatch(f"at{n}", "is wrong", n, -n) for n in range(1, 8))
    shown = told(mini, verdict(mismatches=many))
    assert shown.count("differs") == MAX_DIFFERENCES == 3
    assert "… and 4 more differences" in shown
    exactly = told(mini, verdict(mismatches=many[:3]))
    assert "more difference" not in exactly
    assert "… and 1 more difference\n" in told(mini, verdict(mismatches=many[:4]))


def test_a_fault_shows_what_happened_and_the_end_of_stderr(mini, snapshot):
    fault = verdict(
        "lst-three",
        Outcome.FAULT,
        fault=FaultKind.CRASH,
        reason="the process ended (exit code 1)",
        stderr="".join(f"line {n}\n" for n in range(MAX_STDERR_LINES + 3)) + "\x1b[31mred\ttab",
    )
    assert told(mini, fault) == snapshot


def test_a_case_that_the_spec_does_not_have_is_still_told(mini):
    shown = told(
        mini, verdict("cut-gone", mismatches=(Mismatch("kept", "is 1, expected 2", 2, 1),))
    )
    assert "kept is 1, expected 2" in shown
    assert AGAIN in shown


def test_a_case_of_another_version_is_run_again_by_its_spec():
    again = reproduce("cut-at", ["node", "a.mjs"], version="2.1.400")
    assert again == "memassay run --case cut-at --spec-version 2.1.400 -- node a.mjs"


@pytest.mark.parametrize(
    ("command", "profile", "line"),
    [
        (
            ["node", "my adapter.mjs"],
            "claude-code",
            "memassay run --case cut-at -- node 'my adapter.mjs'",
        ),
        (["node", "a.mjs"], "port", "memassay run --case cut-at --profile port -- node a.mjs"),
        (["--reference"], "claude-code", "memassay run --case cut-at --reference"),
        (
            ["--program", "sh prog.sh 'x y'"],
            "claude-code",
            "memassay run --case cut-at --program 'sh prog.sh '\"'\"'x y'\"'\"''",
        ),
    ],
)
def test_the_line_to_run_it_again(command, profile, line):
    assert reproduce("cut-at", command, profile) == line
    assert shlex.split(line)[-1] == command[-1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    "word", ["two\nlines", "\u202eevil\u200b", "it's \\ \x1b[31m", "\udcff byte", "a\tb ␉"]
)
def test_the_line_to_run_it_again_hides_nothing_and_says_the_same_to_a_shell(word):
    line = reproduce("cut-at", ["--program", word])
    assert line.isprintable()
    out = subprocess.run(
        ["bash", "-c", line.replace("memassay run", "printf '%s\\0'", 1)],
        capture_output=True,
        check=True,
    ).stdout
    assert out.split(b"\0")[:-1] == [b"--case", b"cut-at", b"--program", os.fsencode(word)]


def test_nothing_in_a_failure_breaks_a_line_or_a_terminal(mini):
    nasty = "\x1b[2J\n\r\u202e\u2028\x00"
    shown = told(
        mini,
        verdict(
            outcome=Outcome.FAULT,
            reason=nasty,
            stderr=nasty,
            issue_url=nasty,
            mismatches=(Mismatch(nasty, "is wrong", nasty, nasty + "x"),),
        ),
    )
    assert not set(shown) & set("\x1b\r\u202e\u2028\x00")
