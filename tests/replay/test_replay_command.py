import json
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator

from memassay.spec.locate import cassettes_root
from tests.cli.conftest import environment, memassay
from tests.replay.asking import NATIVE, ask


def replaying(*args):
    return subprocess.Popen(
        [sys.executable, "-m", "memassay", "replay", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )


def test_a_cassette_is_played_and_the_requests_are_told():
    with replaying("selector-prefix", "--requests", "2") as process:
        url = process.stdout.readline().strip()
        status, message = ask(url, **NATIVE)
        assert (status, json.loads(message["content"][0]["text"])) == (
            200,
            {"selected_memories": ["[project] release.md"]},
        )
        assert ask(url, **NATIVE)[0] == 404
        lines = [json.loads(line) for line in process.stdout]
        assert process.wait(20) == 0
    assert [line["reply"] for line in lines] == [0, None]
    schema = memassay("replay", "--schema").json
    for line in lines:
        Draft202012Validator(schema).validate(line)


def test_a_file_of_ones_own(tmp_path):
    copy = tmp_path / "mine.yaml"
    copy.write_bytes((cassettes_root() / "selector-none.yaml").read_bytes())
    with replaying(str(copy)) as process:
        url = process.stdout.readline().strip()
        assert ask(url, **NATIVE, stream=False)[0] == 200
        process.terminate()
        process.wait(20)


def test_the_list():
    ran = memassay("replay", "--list")
    assert ran.code == 0
    assert "selector-choice " in ran.out
    assert len(ran.out.splitlines()) >= 27


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([], "which cassette?"),
        (["selector-choise"], "is not in the manifest"),
        (["./nowhere.yaml"], "cannot be read: No such file"),
    ],
)
def test_what_cannot_be_played(args, why):
    ran = memassay("replay", *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
