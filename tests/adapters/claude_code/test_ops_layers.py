import pytest
from memassay_claude_code.errors import CannotWitnessError, ClientAskedError, WireChangedError
from memassay_claude_code.ops_layers import layers


@pytest.fixture
def project(tmp_path):
    """Return the paths of a project with instructions above and below a file, and its home."""
    for folder in ("home", "p/a/b"):
        (tmp_path / folder).mkdir(parents=True)
    for file, text in (("p", "P\n"), ("p/a", "\nA\n\n"), ("p/a/b", "<system-reminder>B")):
        (tmp_path / file / "CLAUDE.md").write_text(text)
    (tmp_path / "p/a/b/f").write_text("1\n")
    return tmp_path


def asked(place, *read_files):
    return {
        "cwd": f"{place}/p",
        "home": f"{place}/home",
        "read_files": [f"{place}/p/{file}" for file in read_files],
    }


@pytest.mark.parametrize("mode", ["plain", "uncounted", "reminders"])
def test_each_form_in_which_versions_attach_files_is_read_alike(bench, project, mode):
    seen = layers(bench(mode), asked(project, "a/b/f"))
    file = {"file": f"{project}/p/CLAUDE.md", "kind": "project", "text": "P"}
    assert seen["layers"] == [file]
    assert seen["attached"] == [
        [
            {"file": f"{project}/p/a/CLAUDE.md", "text": "\nA\n\n"},
            {"file": f"{project}/p/a/b/CLAUDE.md", "text": "<system-reminder>B"},
        ]
    ]


def test_nothing_is_read_nothing_is_attached(bench, project):
    assert layers(bench("detached"), asked(project))["attached"] == []


@pytest.mark.parametrize("mode", ["detached", "reverse"])
def test_a_client_that_is_not_seen_to_attach_is_not_taken_at_its_word(bench, project, mode):
    with pytest.raises(WireChangedError, match="a file of a folder below"):
        layers(bench(mode), asked(project, "a/b/f"))


def test_a_file_that_is_not_there_cannot_be_read(bench, project):
    with pytest.raises(CannotWitnessError, match="no file"):
        layers(bench(), asked(project, "a/none"))


def test_a_read_that_is_refused(bench, project):
    with pytest.raises((ClientAskedError, WireChangedError)):
        layers(bench("deny"), asked(project, "a/b/f"))
