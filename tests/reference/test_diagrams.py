"""The diagrams of the teaching pages are those of the code."""

import importlib.util
from pathlib import Path

import pytest

from memassay_reference import dream, extraction

SCRIPT = Path(__file__).parents[2] / "docs" / "generate_diagrams.py"


@pytest.fixture(scope="module")
def diagrams():
    found = importlib.util.spec_from_file_location("generate_diagrams", SCRIPT)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_pages_are_current(diagrams):
    assert diagrams.main(["--check"]) == 0


@pytest.mark.parametrize("machine", [extraction, dream])
def test_every_transition_is_in_the_table(diagrams, machine):
    drawn = diagrams.diagram(machine.TRANSITIONS)
    for (phase, signal), (following, effect) in machine.TRANSITIONS.items():
        assert f"| {phase} | {signal} | {following} | {effect} |" in drawn


def test_a_stale_page_is_noticed_and_mended(diagrams, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(diagrams, "CHAPTERS", tmp_path)
    for name in diagrams.MACHINES:
        (tmp_path / name).write_text(f"a\n{diagrams.BEGIN}\nold\n{diagrams.END}\nb\n")
    assert diagrams.main(["--check"]) == 1
    assert "extraction.md, dream.md" in capsys.readouterr().err
    assert diagrams.main([]) == 0
    assert diagrams.main(["--check"]) == 0
    page = (tmp_path / "dream.md").read_text()
    assert page.startswith("a\n")
    assert page.endswith("\nb\n")
    assert "\nold\n" not in page


def test_a_page_without_marks_is_an_error(diagrams):
    with pytest.raises(ValueError, match="no marks"):
        diagrams.updated("nothing", "drawing")
