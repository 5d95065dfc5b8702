import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import frozen
from jsonschema import Draft202012Validator

MINI = Path(__file__).parent / "mini"
SPEC = MINI / "spec"


@frozen
class Ran:
    """What a call of the command line left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def environment(**more):
    keep = {
        name: os.environ[name] for name in ("PATH", "HOME", "MEMASSAY_CACHE") if name in os.environ
    }
    return {**keep, "COLUMNS": "80", "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8", **more}


def memassay(*args, env=None, cwd=None, stdin=None, timeout_s=120) -> Ran:
    """Run the command line as a user does, in a process of its own, 80 columns wide."""
    done = subprocess.run(
        [sys.executable, "-m", "memassay", *map(str, args)],
        capture_output=True,
        check=False,
        cwd=cwd,
        encoding="utf-8",
        env=environment(**(env or {})),
        input=stdin,
        timeout=timeout_s,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def validate(command, document):
    """Check a command's JSON output against the schema that the command itself prints."""
    printed = memassay(command, "--schema")
    assert printed.code == 0
    Draft202012Validator.check_schema(printed.json)
    Draft202012Validator(printed.json).validate(document)


@pytest.fixture
def spec_copy(tmp_path):
    """A copy of the little spec, to be damaged."""
    copy = tmp_path / "spec"
    for path in SPEC.rglob("*"):
        if path.is_file():
            target = copy / path.relative_to(SPEC)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return copy
