import pytest

from memassay.report.catalogue import VIEWS, catalogue


def ids(mini, view, chapters=()):
    key = {"ops": "name", "chapters": "name", "evidence": "chapter"}.get(view, "id")
    return [item[key] for item in catalogue(mini, view, chapters)["items"]]


def test_everything_is_listed_in_the_specs_order(mini):
    assert ids(mini, "chapters") == ["cutting", "listing"]
    assert ids(mini, "rules") == ["CUT-1", "CUT-2", "CUT-3", "CUT-4", "LST-1", "LST-2"]
    assert ids(mini, "cases") == list(mini.cases)
    assert ids(mini, "ops") == ["cut", "head", "listing"]


@pytest.mark.parametrize("view", VIEWS)
def test_a_chapter_narrows_every_view(mini, view):
    everything, some = ids(mini, view), ids(mini, view, ["listing"])
    assert some
    assert set(some) < set(everything)


def test_a_rule_counts_once_under_its_strongest_evidence(mini):
    cutting = catalogue(mini, "evidence")["items"][0]
    assert cutting == {
        "chapter": "cutting",
        "rules": 4,
        "observed": 1,  # CUT-1, which is stated too
        "published": 1,
        "stated": 1,
        "derived": 1,
        "disputed": 1,
    }


def test_cases_and_exclusions_are_counted(mini):
    cutting = catalogue(mini, "chapters")["items"][0]
    assert (cutting["rules"], cutting["cases"], cutting["excluded"]) == (4, 7, 1)
