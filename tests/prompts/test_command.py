"""`memassay prompts` as a user calls it."""

import json

import pytest
from jsonschema import Draft202012Validator

from memassay.prompts.check import TOOL_SENTENCE
from tests.cli.conftest import memassay
from tests.prompts.conftest import EXAMPLE

PORT, SUBSTITUTIONS = EXAMPLE / "port.md", EXAMPLE / "substitutions.yaml"
CHECK = ("prompts", "check", "--baseline", "example/memory")


def schema(*command):
    printed = memassay("prompts", *command, "--schema")
    assert printed.code == 0
    Draft202012Validator.check_schema(printed.json)
    return Draft202012Validator(printed.json)


def test_the_example_is_the_same():
    ran = memassay(*CHECK, "--port", PORT, "--substitutions", SUBSTITUTIONS)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("same: memory of the example of docs/prompts.md, 24 lines")
    assert "instruction-file CLAUDE.md → AGENTS.md, 2 times" in ran.out


def test_without_substitutions_the_lines_are_named_and_never_quoted():
    ran = memassay(*CHECK, "--port", PORT)
    assert (ran.code, ran.err) == (1, "")
    assert "baseline line 3, port line 3: not the same" in ran.out
    assert "session" not in ran.out


@pytest.mark.parametrize("more", [(), ("--substitutions", SUBSTITUTIONS)])
def test_json_fits_its_schema(more):
    ran = memassay(*CHECK, "--port", PORT, *more, "--format", "json")
    schema("check").validate(ran.json)
    assert ran.json["same"] is bool(more)
    assert ran.code == (0 if more else 1)


def test_a_fifth_kind_ends_with_2_and_its_line(tmp_path):
    path = tmp_path / "subs.yaml"
    path.write_text("substitutions:\n  - {kind: wording, baseline: keep, port: hold}\n")
    ran = memassay(*CHECK, "--port", PORT, "--substitutions", path)
    assert (ran.code, ran.out) == (2, "")
    assert "subs.yaml:2: 'wording' is no permitted replacement" in ran.err


def test_fingerprint_then_check(tmp_path):
    prompt, stored = tmp_path / "selector.md", tmp_path / "fp.json"
    prompt.write_text("Choose from {catalog}.\nUse Glob for `limit`, `max_n`.\n", encoding="utf-8")
    ran = memassay(
        "prompts", "fingerprint", prompt, "--prompt", "selector", "--of", "me 1",
        "--dynamic", "catalog={catalog}", "--tool", "Glob",
        "--parameter", "limit", "--parameter", "max_n",
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    schema("fingerprint").validate(ran.json)
    assert ran.json["names"] == {"tool": ["Glob"], "parameter": ["limit", "max_n"], "field": []}
    stored.write_text(ran.out, encoding="utf-8")
    prompt.write_text(
        f"Choose from CATALOG.\r\nUse find for `most`, `n`.\r\n{TOOL_SENTENCE}\r\n", newline=""
    )
    subs = tmp_path / "subs.yaml"
    subs.write_text(
        "substitutions:\n"
        "  - {kind: name, of: tool, baseline: Glob, port: find}\n"
        "  - {kind: name, of: parameter, baseline: limit, port: most}\n"
        "  - {kind: name, of: parameter, baseline: max_n, port: n}\n"
        "dynamic: [{name: catalog, port: CATALOG}]\n"
    )
    ran = memassay(
        "prompts", "check", "--baseline", stored, "--port", prompt, "--substitutions", subs
    )
    assert (ran.code, ran.err) == (0, "")
    assert "appended: the sentence about the select_memories tool" in ran.out


def test_the_same_salt_gives_the_same_fingerprint():
    salt = json.loads((EXAMPLE / "memory.json").read_text())["salt"]
    ran = memassay(
        "prompts", "fingerprint", EXAMPLE / "baseline.md", "--prompt", "memory",
        "--of", "the example of docs/prompts.md", "--dynamic", "memory_dir={memory_dir}",
        "--tool", "Read", "--tool", "Write", "--parameter", "file_path",
        "--field", "name", "--field", "type", "--salt", salt,
    )  # fmt: skip
    assert ran.out == (EXAMPLE / "memory.json").read_text()


def test_our_own_prompt_is_not_the_clients():
    import memassay_reference.prompts as ours

    port = f"{ours.__path__[0]}/memory.md"
    ran = memassay("prompts", "check", "--baseline", "2.1.296/memory", "--port", port)
    assert ran.code == 1
    assert "memory_dir is filled in there, and nothing says what stands for it" in ran.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["check", "--port", PORT], "Missing option '--baseline'"),
        (["check", "--baseline", "nope", "--port", PORT], "there is no fingerprint 'nope'"),
        (
            ["check", "--baseline", "nope", "--port", PORT],
            "memassay brings 2.1.296/memory, example",
        ),
        (["check", "--baseline", "../../x", "--port", PORT], "there is no fingerprint '../../x'"),
        (["check", "--baseline", "nope.json", "--port", PORT], "nope.json: cannot be read"),
        (["check", "--baseline", PORT, "--port", PORT], "port.md:1: is not JSON"),
        (["check", "--baseline", "example/memory", "--port", "nope.md"], "nope.md: cannot be read"),
        (["check", "--baseline", "example/memory", "--port", EXAMPLE], "is a directory"),
        (["fingerprint", PORT, "--of", "me"], "Missing option '--prompt'"),
        (["fingerprint", PORT, "--of", "me", "--prompt", "A B"], "is no name of a prompt"),
        (
            ["fingerprint", PORT, "--of", "", "--prompt", "memory"],
            "nobody is named whose prompt it is",
        ),
        (["fingerprint", PORT, "--of", "me", "--prompt", "m", "--dynamic", "x"], "there is no `=`"),
        (
            [
                "fingerprint",
                PORT,
                "--of",
                "m",
                "--prompt",
                "m",
                "--dynamic",
                "a=b",
                "--dynamic",
                "a=c",
            ],
            "--dynamic a is given twice",
        ),
        (["fingerprint", PORT, "--of", "m", "--prompt", "m", "--tool", "Glob"], "not hold 'Glob'"),
    ],
)
def test_what_cannot_be_done_ends_with_2_and_says_what(args, said):
    ran = memassay("prompts", *args)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())


def test_a_directory_of_the_same_name_does_not_hide_a_baseline(tmp_path):
    (tmp_path / "example/memory").mkdir(parents=True)
    ran = memassay("prompts", "check", "--baseline", "example/memory", "--port", PORT, cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("not the same: memory of the example")


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "p.md"
    path.write_bytes(b"\xff\xfe")
    ran = memassay(*CHECK, "--port", path)
    assert (ran.code, ran.out) == (2, "")
    assert "p.md: is not UTF-8" in ran.err
