"""`gate`: with stored streams, and with the fake client of the witness's own tests."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import MINI, SPEC, memassay, validate

FAKE = Path(__file__).parents[1] / "adapters" / "claude_code" / "fake_client.py"
SYSTEM = Path("/usr/bin/python3")


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    """Verdict streams of ports of the little spec, by what is wrong with them."""
    directory = tmp_path_factory.mktemp("gate")
    made = {}
    for ways in ("", "halves", "crashes"):
        made[ways] = directory / f"{ways or 'good'}.jsonl"
        words = ("--", sys.executable, MINI / "port.py", *ways.split())
        memassay("run", "--spec-root", SPEC, "--out", made[ways], *words)
    return made


def gate(before, after, *options):
    return memassay("gate", "--spec-root", SPEC, "--from", before, "--to", after, *options)


def test_a_version_that_is_like_the_other_passes(streams):
    ran = gate(streams[""], streams[""])
    assert ran.code == 0
    assert "unchanged" in ran.out


def test_drift_names_rule_case_and_values(streams):
    ran = gate(streams[""], streams["halves"], "--format", "json")
    assert ran.code == 1
    validate("gate", ran.json)
    (change,) = ran.json["outcomes"]
    assert (change["before"], change["after"]) == ("pass", "fail")
    assert change["rule"]
    assert change["differences"][0]["before"] != change["differences"][0]["after"]


def test_drift_as_markdown_for_a_pull_request(streams):
    ran = gate(streams[""], streams["halves"], "--format", "markdown")
    assert ran.code == 1
    assert ran.out.startswith("## 1 no longer passing")
    assert "pass → fail" in ran.out
    assert "```text" in ran.out


def test_a_version_that_does_more_of_the_spec_has_drifted_too(streams):
    assert gate(streams["halves"], streams[""]).code == 1


def test_a_witness_that_failed_is_no_drift(streams):
    ran = gate(streams[""], streams["crashes"])
    assert ran.code == 4


def test_a_stream_that_was_cut_off_is_incomplete(streams, tmp_path):
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(streams[""].read_text().splitlines(keepends=True)[:-1]))
    assert gate(streams[""], cut).code == 3


@pytest.mark.parametrize(
    ("before", "said"),
    [("/no/such.jsonl", "cannot be read"), ("/no/such/client", "no such client")],
)
def test_what_is_not_there_is_named(streams, before, said):
    ran = gate(before, streams[""])
    assert ran.code in {2, 4}
    assert said in f"{ran.err}{ran.out}".lower() or before in ran.err


def test_terms_are_asked_for_before_anything_is_fetched(streams):
    ran = gate("0.0.1", streams[""])
    assert ran.code == 4
    assert "--accept-vendor-terms" in ran.err


def test_both_ends_are_needed():
    ran = memassay("gate", "--from", "2.1.296")
    assert ran.code == 2
    assert "--to" in ran.err


@pytest.mark.skipif(not SYSTEM.exists(), reason="the fake client needs a Python in /usr")
def test_two_clients_are_run_and_their_streams_kept(tmp_path):
    """Two versions of the fake client: the second one writes a new index in another form."""
    source = FAKE.read_text(encoding="utf-8")
    later = source.replace("- [{name[:-3]}]", "* [{name[:-3]}]").replace('"9.8.7"', '"9.9.0"')
    assert "* [{" in later
    clients = {}
    for name, text in (("old", source), ("new", later)):
        clients[name] = tmp_path / name
        clients[name].write_text(f"#!{SYSTEM} -IS\n{text}", encoding="utf-8")
        clients[name].chmod(0o755)
    ran = memassay(
        *("gate", "--chapter", "layout", "--format", "json", "--out", tmp_path / "out"),
        *("--from", clients["old"], "--to", clients["new"]),
        timeout_s=600,  # a loaded machine is slow, and no test should be of it
    )
    assert ran.code == 1, ran.err
    validate("gate", ran.json)
    assert (ran.json["a"]["version"], ran.json["b"]["version"]) == ("9.8.7", "9.9.0")
    assert any("LAY-" in item["rule"] for item in ran.json["outcomes"] + ran.json["answers"])
    for role in ("from", "to"):
        lines = (tmp_path / "out" / f"claude-code-{role}.jsonl").read_text().splitlines()
        assert json.loads(lines[0])["selection"] == {"chapters": ["layout"]}
        assert json.loads(lines[-1])["complete"] is True
