"""How the findings look in every view. The snapshots are here to be looked at."""

import io
import re
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console

from memassay.judge.verdict import Outcome
from memassay.report.document import document
from memassay.report.findings import Findings
from memassay.report.junit import junit
from memassay.report.markdown import escape, fenced, markdown
from memassay.report.pretty import pretty
from memassay.report.schemas import report_schema
from memassay.report.visible import is_hidden
from tests.report.conftest import EVERYTHING, HALF, make_run


def terminal(findings, width=80, **more):
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False, markup=False, emoji=False, **more)
    for part in pretty(findings, 0):
        console.print(part, crop=False)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def test_nothing_of_a_stranger_reaches_the_terminal_raw(hostile):
    shown = terminal(hostile)
    assert not [char for char in shown if is_hidden(char) and char != "\n"]


@pytest.mark.parametrize("width", [80, 140])
def test_pretty(everything, width, snapshot):
    assert terminal(everything, width) == snapshot


def test_pretty_of_a_run_without_complaints(fine, snapshot):
    assert terminal(fine) == snapshot


def test_only_what_is_to_be_copied_is_wider_than_the_terminal(everything):
    for line in terminal(everything).splitlines():
        assert len(line) <= 80 or "run again" in line


def test_the_line_to_run_again_is_one_line(mini):
    command = ("node", *(f"--a-rather-long-option-{n}" for n in range(20)))
    shown = terminal(Findings.of(make_run(mini, {"cut-pair": HALF}, command=command), mini))
    (line,) = [line for line in shown.splitlines() if "run again" in line]
    assert line.endswith("--a-rather-long-option-19")


def test_pretty_says_how_many_are_not_shown(mini):
    findings = Findings.of(make_run(mini, EVERYTHING), mini)
    out = io.StringIO()
    console = Console(file=out, width=80)
    for part in pretty(findings, 2):
        console.print(part)
    shown = out.getvalue()
    assert "… 2 more; --max-shown 0 shows all" in shown
    warnings = shown[shown.index("Warnings: a SHOULD is not met ──") :]
    assert "… 1 case; --max-shown 0 shows all" in warnings
    assert shown.count("run again") == 2


def test_what_adapters_say_is_no_markup(mini):
    nasty = "[red]not red[/red] \x1b[31m :smile: <b>"
    cases = {"cut-at": {"outcome": Outcome.SKIPPED, "reason": nasty}}
    shown = terminal(Findings.of(make_run(mini, cases), mini), force_terminal=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "[red]not red[/red] ⟨U+001B⟩[31m :smile: <b>" in plain


def test_markdown(everything, snapshot):
    assert markdown(everything) == snapshot


def test_markdown_of_a_run_without_complaints(fine, snapshot):
    assert markdown(fine) == snapshot


def test_markdown_shows_at_most_so_many(mini):
    text = markdown(Findings.of(make_run(mini, EVERYTHING), mini), max_shown=2)
    assert text.count("<details>") == 2
    assert "… and 2 more." in text


def test_markdown_escapes():
    assert escape("a|b *c* _d_ `e` <f> [g] #h") == r"a\|b \*c\* \_d\_ \`e\` \<f\> \[g\] \#h"
    assert escape("a\nb") == "a b"
    assert escape("&lt;") == r"\&lt;"


@pytest.mark.parametrize(
    ("text", "fence"),
    [("plain", "```"), ("one `tick`", "```"), ("```python", "````"), ("`" * 7, "`" * 8)],
)
def test_a_code_block_holds_any_backticks(text, fence):
    assert list(fenced(text)) == [f"{fence}text", text, fence]


def test_junit(everything, snapshot):
    assert junit(everything) == snapshot


def test_junit_counts_what_it_holds(everything):
    root = parse(junit(everything))
    for suite in [*root, root]:
        tests = list(suite.iter("testcase"))
        assert int(suite.get("tests")) == len(tests)
        for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(name)) == sum(test.find(kind) is not None for test in tests)


def test_junit_names_are_stable(fine):
    names = [
        (test.get("classname"), test.get("name")) for test in parse(junit(fine)).iter("testcase")
    ]
    assert len(names) == 11
    assert names[2] == ("2.1.296.cutting.CUT-1", "cut-pair")


def test_junit_fails_exactly_what_fails_the_run(mini):
    def failed(cases, **more):
        root = parse(junit(Findings.of(make_run(mini, cases, **more), mini)))
        return {
            test.get("name")
            for test in root.iter("testcase")
            if test.find("failure") is not None or test.find("error") is not None
        }

    assert failed({}) == set()
    assert failed(EVERYTHING) == {"cut-pair", "cut-blank", "lst-three", "lst-empty"}
    run = "client 2.1.296, profile claude-code"
    # the adapter owed this answer: the run is incomplete, and no case says so
    assert failed({"cut-at": EVERYTHING["cut-hidden"]}) == {run}
    assert failed({"cut-pair": HALF}, deviations={"CUT-1": "x"}) == set()
    assert failed({}, deviations={"CUT-1": "x"}) == {run}
    assert failed({"cut-at": None}, ending="interrupted") == {"cut-at", run}


def test_junit_is_xml_whatever_the_adapter_says(mini):
    nasty = "\x00\x1b\x0b\ud83d\ufffe]]> <&\"' \r\n"
    cases = {
        "cut-at": {"outcome": Outcome.FAULT, "reason": nasty, "stderr": nasty},
        "cut-past": {"outcome": Outcome.SKIPPED, "reason": nasty, "issue_url": nasty},
        "cut-pair": {**HALF, "reason": nasty},
    }
    root = parse(junit(Findings.of(make_run(mini, cases), mini)))
    errors = [test.find("error") for test in root.iter("testcase")]
    (message,) = [error.get("message") for error in errors if error is not None and error.text]
    assert message.startswith("⟨U+0000⟩⟨U+001B⟩⟨U+000B⟩⟨D83D⟩⟨U+FFFE⟩]]> <&")


def parse(text):
    return ET.fromstring(text.encode())  # noqa: S314 (we have just made it)


def test_the_document_obeys_its_schema(everything, fine, mini):
    validator = Draft202012Validator(report_schema("report"))
    cut = Findings.of(make_run(mini, {"cut-at": None}, ending="cut off"), mini)
    older = Findings.of(make_run(mini, EVERYTHING, spec_digest="sha256:older"), mini)
    for findings in (everything, fine, cut, older):
        validator.validate(document(findings))


def test_the_document_says_what_the_run_comes_to(everything):
    said = document(everything)
    assert said["exit"] == 4
    assert said["counts"]["fault"] == 1
    assert [(entry["rule"], entry["stale"]) for entry in said["deviations"]] == [
        ("LST-1", False),
        ("CUT-2", False),
    ]
    cases = {case["id"]: case for case in said["cases"]}
    assert cases["cut-pair"]["standing"] == "nonconforming"
    assert cases["cut-pair"]["place"] == "spec/2.1.296/cutting.yaml:32"
    assert cases["cut-pair"]["mismatches"][0]["position"] == {"units": 9, "line": 1, "column": 10}
    assert cases["cut-blank"]["standing"] == "declared"
    assert cases["lst-three"]["fault"] == "crash"
    assert cases["lst-three"]["again"] == "memassay run --case lst-three -- node 'my adapter.mjs'"
