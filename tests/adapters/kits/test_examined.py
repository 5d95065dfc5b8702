"""Each kit, copied by the command that copies kits, is examined as its README says."""

from __future__ import annotations

import json
import sys

import pytest

from tests.adapters.conversation import finish, needs_node

MEMASSAY = (sys.executable, "-m", "memassay")

COMMANDS = {
    "python": ("--", sys.executable, "adapter.py"),
    "node": ("--", "node", "adapter.mjs"),
    "shell": ("--program", "sh adapter.sh"),
}


@pytest.mark.parametrize("language", ["python", pytest.param("node", marks=needs_node), "shell"])
def test_a_kit_as_copied_passes_what_it_lists(tmp_path, language):
    kit = tmp_path / "kit"
    code, _, stderr = finish([*MEMASSAY, "new-adapter", "--language", language, kit])
    assert code == 0, stderr
    command = [*MEMASSAY, "run", "--format", "json", "--chapter", "project-key"]
    code, stdout, stderr = finish([*command, *COMMANDS[language]], cwd=kit)
    assert code == 0, stderr
    counts = json.loads(stdout)["counts"]
    assert counts["conforming"] > 0
    assert sum(counts.values()) == counts["conforming"]


@pytest.mark.parametrize(("language", "file"), [("python", "adapter.py"), ("node", "adapter.mjs")])
def test_the_readme_names_the_kits_own_file(tmp_path, language, file):
    kit = tmp_path / "kit"
    assert finish([*MEMASSAY, "new-adapter", "--language", language, kit])[0] == 0
    assert (kit / file).is_file()
    assert f"memassay run -- {'python3' if language == 'python' else 'node'} {file}" in (
        kit / "README.md"
    ).read_text(encoding="utf-8")
