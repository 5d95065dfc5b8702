import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from memassay_claude_code.client import VERSION_LINE
from memassay_claude_code.observe import memory_section
from memassay_claude_code.ops_prompts import memory_sections

ADAPTER = Path(__file__).parents[3] / "adapters" / "claude_code"


def request(system):
    return {"system": [{"type": "text", "text": system}], "messages": []}


SECTION = "# Memory\n\nIn `/m/` stand notes.\n\n## Part\n\nwords"


@pytest.mark.parametrize(
    ("system", "section"),
    [
        (SECTION, SECTION),
        (f"intro\n\n{SECTION}\n\n# Environment\nmore", SECTION),
        (f"# Before\n\n{SECTION}\n\n", SECTION),
        (f"{SECTION}\n```\n# code\n```\nend\n# After", f"{SECTION}\n```\n# code\n```\nend"),
        (f"{SECTION}\n~~~\n```\n# code\n~~~\n# After", f"{SECTION}\n~~~\n```\n# code\n~~~"),
        (f"{SECTION}\n```one line```\n# After", f"{SECTION}\n```one line```"),
        (f"{SECTION}\n```\n# never closed", f"{SECTION}\n```\n# never closed"),
        ("# Memory\nno path", None),
        ("# Memory of old\n`/m/`", None),
        ("", None),
    ],
)
def test_where_the_section_ends(system, section):
    assert memory_section(request(system)) == section


def test_the_section_is_looked_for_in_the_system_prompt_only():
    body = {"system": "none", "messages": [{"role": "user", "content": SECTION}]}
    assert memory_section(body) is None


def test_sections_that_differ_only_by_their_directory_are_one(bench, tmp_path):
    places = [tmp_path / name for name in ("a", "b c", "missing")]
    for place in places[:2]:
        place.mkdir()
    (places[1] / "MEMORY.md").write_text("- a\n")
    args = {"memory_dirs": [str(place) for place in places]}
    assert memory_sections(bench(), args) == {"sections": [0, 0, 0]}


def test_a_client_that_says_more_in_one_state_is_seen(bench, monkeypatch):
    said = iter(["# Memory\n`/m/`", "# Memory\n`/m/` is empty", "", "# Memory\n`/m/`"])
    monkeypatch.setattr("memassay_claude_code.ops_prompts.look_at", lambda *_: request(next(said)))
    args = {"memory_dirs": ["/a", "/b", "/c", "/d"]}
    assert memory_sections(bench(), args) == {"sections": [0, 1, None, 0]}


@pytest.fixture
def run(fake):
    """Return a function that calls the fingerprint command with a fake client, as a process."""
    client = fake()

    def call(*more):
        done = subprocess.run(
            [
                *(sys.executable, "-m", "memassay_claude_code.fingerprint"),
                *("--client", client, "--no-private-root", *more),
            ],
            capture_output=True,
            check=False,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ADAPTER)},
            timeout=120,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout, done.stderr

    return call


def test_a_fingerprint_of_the_client_and_the_client_against_it(run, tmp_path):
    status, out, err = run("--salt", "ab" * 16)
    assert (status, err) == (0, "")
    printed = json.loads(out)
    assert printed["salt"] == "ab" * 16
    assert VERSION_LINE.fullmatch(f"{printed['of'].removeprefix('claude-code ')} (Claude Code)")
    assert [line["level"] for line in printed["lines"]] == [1, 0, 0]
    assert printed["lines"][2]["dynamic"] == ["memory_dir"]
    assert "fake `" not in out
    path = tmp_path / "fp.json"
    path.write_text(out)
    status, out, err = run("--against", path)
    assert (status, err) == (0, "")
    assert out.startswith("same: memory of claude-code ")


def test_another_section_is_told_by_line(run, tmp_path):
    printed = json.loads(run("--salt", "ab" * 16)[1])
    printed["lines"][2]["hash"] = "0" * 64
    path = tmp_path / "fp.json"
    path.write_text(json.dumps(printed))
    status, out, err = run("--against", path)
    assert (status, err) == (1, "")
    assert "baseline line 3, port line 3: not the same" in out


@pytest.mark.parametrize(
    ("more", "said"),
    [(("--salt", "x"), "'x' is no salt"), (("--against", "none.json"), "cannot be read")],
)
def test_what_cannot_be_done(run, more, said):
    status, out, err = run(*more)
    assert (status, out) == (2, "")
    assert said in err
