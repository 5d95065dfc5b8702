import pytest

from memassay.judge.assess import Score, Standing
from memassay.report.findings import Findings, against, baseline, percent, remarks, summary, title
from tests.report.conftest import CRASH, EVERYTHING, HALF, SKIP, UNSUPPORTED, make_run


def of(mini, cases=None, *, strict=False, **more):
    return Findings.of(make_run(mini, cases, **more), mini, strict=strict)


def names(section):
    return [verdict.case for group in section.groups for verdict in group.verdicts]


def test_the_gravest_come_first_and_each_by_rule(mini):
    findings = of(mini, EVERYTHING)
    assert {section.title: names(section) for section in findings.sections()} == {
        "Faults of the adapter": ["lst-three"],
        "Failures": ["cut-pair", "cut-blank", "lst-empty"],
        "Warnings: a SHOULD is not met": ["cut-advice"],
    }
    failures = findings.sections()[1]
    assert [group.rule_id for group in failures.groups] == ["CUT-1", "CUT-2", "LST-1"]


@pytest.mark.parametrize(
    ("most", "shown", "hidden"),
    [
        (0, [1, 3, 1], [0, 0, 0]),
        (1, [1, 0, 0], [0, 3, 1]),
        (2, [1, 1, 0], [0, 2, 1]),
        (4, [1, 3, 0], [0, 0, 1]),
        (5, [1, 3, 1], [0, 0, 0]),
        (9, [1, 3, 1], [0, 0, 0]),
    ],
)
def test_at_most_so_many_cases_are_shown_in_all(mini, most, shown, hidden):
    sections = of(mini, EVERYTHING).sections(most)
    assert [len(names(section)) for section in sections] == shown
    assert [section.hidden for section in sections] == hidden
    assert [section.count for section in sections] == [1, 3, 1]


def test_strict_makes_a_warning_a_failure(mini):
    sections = of(mini, EVERYTHING, strict=True).sections()
    assert [section.standing for section in sections] == [Standing.FAULT, Standing.NONCONFORMING]
    assert "cut-advice" in names(sections[1])


def test_declared_failures_are_no_failures(mini):
    findings = of(mini, {"cut-pair": HALF}, deviations={"CUT-1": "why not", "LST-2": "x"})
    assert findings.sections() == ()
    declared = {rule: tally and tally[Standing.DECLARED] for rule, _, tally in findings.declared}
    assert declared == {"CUT-1": 1, "LST-2": 0}
    assert findings.assessment.stale == ("LST-2",)


def test_what_has_no_answer(mini):
    findings = of(
        mini, {"cut-at": SKIP, "cut-past": SKIP, "lst-bytes": UNSUPPORTED, "lst-empty": UNSUPPORTED}
    )
    assert {why: len(verdicts) for why, verdicts in findings.skips.items()} == {"not ready": 2}
    assert findings.unsupported == {"head": 1, "listing": 1}


@pytest.mark.parametrize(
    ("passes", "total", "shown"),
    [
        (0, 0, "–"),
        (0, 10, "0 %"),
        (1, 1000, "1 %"),
        (12, 100, "12 %"),
        (129, 1000, "12 %"),
        (29, 100, "29 %"),
        (999, 1000, "99 %"),
        (1000, 1000, "100 %"),
    ],
)
def test_percent_is_never_all_or_nothing_unless_it_is(passes, total, shown):
    assert percent(Score(passes, total)) == shown


def test_baseline(mini):
    assert baseline(of(mini)) == "do-nothing 9 %, echo 100 %, keep-everything 0 %; yours 100 %"
    assert baseline(of(mini, {"cut-at": SKIP, "cut-pair": HALF})).endswith(
        "; yours 90 % (of 10 judged)"
    )


def test_summary_has_only_the_columns_it_needs(mini):
    headings, rows = summary(of(mini))
    assert headings == ["chapter", "cases", "pass", "fail", "skipped", "unsupported", "fault"]
    assert rows == [
        ["cutting", 7, 7, 0, 0, 0, 0],
        ["listing", 4, 4, 0, 0, 0, 0],
        ["all", 11, 11, 0, 0, 0, 0],
    ]
    headings, rows = summary(
        of(mini, {**EVERYTHING, "lst-missing": None}, deviations={"CUT-1": "x"}, ending="cut off")
    )
    assert headings[2:] == [
        "pass",
        "fail",
        "warn",
        "declared",
        "skipped",
        "unsupported",
        "fault",
        "not run",
    ]
    assert rows[-1] == ["all", 11, 3, 2, 1, 1, 1, 1, 1, 1]
    assert all(sum(row[2:]) == row[1] for row in rows)


def test_one_chapter_needs_no_total(mini):
    only = {case.id: None for case in mini.cases.values() if case.chapter != "cutting"}
    run = make_run(mini, only, selection={"chapters": ("cutting",)}, header_cases=7)
    findings = Findings.of(run, mini)
    assert [row[0] for row in summary(findings)[1]] == ["cutting"]
    assert against(findings) == "client 2.1.296, profile claude-code, only chapter cutting"


def test_who_and_what(mini):
    assert title(of(mini)) == "mini-port 1.2 (Python)"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, []),
        ({"ending": "cut off"}, ["The stream was cut off"]),
        ({"ending": "interrupted"}, ["The run is incomplete: interrupted."]),
        ({"spec_digest": "sha256:other"}, ["another state of the spec"]),
        ({"cases": {"cut-at": None}, "ending": "interrupted"}, ["incomplete", "1 case of the run"]),
    ],
    ids=str,
)
def test_remarks(mini, more, said):
    found = list(remarks(of(mini, more.pop("cases", None), **more)))
    assert len(found) == len(said)
    assert all(part in remark for part, remark in zip(said, found, strict=True))


def test_a_stream_of_a_spec_that_lost_the_case_is_still_shown(mini):
    gone = {**CRASH, "case": "cut-gone", "rule": "CUT-9", "chapter": "cutting"}
    findings = of(mini, {"cut-at": gone}, spec_digest="sha256:older")
    (section,) = findings.sections()
    assert section.groups[0].sentence == "(this spec has no such rule)"
    (verdict,) = section.groups[0].verdicts
    assert findings.case(verdict) is None
