"""The shell kit: one process a case, in whatever sh is here."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.adapters.conversation import ADAPTERS, finish

from .keys import KEYS

KIT = ADAPTERS / "kits" / "shell" / "adapter.sh"

SHELLS = {str(Path(path).resolve()) for path in map(shutil.which, ("sh", "dash", "bash")) if path}


@pytest.mark.parametrize("shell", sorted(SHELLS))
@pytest.mark.parametrize("ascii_only", [True, False])
def test_its_example_is_right(shell, ascii_only):
    got = {}
    for name, (path, _) in KEYS.items():
        if ascii_only or "\ud83d" not in path:  # half a pair has no UTF-8
            args = json.dumps({"path": path}, ensure_ascii=ascii_only).encode()
            code, stdout, stderr = finish([shell, KIT, "project_key"], args)
            assert (code, stderr) == (0, "")
            got[name] = json.loads(stdout)
    assert got == {name: {"key": KEYS[name][1]} for name in got}


@pytest.mark.parametrize("args", [b'{"path":"/a"}', b'{ "path" : "/a" }\n', b'\n{"path":\t"/a"}'])
def test_the_layout_of_the_json_is_free(args):
    assert finish(["sh", KIT, "project_key"], args)[:2] == (0, b'{"key": "-a"}\n')


def test_every_escape_of_json_is_one_unit():
    args = rb'{"path":"\"\\\/\b\f\n\r\tA\u0042\u00E9\ud83D\uDe00z"}'
    assert json.loads(finish(["sh", KIT, "project_key"], args)[1]) == {"key": "-" * 8 + "AB---z"}


def test_the_op_may_come_in_the_environment_alone():
    env = {**os.environ, "MEMASSAY_OP": "project_key"}
    assert finish(["sh", KIT], b'{"path":"/a"}', env=env)[:2] == (0, b'{"key": "-a"}\n')


def test_it_lists_its_ops():
    assert finish(["sh", KIT, "--ops"]) == (0, b"project_key\n", "")


def test_an_op_that_it_has_not_exits_64_and_says_so():
    code, stdout, stderr = finish(["sh", KIT, "index_window"], b'{"text":""}')
    assert (code, stdout) == (64, b"")
    assert "index_window" in stderr
