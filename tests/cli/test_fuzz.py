import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from memassay.judge.decide import Record, decide
from memassay.judge.verdict import Outcome
from memassay.spec.loader import load_spec
from memassay_reference.session import play

from .conftest import memassay, validate

PORT = Path(__file__).parent.parent / "fuzz" / "wrong_port.py"


def fuzz(mistake, *options):
    return memassay("fuzz", "--op", "session", *options, "--", sys.executable, PORT, mistake)


def test_the_reference_agrees_with_itself():
    ran = fuzz("none", "--examples", "8", "--format", "json")
    assert ran.code == 0
    assert ran.json["disagreement"] is None
    assert ran.json["asked"] >= 8
    validate("fuzz", ran.json)


def test_a_mistake_is_found_and_written_as_a_ready_case():
    ran = fuzz("advances on an exception", "--examples", "400")
    assert ran.code == 1
    assert "one disagreement" in ran.out
    written = ran.out[ran.out.index("  - id: fuzz-") :]
    (case,) = YAML(typ="safe").load(written)
    kinds = [event["type"] for event in case["args"]["events"]]
    assert kinds[-1] == "background_return"
    assert len(kinds) == 3, "not as short as could be"
    assert case["args"]["events"][-1]["outcome"] == "exception"
    assert "advance_cursor" in str(case["expect"]["actions"][-1]["lacks"])


def test_the_case_passes_with_the_reference_and_fails_with_the_port():
    ran = fuzz("advances on an exception", "--examples", "400", "--format", "json")
    validate("fuzz", ran.json)
    written = ran.json["disagreement"]["case"]
    spec = load_spec()
    from attrs import evolve

    case = evolve(
        spec.cases["ext-two-words"], args=written["args"], expect=written["expect"], boundary=()
    )
    answer = {"actions": play(written["args"])}
    assert decide(case, spec.ops["session"], Record(result=answer)).outcome is Outcome.PASS
    answer["actions"][-1].append(*written["expect"]["actions"][-1]["lacks"])
    assert decide(case, spec.ops["session"], Record(result=answer)).outcome is Outcome.FAIL


def test_an_error_of_the_port_is_a_disagreement():
    ran = fuzz("refuses", "--examples", "5")
    assert ran.code == 1
    assert "the error bad-arguments" in ran.out


@pytest.mark.parametrize(
    ("mistake", "said"),
    [("crashes", "exit status 3"), ("loses a list", "there must be one each")],
)
def test_a_port_that_fails_is_a_fault(mistake, said):
    ran = fuzz(mistake, "--examples", "5")
    assert ran.code == 4
    assert said in ran.err


def test_a_port_that_changes_its_mind_cannot_be_fuzzed():
    ran = fuzz("changes its mind", "--examples", "30")
    assert ran.code in {1, 4}
    if ran.code == 4:
        assert "answered differently" in ran.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--op", "session"], "name what is to be fuzzed"),
        (["--op", "nothing", "--", "true"], "session"),
        (["--", "true"], "--op"),
    ],
)
def test_usage(args, said):
    ran = memassay("fuzz", *args)
    assert ran.code == 2
    assert said in ran.err


def test_an_adapter_without_the_op():
    ran = fuzz("has no session")
    assert ran.code == 2
    assert "has no op session" in ran.err
