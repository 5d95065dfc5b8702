import json
import sys
from pathlib import Path

import pytest

from memassay.adapter.asker import Asker
from memassay.adapter.connect import connect_command, connect_reference
from memassay.fuzz.differential import draw_many, fuzz
from memassay.fuzz.outcome import Assignment, FuzzError
from memassay.fuzz.strategies import STRATEGIES
from memassay.spec.builders import Context, build
from memassay.spec.lint_checks import measure
from memassay.spec.loader import load_spec
from memassay_reference.index_lint import index_lint
from memassay_reference.topic_rewrite import topic_rewrite

SPEC = load_spec()
PORT = Path(__file__).with_name("wrong_single.py")


def fuzzed(op, mistake, examples=60):
    with (
        Asker(connect_reference(), profile="claude-code") as reference,
        Asker(connect_command([sys.executable, str(PORT), mistake]), profile="claude-code") as port,
    ):
        return fuzz(Assignment(SPEC.ops[op], examples, 0), port, reference)


@pytest.mark.parametrize("op", sorted(STRATEGIES))
def test_the_reference_agrees_with_itself(op):
    outcome = fuzzed(op, "none", 15)
    assert outcome.disagreement is None
    assert outcome.skipped == 0
    assert outcome.asked > 5


@pytest.mark.parametrize("op", sorted(STRATEGIES))
def test_one_seed_draws_the_same_questions_and_another_one_others(op):
    one, same, other = (draw_many(Assignment(SPEC.ops[op], 20, n)) for n in (1, 1, 2))
    assert one == same
    assert one != other


def test_the_strategies_stand_on_both_sides_of_the_limits():
    texts = [
        build(drawn.args["text"], Context.portable(None))
        for drawn in draw_many(Assignment(SPEC.ops["index_window"], 150, 0))
    ]
    units = {measure(text, "units") for text in texts}
    lines = {text.count("\n") for text in texts}
    assert {24_999, 25_000, 25_001} <= units
    assert {199, 200, 201} <= lines
    assert min(units) < 100
    paths = [
        build(drawn.args["path"], Context.portable(None))
        for drawn in draw_many(Assignment(SPEC.ops["project_key"], 100, 0))
    ]
    assert {200, 201} <= {measure(path, "units") for path in paths}
    counts = [
        sum(
            node["files"]["to"] + 1 if "files" in node else "file" in node
            for node in drawn.tree.values()
        )
        for drawn in draw_many(Assignment(SPEC.ops["index_backfill"], 150, 0))
    ]
    assert any(count > 140 for count in counts)
    assert any(130 < count <= 140 for count in counts)
    assert 0 in counts


def test_saved_indexes_stand_on_both_sides_of_what_is_said():
    numbers = SPEC.constants
    drawn = draw_many(Assignment(SPEC.ops["index_lint"], 400, 0))
    texts = [build(one.args["text"], Context.portable(None)) for one in drawn]
    for name in (
        "index_lint_target_lines",
        "index_lint_near_lines",
        "index_max_lines",
        "index_lint_target_units",
        "index_lint_near_units",
        "index_max_units",
        "index_lint_read_bytes",
    ):
        limit, unit = numbers[name].value, name.rpartition("_")[2]
        sizes = {measure(text, unit) - limit for text in texts}
        assert sizes & {-3, -2, -1}, name
        assert sizes & {0, 1, 2}, name
    feedback = [index_lint(text) for text in texts]
    assert {(said["level"], said["measure"]) if said else None for said in feedback} == {
        None,
        *((level, unit) for level in ("approaching", "over") for unit in ("lines", "size")),
    }


def test_saved_topics_are_of_every_fate():
    drawn = draw_many(Assignment(SPEC.ops["topic_rewrite"], 200, 0))
    fates = {"written anew": 0, "stamped": 0, "untouched": 0}
    for one in drawn:
        text = build(one.args["text"], Context.portable(None))
        after = topic_rewrite({**one.args, "text": text}, "claude-code")
        if not after["rewritten"]:
            fates["untouched"] += 1
        else:
            fates["written anew" if "node_type: memory" in after["text"] else "stamped"] += 1
    assert min(fates.values()) * 20 > len(drawn)


def test_a_mistake_is_found_and_made_short():
    found = fuzzed("sanitise", "loses accents").disagreement
    assert found is not None
    assert found.case["args"] == {"text": "é"}
    assert found.case["expect"] == {"text": "é"}
    assert found.problem == 'expected another text: text is "e"'
    same_digest = fuzzed("sanitise", "loses accents").disagreement
    assert same_digest is not None
    assert same_digest.case["id"] == found.case["id"]


def test_a_mistake_near_a_limit_is_found_there():
    found = fuzzed("index_window", "one unit less").disagreement
    assert found is not None
    text = build(found.case["args"]["text"], Context.portable(None))
    assert measure(text, "units") > 24_990
    assert len(json.dumps(found.case["args"])) < 120, "not as short as could be"


def test_an_error_is_a_disagreement():
    found = fuzzed("project_key", "no long keys").disagreement
    assert found is not None
    assert found.problem.startswith("the error bad-arguments: ")


def test_a_directory_is_made_short_too():
    found = fuzzed("index_backfill", "sorts by name").disagreement
    assert found is not None
    files = [node for node in found.case["tree"].values() if node != {"dir": True}]
    assert 1 <= len(files) <= 2
    assert found.case["args"] == {"memory_dir": {"path": "m"}}


@pytest.mark.parametrize(
    ("mistake", "said"),
    [("crashes", "exit status 3"), ("another shape", "a bad result of sanitise")],
)
def test_a_port_that_fails_cannot_be_fuzzed(mistake, said):
    with pytest.raises(FuzzError, match=said):
        fuzzed("sanitise", mistake, 5)
