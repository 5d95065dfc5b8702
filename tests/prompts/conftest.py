"""A prompt of our own, its fingerprint, and a port that replaces something of every kind."""

from pathlib import Path

import pytest

from memassay.prompts.fingerprint import dumps, make
from memassay.prompts.lines import read_prompt
from memassay.prompts.names import NameOf
from memassay.prompts.substitutions import load

EXAMPLE = Path(__file__).parents[2] / "fixtures" / "prompts" / "example"
SALT = "00112233445566778899aabbccddeeff"
NAMES = {
    NameOf.TOOL: ("Read", "Write"),
    NameOf.PARAMETER: ("file_path",),
    NameOf.FIELD: ("name", "type"),
}


def fingerprint_of(text, *, prompt="memory", dynamic=None, names=None):
    return make(text, prompt=prompt, of="us", salt=SALT, dynamic=dynamic, names=names)


@pytest.fixture
def text():
    return read_prompt(EXAMPLE / "baseline.md")


@pytest.fixture
def baseline(text):
    return fingerprint_of(text, dynamic={"memory_dir": "{memory_dir}"}, names=NAMES)


@pytest.fixture
def port():
    return read_prompt(EXAMPLE / "port.md")


@pytest.fixture
def declared(baseline):
    return load(EXAMPLE / "substitutions.yaml", baseline)


@pytest.fixture
def declare(tmp_path, baseline):
    """Return a function that reads substitutions from a text in YAML."""

    def read(yaml, printed=baseline):
        path = tmp_path / "substitutions.yaml"
        path.write_text(yaml, encoding="utf-8")
        return load(path, printed)

    return read


@pytest.fixture
def stored(tmp_path, baseline):
    path = tmp_path / "baseline.json"
    path.write_text(dumps(baseline), encoding="utf-8")
    return path
