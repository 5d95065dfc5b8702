import sys
from pathlib import Path

import pytest

from memassay.adapter.connect import connect_command
from memassay.judge.workspace import Workspace
from memassay.processes.play import play
from memassay.processes.scenario import load_scenarios
from memassay.spec.loader import load_spec
from memassay.spec.locate import DEFAULT_VERSION

PORT = Path(__file__).parent / "wrong_locks.py"
SCENARIOS = {one.id: one for one in load_scenarios(DEFAULT_VERSION)}


@pytest.fixture(scope="module")
def workspace():
    with Workspace.create() as made:
        yield made


@pytest.fixture(scope="module")
def ops():
    return load_spec().ops


def put(scenario, mistake, ops, workspace):
    connect = connect_command((sys.executable, str(PORT), mistake))
    return play(SCENARIOS[scenario], connect, ops, workspace, profile="claude-code")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_reference_passes(scenario, ops, workspace):
    played = put(scenario, "none", ops, workspace)
    assert (played.problem, played.skipped) == (None, None)


@pytest.mark.parametrize(
    ("mistake", "scenario", "said"),
    [
        ("a lock is a file", "prc-dream-killed-holder", "step 3 (lock in b)"),
        ("a lock is a file", "prc-foreign-release", "step 3 (lock in b)"),
        ("one lock for both", "prc-locks-independent", "step 2 (lock in b)"),
        ("a lock is a variable", "prc-extract-one-holder", "step 2 (lock in b)"),
        ("a lock is a variable", "prc-extract-race", "step 1 (lock in a and b)"),
        ("swaps without comparing", "prc-attempt-compare", "step 4 (dream_attempt in a)"),
        ("looks, then writes", "prc-backfill-race", "step 1 (index_backfill in a and b)"),
        ("refuses", "prc-dream-race", "the error bad-arguments"),
    ],
)
def test_a_mistake_fails_at_its_step(mistake, scenario, said, ops, workspace):
    played = put(scenario, mistake, ops, workspace)
    assert said in played.problem
    assert not played.fault


@pytest.mark.parametrize(
    ("mistake", "said"), [("crashes", "exit status 3"), ("answers nonsense", "a bad result")]
)
def test_an_adapter_that_fails_is_a_fault(mistake, said, ops, workspace):
    played = put("prc-dream-race", mistake, ops, workspace)
    assert said in played.problem
    assert played.fault


def test_what_an_adapter_does_not_list_is_skipped(ops, workspace):
    played = put("prc-dream-race", "has none of it", ops, workspace)
    assert played.skipped == "the adapter has no op lock"


def test_every_scenario_checks_a_rule_of_the_spec_with_ops_that_there_are(ops):
    rules = load_spec().rules
    for scenario in SCENARIOS.values():
        assert any(rule.rstrip("abcdefgh") == scenario.rule for rule in rules), scenario.id
        assert scenario.ops <= ops.keys()
        assert scenario.why
