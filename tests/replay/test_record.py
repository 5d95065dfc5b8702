"""The recorder: what it writes can be played, and it refuses where nothing may be recorded."""

import importlib.util
import shutil
import sys

import pytest

from memassay.replay.cassette import load
from memassay.replay.scrub import found_secrets
from memassay.spec.loader import load_spec
from memassay.spec.locate import cassettes_root, spec_root

NAME = "extractor-writes"


@pytest.fixture
def recorder(tmp_path, monkeypatch):
    """The script `cassettes/record.py`, writing to a directory of its own, not in CI."""
    origin = cassettes_root() / "record.py"
    described = importlib.util.spec_from_file_location("record_cassettes", origin)
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    shutil.copy(cassettes_root() / "scenarios.yaml", tmp_path)
    monkeypatch.setattr(module, "HERE", tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    def run(*args):
        monkeypatch.setattr(sys, "argv", ["record.py", *args])
        return module.main()

    return run


def test_a_recording_can_be_played_and_tells_nothing_of_the_machine(recorder, tmp_path, capsys):
    assert recorder("--against", "script", NAME, "selector-dropped") == 0
    cassette = load(tmp_path, NAME)
    assert len(cassette.exchanges) == 3
    assert cassette.entry.recorded["against"] == "script"
    text = (tmp_path / f"{NAME}.yaml").read_text()
    assert list(found_secrets(text)) == []
    assert "/memassay-tree/m" in text
    assert load(tmp_path, "selector-dropped").exchanges[0].reply.drop_after_bytes == 120
    assert "the reference makes of it" in capsys.readouterr().out


def test_recording_again_gives_the_same_bytes(recorder, tmp_path):
    for _ in range(2):
        assert recorder("--against", "script", NAME) == 0
    assert (tmp_path / f"{NAME}.yaml").read_bytes() == (
        cassettes_root() / f"{NAME}.yaml"
    ).read_bytes()


def test_in_ci_nothing_is_recorded(recorder, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CI", "true")
    assert recorder("--against", "script") == 2
    assert "nothing is recorded in CI" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["scenarios.yaml"]


def test_without_a_key_nobody_asks_the_api(recorder, capsys):
    assert recorder("--against", "api") == 2
    assert "ANTHROPIC_API_KEY is not set" in capsys.readouterr().out


def test_a_secret_in_a_recording_throws_it_away(recorder, tmp_path):
    scenarios = tmp_path / "scenarios.yaml"
    scenarios.write_text(scenarios.read_text().replace("text: Saved.", "text: sk-ant-12345678"))
    with pytest.raises(SystemExit, match="holds an API key; the recording was thrown away"):
        recorder("--against", "script", NAME)
    assert not (tmp_path / f"{NAME}.yaml").exists()


def test_the_digest_of_the_spec_covers_the_cassettes(tmp_path):
    shutil.copytree(spec_root(), tmp_path / "spec")
    shutil.copytree(cassettes_root(), tmp_path / "cassettes")
    before = load_spec(root=tmp_path / "spec").digest
    assert before == load_spec().digest
    with (tmp_path / "cassettes" / "manifest.yaml").open("a") as file:
        file.write("# another recording\n")
    assert load_spec(root=tmp_path / "spec").digest != before
