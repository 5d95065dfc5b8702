from memassay.adapter.messages import Implementation
from memassay.judge.verdict import Outcome
from memassay.report.drift import disputes_page, drift_page, prose
from tests.judge import mini
from tests.judge.runs import run_of

SPEC = mini.make_spec()
RULE = SPEC.cases["sh-ascii"].rule


def version(number, outcomes):
    return run_of(outcomes, implementation=Implementation("client", number))


OLD = version("1.0.1", {"sh-ascii": Outcome.FAIL})
NEW = version("1.0.2", {})


def row(page, rule=RULE):
    (line,) = (
        line for line in page.splitlines() if line.startswith((f"| {rule} |", f"| **{rule}** |"))
    )
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_rule_that_came_has_a_first_version_and_is_bold():
    page = drift_page([OLD, NEW], SPEC)
    name, before, after, first, last = row(page)
    assert name == f"**{RULE}**"
    assert "/" in before
    assert after == "yes"
    assert (first, last) == ("1.0.2", "≥ 1.0.2")
    assert "`sh-ascii`: fail → pass" in page


def test_a_rule_that_always_held_has_open_ends():
    page = drift_page([NEW, version("1.0.3", {})], SPEC)
    assert row(page)[1:] == ["yes", "yes", "≤ 1.0.2", "≥ 1.0.3"]
    assert "Nothing changed: all 7 cases" in page


def test_a_rule_that_never_held_was_never_seen():
    assert row(drift_page([OLD, OLD], SPEC))[3:] == ["–", "–"]


def test_nothing_is_disputed_in_a_spec_without_disputes():
    assert "0 rules are disputed" in disputes_page(SPEC, [NEW], {})


def test_prose_keeps_code_spans_and_escapes_the_rest():
    assert prose("a *b* `*c*`\n  d") == "a \\*b\\* `*c*` d"
    assert prose("a lone ` and *") == "a lone \\` and \\*"
