"""`run`, and what is done with the stream that it writes."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from memassay.adapter.errors import StartError
from memassay.cli.commands.run import command as run_command
from tests.cli.conftest import MINI, SPEC, environment, memassay, validate

ROOT = ("--spec-root", SPEC)


def adapter(*ways):
    return ("--", sys.executable, MINI / "port.py", *ways)


def run(*options, ways=(), **more):
    return memassay("run", *ROOT, *options, *adapter(*ways), **more)


def command(*args):
    return [sys.executable, "-m", "memassay", "run", *map(str, (*ROOT, *args))]


def deviations(tmp_path, *rules):
    file = tmp_path / "deviations.yaml"
    entries = "".join(f"  - {{rule: {rule}, reason: on purpose}}\n" for rule in rules)
    file.write_text(f"deviations:\n{entries}")
    return file


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    """Verdict streams of ports that are wrong in different ways, by those ways."""
    directory = tmp_path_factory.mktemp("streams")
    made = {}
    for ways in ("", "halves touches mute", "forgets small", "crashes"):
        made[ways] = directory / f"{ways or 'good'}.jsonl"
        run("--out", made[ways], ways=ways.split())
    return made


@pytest.mark.parametrize(
    ("ways", "options", "code", "last"),
    [
        ("", [], 0, "everything is as expected"),
        ("halves", [], 1, "nonconforming: 1 case"),
        ("mute", [], 0, "everything is as expected"),
        ("mute", ["--strict"], 1, "nonconforming: 1 case"),
        ("lazy", [], 3, "the adapter skipped 7 cases"),
        ("small", [], 0, "everything is as expected"),
        ("small", ["--rule", "LST-2"], 3, "nothing was judged"),
        ("crashes", [], 4, "the adapter failed on 3 cases"),
        ("hangs", ["--time-limit", "0.3", "--case", "lst-empty"], 4, "failed on 1 case"),
    ],
)
def test_exit_codes(ways, options, code, last):
    ran = run(*options, ways=ways.split())
    assert ran.code == code
    assert last in ran.out.splitlines()[-1]
    assert ran.err == ""


def test_declared_deviations(tmp_path):
    file = deviations(tmp_path, "CUT-1")
    ran = run("--deviations", file, ways=["halves"])
    assert ran.code == 0
    assert "CUT-1  on purpose (1 of 4 cases fail)" in ran.out
    stale = run("--deviations", file)
    assert stale.code == 2
    assert "declared, but obeyed: CUT-1" in stale.out


@pytest.mark.parametrize("columns", ["80", "140"])
def test_the_report(columns, snapshot):
    ran = run(ways=["halves", "crashes", "small", "mute"], env={"COLUMNS": columns})
    assert ran.out.replace(sys.executable, "python").replace(str(MINI), "MINI") == snapshot


def test_at_most_ten_cases_are_told_unless_asked():
    ways = ["trims", "forgets", "swaps", "mute", "long", "doubles", "touches"]
    some, two, all_ = (
        run(*options, ways=ways).out for options in ([], ["--max-shown", "2"], ["--max-shown", "0"])
    )
    assert two.count("run again") == 2
    assert "--max-shown 0 shows all" in two
    assert "--max-shown" not in all_
    assert all_.count("run again") == some.count("run again") == 8


def test_the_line_to_run_it_again_runs_it_again():
    told = run(ways=["halves"]).out
    (line,) = [line for line in told.splitlines() if "run again" in line]
    words = line.split("run again")[1].split()
    assert words[0] == "memassay"
    again = memassay(words[1], *ROOT, *words[2:])
    assert again.code == 1
    assert "cases" in again.out
    assert "cut-pair" in again.out


@pytest.mark.parametrize(
    ("options", "cases"),
    [
        (["--chapter", "listing"], 4),
        (["--rule", "CUT-1", "--rule", "CUT-3"], 5),
        (["--case", "cut-at"], 1),
        (["--chapter", "cutting", "--rule", "CUT-2"], 2),
        (["--profile", "port"], 10),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_narrowing(options, cases):
    document = run(*options, "--format", "json").json
    assert document["counts"]["conforming"] == len(document["cases"]) == cases


def test_the_adapters_own_options_are_its_own():
    # without `--`, everything from the first word that is no option of ours is the adapter's
    ran = memassay("run", *ROOT, "--case", "cut-pair", sys.executable, MINI / "port.py", "halves")
    assert ran.code == 1
    ran = memassay("run", *ROOT, *adapter("--case", "halves"))
    assert ran.code == 1
    assert "--case halves" in ran.out


@pytest.mark.parametrize("ways", ["", "halves touches mute", "forgets small", "crashes"])
def test_json_obeys_the_schema(streams, ways):
    document = memassay("report", streams[ways], "--format", "json", *ROOT).json
    validate("report", document)
    validate("run", document)
    assert run("--format", "json", ways=ways.split()).json == document


def test_jsonl_is_the_stream_and_obeys_its_schema(streams):
    ran = run("--format", "jsonl", ways=["forgets", "small"])
    assert ran.out == streams["forgets small"].read_text()
    schema = memassay("run", "--schema", "--format", "jsonl").json
    validator = Draft202012Validator(schema)
    for line in ran.out.splitlines():
        validator.validate(json.loads(line))


def test_equal_runs_write_equal_streams(streams, tmp_path):
    run("--jobs", "2", "--out", tmp_path / "again.jsonl", ways=["forgets", "small"])
    assert (tmp_path / "again.jsonl").read_bytes() == streams["forgets small"].read_bytes()


def test_junit_and_markdown(streams):
    junit = memassay("report", streams["crashes"], "--format", "junit", *ROOT).out
    assert junit == run("--format", "junit", ways=["crashes"]).out
    assert ET.fromstring(junit.encode()).get("errors") == "3"  # noqa: S314 (we have just made it)
    markdown = memassay("report", streams["crashes"], "--format", "markdown", *ROOT).out
    assert markdown == run("--format", "markdown", ways=["crashes"]).out
    assert markdown.startswith("## mini-port 1.2 (Python): the adapter failed on 3 cases\n")


def test_html(streams):
    page = memassay("report", streams["crashes"], "--format", "html", *ROOT).out
    assert page == run("--format", "html", ways=["crashes"]).out
    assert page.startswith("<!doctype html>\n")
    assert page.endswith("</html>\n")
    # the same bytes wherever it is written, also where standard output is not UTF-8
    narrow = {"PYTHONIOENCODING": "ascii"}
    assert memassay("report", streams["crashes"], "--format", "html", *ROOT, env=narrow).out == page
    few = memassay("report", streams["crashes"], "--format", "html", "--max-shown", "1", *ROOT).out
    assert few.count('class="case"') == 1


def test_badge_obeys_its_schema(streams):
    schema = memassay("report", "--schema", "--format", "badge").json
    assert memassay("run", "--schema", "--format", "badge").json == schema
    for ways, stream in streams.items():
        badge = memassay("report", stream, "--format", "badge", *ROOT).json
        Draft202012Validator(schema).validate(badge)
        ran = run("--format", "badge", ways=ways.split())
        assert ran.json == badge
        assert (ran.code == 0) == (badge["color"] in {"brightgreen", "green", "yellowgreen"})
        assert ("isError" in badge) == (ran.code in (3, 4))


def test_report_exits_0_whatever_it_shows(streams):
    for stream in streams.values():
        assert memassay("report", stream, *ROOT).code == 0


def test_verify(streams, tmp_path):
    good = streams["halves touches mute"]
    ran = memassay("verify", good, *ROOT)
    assert (ran.code, ran.out) == (0, "11 verdicts, all derived again\n")

    changed = tmp_path / "changed.jsonl"
    changed.write_text(good.read_text().replace('"outcome":"fail"', '"outcome":"pass"', 1))
    ran = memassay("verify", changed, *ROOT, "--format", "json")
    assert ran.code == 1
    validate("verify", ran.json)
    assert {problem["case"] for problem in ran.json["problems"]} >= {None, "cut-pair"}

    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(good.read_text().splitlines(keepends=True)[:6]))
    ran = memassay("verify", cut, *ROOT)
    assert ran.code == 3
    assert "the stream has no footer: it was cut off" in ran.out


def test_diff(streams, snapshot):
    a, b = streams["halves touches mute"], streams["forgets small"]
    ran = memassay("diff", a, b, *ROOT)
    assert ran.code == 1
    assert ran.out == snapshot
    same = memassay("diff", a, a, *ROOT)
    assert same.code == 0
    assert same.out.endswith("11 unchanged\n")
    document = memassay("diff", a, b, "--format", "json", *ROOT)
    assert document.code == 1
    validate("diff", document.json)
    assert memassay("diff", a, b, "--format", "markdown", *ROOT).out.startswith("## ")


def test_the_reference_and_a_program_are_examined_too(tmp_path):
    program = tmp_path / "prog.py"
    program.write_text(
        "import json, sys\n"
        "if '--ops' in sys.argv: print('cut'); sys.exit()\n"
        "text = json.load(sys.stdin)['text']\n"
        "print(json.dumps({'kept': text[:10], 'warning': None}))\n"
    )
    command = f"{sys.executable} {program}"
    ran = memassay("run", *ROOT, "--case", "cut-at", "--program", command)
    assert ran.code == 0
    ran = memassay("run", *ROOT, "--case", "cut-past", "--program", command)
    assert ran.code == 1
    assert f"memassay run --case cut-past --program '{command}'" in ran.out


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ([], 2, "name what is to be examined"),
        (["--reference", "--program", "x"], 2, "name what is to be examined"),
        (["--case", "cut-apst", *adapter()], 2, "did you mean cut-past"),
        (["--rule", "CUT-4", *adapter()], 2, "CUT-4 has no cases: Nobody can see it"),
        (
            ["--profile", "port", "--rule", "CUT-3", *adapter()],
            2,
            "profile port leaves out CUT-3: the port has no advice",
        ),
        (["--chapter", "listing", "--rule", "CUT-1", *adapter()], 2, "no case is left to put"),
        (["--profile", "nobody", *adapter()], 2, "there is no profile 'nobody'"),
        (["--jobs", "0", *adapter()], 2, "0 is not in the range"),
        (["--time-limit", "0", *adapter()], 2, "0.0 is not in the range"),
        (["--deviations", "nowhere.yaml", *adapter()], 2, "nowhere.yaml: cannot be read"),
        (["--out", "/nowhere/x.jsonl", *adapter()], 2, "/nowhere/x.jsonl cannot be written"),
        (["--", "no-such-command"], 4, "there is no command"),
        (adapter("silent"), 4, "no configuration found"),
    ],
    ids=lambda value: " ".join(map(str, value[:2])) if isinstance(value, (list, tuple)) else "",
)
def test_what_cannot_be_run_is_told_clearly(args, code, said, tmp_path):
    ran = memassay("run", *ROOT, *args, cwd=tmp_path)
    assert ran.code == code
    assert ran.out == ""
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []


def test_an_unreadable_deviations_file_is_told_with_its_line(tmp_path):
    file = deviations(tmp_path, "CUT-1", "CUT-11")
    ran = run("--deviations", file)
    assert ran.code == 2
    assert "deviations.yaml:3 [CUT-11]: client 2.1.296 has no rule CUT-11" in ran.err
    assert "did you mean CUT-1" in ran.err


@pytest.mark.parametrize("name", ["report", "verify", "diff"])
def test_a_file_that_is_no_stream_is_told(name, tmp_path):
    file = tmp_path / "no stream"
    file.write_text("hello\n")
    for stream, said in ((file, "is no verdict stream"), (tmp_path / "none", "cannot be read")):
        ran = memassay(name, *([stream] * (2 if name == "diff" else 1)), *ROOT)
        assert ran.code == 2
        assert said in ran.err


def test_a_run_that_cannot_start_leaves_an_older_stream_alone(tmp_path):
    out = tmp_path / "verdicts.jsonl"
    out.write_text("precious")
    assert run("--out", out, ways=["silent"]).code == 4
    assert out.read_text() == "precious"


def test_a_missing_prerequisite_is_no_skip(spec_copy):
    chapter = spec_copy / "2.1.296" / "listing.yaml"
    chapter.write_text(
        chapter.read_text().replace("memory: {dir: true}}", "memory: {git: repository}}")
    )
    bare = {"PATH": "/nowhere"}
    ran = memassay("run", "--spec-root", spec_copy, *adapter(), env=bare)
    assert ran.code == 4
    assert "git: there is no such command (case lst-empty needs it)" in ran.err


def test_ctrl_c_leaves_a_stream_that_says_it_is_incomplete(tmp_path):
    out = tmp_path / "verdicts.jsonl"
    with subprocess.Popen(
        command("--out", out, *adapter("slow")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + 60
        while not (out.exists() and out.read_text().count("\n") >= 3):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        told, complaints = process.communicate(timeout=60)
    assert process.returncode == 3
    assert b"Traceback" not in complaints
    lines = out.read_text().splitlines()
    footer = json.loads(lines[-1])
    assert (footer["complete"], footer["reason"]) == (False, "interrupted")
    assert told.decode().splitlines()[-1] == "the run was interrupted"
    assert memassay("verify", out, *ROOT).code == 3


def test_a_reader_that_goes_away_ends_the_run_quietly():
    with subprocess.Popen(
        command("--format", "jsonl", *adapter("slow")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 3


def test_a_terminal_gets_a_progress_bar_and_a_pipe_does_not():
    main, side = pty.openpty()
    with subprocess.Popen(
        command(*adapter()), stdout=subprocess.PIPE, stderr=side, env=environment(TERM="xterm")
    ) as process:
        told = process.stdout.read().decode()
        process.wait(60)
    os.close(side)
    shown = b""
    while chunk := _read(main):
        shown += chunk
    os.close(main)
    assert b"mini-port" in shown
    assert "11/11" in shown.decode()
    assert told == run().out


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other side is closed
        return b""


@pytest.mark.parametrize(("limit_s", "failure"), [("60", None), ("0.1", StartError)])
def test_whoever_gives_an_answer_longer_gives_the_start_longer(monkeypatch, limit_s, failure):
    monkeypatch.setattr("memassay.adapter.connect.START_LIMIT_S", 0.1)
    late = f"sleep 1; exec '{sys.executable}' '{MINI / 'port.py'}'"
    options = ["--spec-root", str(SPEC), "--time-limit", limit_s, "--", "sh", "-c", late]
    done = CliRunner().invoke(run_command, options, standalone_mode=False)
    assert done.exception is None if failure is None else isinstance(done.exception, failure)
