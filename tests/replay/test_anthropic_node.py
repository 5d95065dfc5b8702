"""The same cassettes through another language's SDK: needs node, npm and the npm registry.

`nox -s node_sdk` does it with a fresh SDK. Here it runs if `MEMASSAY_NODE_SDK` names a directory in
which the SDK is installed; the refusals need none.
"""

import os

import pytest

from memassay.adapter.connect import connect_command
from memassay.judge.examine import examine
from memassay.judge.stream import Run
from memassay.judge.verdict import Outcome
from memassay.spec.loader import load_spec
from tests.adapters.conversation import ADAPTERS, finish, needs_node

pytestmark = needs_node

ADAPTER = ADAPTERS / "anthropic_node" / "adapter.mjs"
SDK = os.environ.get("MEMASSAY_NODE_SDK")


@pytest.mark.parametrize("args", [[], ["--sdk"], ["DIR"]])
def test_a_wrong_command_line_shows_the_right_one(args):
    code, _, stderr = finish(["node", ADAPTER, *args])
    assert code == 2
    assert "usage: node adapter.mjs --sdk DIR" in stderr


def test_without_the_sdk_it_says_how_to_get_it(tmp_path):
    code, stdout, stderr = finish(["node", ADAPTER, "--sdk", tmp_path])
    assert (code, stdout) == (1, b"")
    assert "npm install @anthropic-ai/sdk" in stderr


@pytest.mark.skipif(SDK is None, reason="MEMASSAY_NODE_SDK names no directory with the SDK")
def test_it_passes_the_chapter():
    spec = load_spec()
    connect = connect_command(["node", str(ADAPTER), "--sdk", str(SDK)])
    cases = spec.select(chapters=["selector"])
    run = Run.of(examine(spec, cases, connect, profile="claude-code", time_limit_s=60))
    assert {v.case for v in run.verdicts.values() if v.outcome is not Outcome.PASS} == set()
    assert run.header.implementation.language == "JavaScript"
