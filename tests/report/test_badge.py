"""The badge: it never reads better than the report."""

import pytest
from jsonschema import Draft202012Validator

from memassay.judge.assess import Standing
from memassay.judge.verdict import Exit
from memassay.report.badge import badge
from memassay.report.findings import Findings, percent
from memassay.report.schemas import report_schema
from tests.report.conftest import (
    CRASH,
    EVERYTHING,
    HALF,
    SKIP,
    TROUBLE,
    UNSUPPORTED,
    failing,
    make_run,
)

ADVICE = failing({"matches": r"\b12\b"}, "cut", "warning")  # a SHOULD
ALL = [
    *("cut-at", "cut-past", "cut-pair", "cut-long", "cut-blank", "cut-hidden", "cut-advice"),
    *("lst-three", "lst-empty", "lst-missing", "lst-bytes"),
]
CHAPTER = {"selection": {"chapters": ("cutting",)}, "header_cases": 7}
LISTING = {case: None for case in ALL if case.startswith("lst")}


def of(spec, cases=None, **header):
    strict = header.pop("strict", False)
    findings = Findings.of(make_run(spec, cases, **header), spec, strict=strict)
    made = badge(findings)
    Draft202012Validator(report_schema("badge")).validate(made)
    check_that_it_never_reads_better(made, findings)
    return made


def check_that_it_never_reads_better(made, findings):
    assessment = findings.assessment
    message, counts = made["message"], assessment.counts
    good = assessment.exit is Exit.AS_EXPECTED
    assert good == (made["color"] in {"brightgreen", "green", "yellowgreen"})
    assert ("isError" in made) == (assessment.exit in (Exit.INCOMPLETE, Exit.FAULT))
    if assessment.score.total:
        assert f"{percent(assessment.score)} of {assessment.score.total:,} case" in message
    if "100 %" in message:
        assert assessment.score.passes == assessment.score.total
    for standing in (Standing.SKIPPED, Standing.UNSUPPORTED, Standing.FAULT, Standing.DECLARED):
        assert (f"{counts[standing]:,} {standing.value}" in message) == bool(counts[standing])
    if made["color"] == "brightgreen":
        assert assessment.score.passes == findings.run.header.cases


def test_the_cases_are_those_of_the_little_spec(mini):
    assert set(ALL) == set(mini.cases)


@pytest.mark.parametrize(
    ("cases", "header", "message", "color"),
    [
        ({}, {}, "100 % of 11 cases", "brightgreen"),
        ({"lst-bytes": UNSUPPORTED}, {}, "100 % of 10 cases, 1 unsupported", "green"),
        ({"cut-advice": ADVICE}, {}, "90 % of 11 cases", "yellowgreen"),
        ({"cut-advice": ADVICE}, {"strict": True}, "90 % of 11 cases, 1 fail", "red"),
        (
            {"cut-pair": HALF},
            {"deviations": {"CUT-1": "x"}},
            "90 % of 11 cases, 1 declared",
            "yellowgreen",
        ),
        ({"cut-pair": HALF}, {}, "90 % of 11 cases, 1 fail", "red"),
        (
            {},
            {"deviations": {"CUT-1": "x"}},
            "stale deviation: 100 % of 11 cases",
            "orange",
        ),
        ({"cut-at": SKIP}, {}, "incomplete: 100 % of 10 cases, 1 skipped", "lightgrey"),
        (
            {"cut-at": None},
            {"ending": "cut off"},
            "incomplete: 100 % of 10 cases, 1 not run",
            "lightgrey",
        ),
        (
            {"cut-at": None, "cut-pair": HALF},
            {"ending": "interrupted"},
            "incomplete: 90 % of 10 cases, 1 fail, 1 not run",
            "red",
        ),
        (
            {"cut-at": None},
            {"spec_digest": "sha256:older", "ending": "cut off"},
            "incomplete: 100 % of 10 cases, 1 not run",
            "lightgrey",
        ),
        (
            {"cut-at": None, "cut-past": None},
            {"ending": "complete"},
            "incomplete: 100 % of 9 cases, 2 not run",
            "lightgrey",
        ),
        ({"lst-three": CRASH}, {}, "fault: 100 % of 10 cases, 1 fault", "red"),
        ({}, {"troubles": [TROUBLE]}, "fault: 100 % of 11 cases", "red"),
        (LISTING, CHAPTER, "part only: 100 % of 7 cases", "green"),
        (
            {**LISTING, "cut-pair": HALF},
            CHAPTER,
            "part only: 85 % of 7 cases, 1 fail",
            "red",
        ),
        (
            {**LISTING, "cut-at": SKIP},
            CHAPTER,
            "incomplete: part only: 100 % of 6 cases, 1 skipped",
            "lightgrey",
        ),
        (
            dict.fromkeys(ALL, UNSUPPORTED),
            {},
            "incomplete: nothing judged, 11 unsupported",
            "lightgrey",
        ),
        (
            EVERYTHING,
            {"deviations": {"LST-1": "x"}},
            "fault: 50 % of 8 cases, 2 fail, 1 declared, 1 skipped, 1 unsupported, 1 fault",
            "red",
        ),
    ],
)
def test_the_message_says_it_all(mini, cases, header, message, color):
    made = of(mini, cases, **header)
    assert (made["message"], made["color"]) == (message, color)


def test_the_label_names_the_client_and_a_profile_that_is_not_the_clients_own(mini):
    assert of(mini)["label"] == "memassay, client 2.1.296"
    ported = make_run(mini, {"cut-advice": None}, profile="port", header_cases=10)
    assert badge(Findings.of(ported, mini))["label"] == "memassay, client 2.1.296, port"


def test_what_a_stream_says_has_nothing_hidden_in_a_badge(mini):
    made = badge(Findings.of(make_run(mini, client="2\u202e1\x00", profile="\ud83d"), mini))
    assert made["label"] == "memassay, client 2⟨U+202E⟩1⟨U+0000⟩, ⟨D83D⟩"


def test_large_numbers_can_be_read(mini):
    made = of(mini, {}, spec_digest="sha256:other", header_cases=12345, ending="cut off")
    assert made["message"] == "incomplete: 100 % of 11 cases, 12,334 not run"
