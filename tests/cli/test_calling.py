"""What holds for every command: help, versions, usage errors, pipes, faults."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from memassay.cli.group import COMMANDS
from tests.cli.conftest import SPEC, environment, memassay

MINI = ("--spec-root", SPEC)


def test_help_lists_every_command_with_its_sentence():
    ran = memassay("--help")
    assert ran.code == 0
    text = " ".join(ran.out.split())
    places = [text.index(f"{name} {sentence}") for name, sentence in COMMANDS.items()]
    assert places == sorted(places)


def test_help_imports_no_command_and_nothing_heavy():
    code = (
        "import sys\nsys.argv = ['memassay', '--help']\n"
        "from memassay.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env=environment()
    )
    loaded = set(done.stderr.split())
    assert "memassay.cli.group" in loaded
    assert not {name for name in loaded if name.startswith("memassay.cli.commands")}
    assert not loaded & {"ruamel.yaml", "jsonschema", "attr", "memassay.spec", "memassay.judge"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command(name):
    ran = memassay(name, "--help", env={"COLUMNS": "100"})
    assert (ran.code, ran.err) == (0, "")
    text = " ".join(ran.out.split())
    assert COMMANDS[name] in text
    module = import_module(f"memassay.cli.commands.{name.replace('-', '_')}")
    for parameter in module.command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert option in text
    assert ("--schema" in text) == (name != "new-adapter")


def test_version():
    ran = memassay("--version")
    assert ran.code == 0
    assert ran.out.startswith("memassay ")


def test_console_script_and_module_are_the_same():
    script = Path(sys.executable).with_name("memassay")
    done = subprocess.run(
        [script, "--version"], capture_output=True, check=True, text=True, env=environment()
    )
    assert done.stdout == memassay("--version").out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["lst"], "No such command 'lst'. Did you mean 'list'?"),
        (["--nonsense"], "No such option '--nonsense'"),
        (["list", "--fromat", "json"], "Did you mean '--format'?"),
        (["list", "--format", "xml"], "'xml' is not one of"),
        (["explain"], "Missing argument 'RULE|CASE'"),
        (["explain", "CUT-9", *MINI], "there is no rule 'CUT-9'"),
        (["explain", "cut-apst", *MINI], "did you mean cut-past"),
        (["show", "nonsense", *MINI], "there is no case 'nonsense'"),
        (["list", "--chapter", "cuting", *MINI], "did you mean cutting or listing?"),
        (["list", "--spec-version", "9.9.9", *MINI], "there is no spec of client 9.9.9"),
        (["list", "--spec-root", "/nowhere"], "'/nowhere' does not exist"),
        (["export", "--out", "/nowhere/x.json", *MINI], "/nowhere/x.json cannot be written"),
        (["new-adapter", "--language", "cobol", "x"], "there is no kit for 'cobol'"),
        (["new-adapter", "x"], "Missing option '--language'"),
    ],
    ids=lambda value: " ".join(map(str, value[:3])) if isinstance(value, list) else "",
)
def test_usage_errors_exit_2_and_say_what_to_do(args, said):
    ran = memassay(*args)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("memassay: ")
    assert said in ran.err


def test_no_arguments_shows_the_help():
    ran = memassay()
    assert ran.code == 2
    assert "Usage: memassay" in ran.out + ran.err


@pytest.mark.parametrize("args", [["list", "--cases"], ["export"]], ids=" ".join)
def test_a_reader_that_goes_away_is_no_reason_to_complain(args):
    with subprocess.Popen(
        [sys.executable, "-m", "memassay", *args, *map(str, MINI)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        process.stdout.close()
        error = process.stderr.read()
        process.wait(60)
    assert error == b""
    assert process.returncode == 3


FAULTY = (
    "import memassay.report.catalogue as catalogue\n"
    "def broken(*_): raise RuntimeError('on purpose')\n"
    "catalogue.catalogue = broken\n"
    "from memassay.cli import main\n"
    "main(['list'])"
)


def test_a_fault_of_ours_says_so_in_one_line():
    done = subprocess.run(
        [sys.executable, "-c", FAULTY],
        capture_output=True,
        check=False,
        text=True,
        env=environment(),
    )
    assert done.returncode == 4
    assert done.stderr == (
        "memassay: this is a fault of memassay, please report it: RuntimeError: on purpose\n"
    )


def test_a_fault_of_ours_shows_its_traceback_when_asked():
    done = subprocess.run(
        [sys.executable, "-c", FAULTY],
        capture_output=True,
        check=False,
        text=True,
        env=environment(MEMASSAY_DEBUG="1"),
    )
    assert done.returncode == 4
    assert "Traceback" in done.stderr
    assert "in broken" in done.stderr


def test_output_survives_a_terminal_that_knows_only_ascii():
    ran = memassay("explain", "cut-pair", *MINI, env={"PYTHONIOENCODING": "ascii"})
    assert ran.code == 0
    assert r"\U0001f600" in ran.out


def test_completion_knows_commands_and_names():
    def complete(words, position):
        env = {
            "_MEMASSAY_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(position),
        }
        return memassay(env=env).out.split()

    assert complete("memassay li", 1) == ["plain,list", "plain,lint-spec"]
    words = f"memassay explain --spec-root {SPEC} cut-p"
    assert complete(words, 4) == ["plain,cut-past", "plain,cut-pair"]
    assert "plain,--schema" in complete("memassay list --s", 2)


def test_a_schema_is_that_of_the_format_that_is_named():
    first = memassay("run", "--schema")
    assert (
        memassay("run", "--format", "jsonl", "--schema").json["title"]
        == "A line of a verdict stream"
    )
    assert (
        memassay("run", "--schema", "--format=jsonl").json["title"] == "A line of a verdict stream"
    )
    assert memassay("run", "--schema", "--format", "markdown").out == first.out
    assert first.json["title"] != "A line of a verdict stream"


def test_an_adapters_own_options_are_not_ours():
    ran = memassay("run", sys.executable, "-c", "raise SystemExit(9)", "--schema")
    assert ran.code == 4
    assert "the adapter did not start" in ran.err
