import pytest
from jsonschema import Draft202012Validator

from memassay.judge.difference import diff
from memassay.judge.verdict import Outcome
from memassay.report.changes import changes, changes_markdown, conclusion
from memassay.report.schemas import report_schema
from tests.report.conftest import EVERYTHING, make_run

LONG = "".join(f"- entry {n:03}\n" for n in range(300))


def document(mini, a, b, **more):
    one, other = make_run(mini, a), make_run(mini, b, **more)
    said = changes(diff(one, other, mini), one, other, mini)
    Draft202012Validator(report_schema("diff")).validate(said)
    return said


BEFORE = {
    "cut-at": {"result": {"kept": LONG, "warning": None}},
    "cut-past": {"outcome": Outcome.FAIL, "result": {"kept": "a"}},
    "cut-hidden": {"result": None, "error": {"code": "no", "message": ""}},
    "lst-empty": None,
}
AFTER = {
    "cut-at": {"result": {"kept": LONG.replace("entry 200", "entry  200"), "warning": None}},
    "cut-past": {"result": {"kept": "b"}},
    "cut-pair": EVERYTHING["cut-pair"],
    "cut-hidden": EVERYTHING["cut-hidden"],
    "lst-bytes": None,
}


def test_everything_that_can_change(mini, snapshot):
    assert changes_markdown(document(mini, BEFORE, AFTER)) == snapshot


def test_a_difference_is_shown_where_it_is(mini):
    (change,) = document(mini, BEFORE, AFTER)["answers"]
    (found,) = change["differences"]
    assert found["at"] == "kept, after 2,408 equal units (line 201, column 9)"
    assert "- entry 200" in found["before"]
    assert "- entry␠␠200" in found["after"]


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ({}, {}, "11 unchanged"),
        ({}, {"cut-pair": EVERYTHING["cut-pair"]}, "1 no longer passing, 10 unchanged"),
        ({"cut-pair": EVERYTHING["cut-pair"]}, {}, "1 passing now, 10 unchanged"),
        (
            {"cut-pair": EVERYTHING["cut-pair"]},
            {"cut-pair": EVERYTHING["lst-three"]},
            "1 failing otherwise, 10 unchanged",
        ),
        (
            BEFORE,
            AFTER,
            "1 no longer passing, 1 passing now, 1 not answered any more, "  # noqa: ISC004 (one text)
            "1 with another answer, 1 only in the first, 1 only in the second, 5 unchanged",
        ),
    ],
)
def test_the_conclusion(mini, a, b, said):
    assert conclusion(document(mini, a, b)) == said
