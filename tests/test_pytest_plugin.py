"""`pytest --memassay`, driven as its users do: in a pytest of its own."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytest_plugins = ["pytester"]

MINI = Path(__file__).parent / "cli" / "mini"
PORT = f"{sys.executable} {MINI / 'port.py'}"
QUICKLY = ("-p", "no:syrupy", "-p", "no:hypothesispytest")  # they take a second to start
ALL = 11  # cases of the little spec


@pytest.fixture
def run(pytester):
    """Run pytest in a process of its own, in a project with one test, with a port that is wrong."""
    pytester.makepyfile(test_mine="def test_mine(): pass")
    pytester.makeini("[pytest]\n")

    def run(*args, ways="", command=None):
        command = f"{PORT} {ways}" if command is None else command
        result = pytester.runpytest_subprocess(
            f"--memassay={command}", f"--memassay-spec-root={MINI / 'spec'}", *QUICKLY, *args
        )
        assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
        return result

    return run


def test_a_good_port_passes_beside_the_projects_own_tests(run):
    result = run("-v")
    result.assert_outcomes(passed=ALL + 1)
    result.stdout.fnmatch_lines(
        ["test_mine.py::test_mine PASSED*", "2.1.296::cutting::CUT-1::cut-at PASSED*"]
    )


def test_collecting_starts_no_adapter(run):
    result = run("--collect-only", "-q", command="no-such-command")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["test_mine.py::test_mine", "2.1.296::cutting::CUT-1::cut-at", "*12 tests collected*"]
    )


def test_a_failure_is_told_as_everywhere(run):
    result = run(ways="halves")
    result.assert_outcomes(passed=ALL, failed=1)
    result.stdout.fnmatch_lines(
        [
            "CUT-1 MUST: At most ten UTF-16 code units are kept.",
            "cut-pair: Ten falls inside a pair, *",
            "differs    kept, after 9 equal units (line 1, column 10)",
            'expected   "-😀😀😀😀"',
            'got        "-😀😀😀😀⟨D83D⟩"',
            "run again  memassay run --case cut-pair -- *port.py halves",
            "case       spec/2.1.296/cutting.yaml:*",
            "FAILED 2.1.296::cutting::CUT-1::cut-pair - CUT-1 MUST*",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_a_fault_fails_its_case_and_no_other(run):
    result = run("-k", "listing", ways="crashes")
    result.assert_outcomes(passed=1, failed=3, deselected=8)
    result.stdout.fnmatch_lines(["fault      crash: *", "stderr     about to fall over"])


def test_what_has_no_answer_is_skipped_with_its_reason(run):
    result = run("-rs", ways="lazy small")
    result.assert_outcomes(passed=4, skipped=8)
    result.stdout.fnmatch_lines_random(
        [
            "SKIPPED*the adapter skipped it: cutting is not ready (https://example.org/1)",
            "SKIPPED*the adapter does not list the op head",
        ]
    )


def test_a_should_is_expected_to_fail_unless_strict(run):
    result = run("-rx", "-k", "CUT-3", ways="mute")
    result.assert_outcomes(xfailed=1, deselected=ALL)
    result.stdout.fnmatch_lines(["XFAIL*CUT-3 is a SHOULD: The warning says how long*"])
    run("--memassay-strict", "-k", "CUT-3", ways="mute").assert_outcomes(failed=1, deselected=ALL)


@pytest.fixture
def deviations(pytester):
    def write(*rules):
        lines = [f"  - {{rule: {rule}, reason: on purpose}}" for rule in rules]
        return pytester.makefile(".yaml", deviations="\n".join(["deviations:", *lines]))

    return write


@pytest.mark.parametrize("workers", ["0", "2"])
def test_declared_deviations_are_expected_failures(run, deviations, workers):
    file = deviations("CUT-1")
    result = run(f"--memassay-deviations={file}", "-rx", "-n", workers, ways="halves")
    result.assert_outcomes(passed=ALL, xfailed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["XFAIL*cut-pair*declared deviation: on purpose"])


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_stale_declaration_fails_the_run(run, deviations, workers):
    file = deviations("CUT-1", "LST-2")
    result = run(f"--memassay-deviations={file}", "-n", workers, ways="halves")
    result.assert_outcomes(passed=ALL, xfailed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["LST-2 is declared as a deviation, but all of its cases pass*"])
    result.stdout.no_fnmatch_line("CUT-1 is declared*")


def test_a_part_of_a_rule_shows_no_declaration_to_be_stale(run, deviations):
    file = deviations("CUT-1")
    result = run(f"--memassay-deviations={file}", "-k", "cut-at", ways="halves")
    result.assert_outcomes(passed=1, deselected=ALL)
    assert result.ret == 0


def test_selecting(run):
    run("-k", "CUT-2").assert_outcomes(passed=2, deselected=10)
    run("-m", "memassay").assert_outcomes(passed=ALL, deselected=1)
    run("--memassay-chapter=listing").assert_outcomes(passed=4 + 1)
    run("--memassay-profile=port").assert_outcomes(passed=ALL - 1 + 1)


def test_a_case_is_named_by_its_id(run):
    run("2.1.296::cutting::CUT-1::cut-at").assert_outcomes(passed=1)
    run("2.1.296::listing").assert_outcomes(passed=4)
    run("2.1.296::listing", "test_mine.py").assert_outcomes(passed=5)
    run("-n", "2", "2.1.296::listing").assert_outcomes(passed=4)


def test_last_failed(run):
    run(ways="halves").assert_outcomes(passed=ALL, failed=1)
    run("--lf", ways="halves").assert_outcomes(failed=1, deselected=ALL)
    run("--lf").assert_outcomes(passed=1, deselected=ALL)


def test_in_several_processes(run):
    result = run("-n", "2", ways="halves")
    result.assert_outcomes(passed=ALL, failed=1)
    result.stdout.fnmatch_lines(['got        "-😀😀😀😀⟨D83D⟩"'])


def test_junit(run, pytester):
    run("--junitxml=junit.xml", ways="halves")
    junit = (pytester.path / "junit.xml").read_text(encoding="utf-8")
    cases = ET.fromstring(junit).iter("testcase")  # noqa: S314 (we have just made it)
    (failed,) = [case for case in cases if case.find("failure") is not None]
    assert failed.get("classname") == "2.1.296.cutting.CUT-1"
    assert failed.get("name") == "cut-pair"


@pytest.mark.parametrize("workers", ["0", "2"])
def test_an_adapter_that_does_not_start_is_one_error(run, workers):
    result = run("-n", workers, ways="silent")
    assert result.ret != 0
    result.stdout.fnmatch_lines(
        ["*ERROR collecting 2.1.296*", "the adapter did not start: *", "*no configuration found"]
    )
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--memassay-chapter=cuting"], "there is no chapter 'cuting'"),
        (["--memassay-profile=nobody"], "there is no profile 'nobody'"),
        (["--memassay-deviations=nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (["--memassay-spec-root=nowhere"], "there is no spec of client 2.1.296"),
        (["2.1.296::nonsense"], "there is no case 2.1.296::nonsense"),
        (["--memassay="], "the command is empty"),
        (["--memassay='"], "the command cannot be split"),
        (["--memassay-time-limit=0"], "the time limit is to be more than 0 seconds"),
        (["--memassay-time-limit=nan"], "the time limit is to be more than 0 seconds"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_cannot_be_meant_is_a_usage_error(run, args, said):
    result = run(*args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --memassay: *{said}*"])


def test_without_the_option_it_does_nothing(pytester):
    pytester.makepyfile("def test_mine(): pass")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_importing_the_plugin_imports_nothing_else():
    code = (
        "import sys, pytest\nbefore = set(sys.modules)\n"
        "import memassay.pytest_plugin\nnew = set(sys.modules) - before\n"
        "print(*sorted(n for n in new if n.split('.')[0] not in sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["memassay", "memassay.pytest_plugin"]
