"""`new-adapter`: from nothing to an adapter that answers."""

import pytest

from memassay.spec.locate import kits_root
from tests.cli.conftest import memassay

LANGUAGES = sorted(path.name for path in kits_root().iterdir() if path.is_dir())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_is_copied_whole(language, tmp_path):
    ran = memassay("new-adapter", "--language", language, tmp_path / "mine")
    assert (ran.code, ran.err) == (0, "")
    kit = kits_root() / language
    for path in kit.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            copy = tmp_path / "mine" / path.relative_to(kit)
            assert copy.read_bytes() == path.read_bytes()
            assert copy.stat().st_mode == path.stat().st_mode
    assert "README.md" in ran.out


def test_an_empty_directory_will_do(tmp_path):
    assert memassay("new-adapter", "--language", "python", tmp_path).code == 0


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "mine").write_text("precious")
    ran = memassay("new-adapter", "--language", "python", tmp_path)
    assert ran.code == 2
    assert "is not empty" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_file_is_no_directory(tmp_path):
    (tmp_path / "file").write_text("precious")
    ran = memassay("new-adapter", "--language", "python", tmp_path / "file")
    assert ran.code == 2
    assert (tmp_path / "file").read_text() == "precious"
