"""Every observation of the foundation's areas is asked of the reference, or left out in writing."""

import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from memassay.adapter.connect import connect_reference
from memassay.judge.examine import examine, follow
from memassay.judge.verdict import Outcome
from memassay.spec.loader import load_spec

from .observed import replay_of

DIRECTORY = Path(__file__).parents[2] / "docs" / "research" / "observations"
AREAS = {"A", "B", "C", "D", "E", "F", "G", "H"}
RECORDS = [
    record
    for record in json.loads((DIRECTORY / "2.1.296.json").read_text(encoding="utf-8"))
    if record["area"] in AREAS
]
LEFT_OUT = {
    entry["id"]: entry["reason"]
    for entry in YAML(typ="safe").load(DIRECTORY / "left-out.yaml")["left_out"]
}


@pytest.fixture(scope="module")
def cited() -> dict[str, list[str]]:
    """Which cases reproduce an observation."""
    found: dict[str, list[str]] = {}
    for case in load_spec().cases.values():
        for observation in case.observations:
            found.setdefault(observation, []).append(case.id)
    return found


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    """What became of every case with the reference."""
    spec = load_spec()
    run = follow(examine(spec, spec.select(), connect_reference(), profile="claude-code"))
    return {name: verdict.outcome for name, verdict in run.verdicts.items()}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_an_observation_is_reproduced(record, cited, outcomes, tmp_path):
    name = record["id"]
    replay = replay_of(name)
    cases = [case for case in cited.get(name, ()) if case in outcomes]
    if name in LEFT_OUT:
        assert replay is None, "is replayed after all; take it off left-out.yaml"
        assert not cases, f"is reproduced by {cases} after all; take it off left-out.yaml"
        pytest.skip(LEFT_OUT[name])
    assert replay or cases, "nothing reproduces it: cite it in a case or leave it out in writing"
    if replay is not None:
        replay(record, tmp_path)
    assert {case: outcomes[case] for case in cases} == dict.fromkeys(cases, Outcome.PASS)


def test_only_observations_are_left_out():
    every = json.loads((DIRECTORY / "2.1.296.json").read_text(encoding="utf-8"))
    assert set(LEFT_OUT) <= {record["id"] for record in every}
