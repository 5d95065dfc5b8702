import os
from pathlib import Path

import pytest

from memassay.judge.prerequisites import MissingPrerequisiteError
from memassay.judge.workspace import Workspace


def test_paths_are_canonical_short_ascii_and_equally_long():
    with Workspace.create() as workspace:
        assert workspace.root == str(Path(workspace.root).resolve())
        paths = [workspace.fresh(name) for name in ("a", "idx-emoji-pairs", "b" * 200)]
        assert len({len(path) for path in paths}) == 1
        assert len(set(paths)) == 3
        assert all(path.isascii() and len(path) < 110 for path in paths)
    assert not Path(workspace.root).exists()


def test_one_run_after_another_finds_the_same_paths(tmp_path):
    with Workspace.create(str(tmp_path)) as first:
        path = first.path_of("case")
    with Workspace.create(str(tmp_path)) as second:
        assert second.path_of("case") == path


def test_two_runs_at_once_do_not_meet(tmp_path):
    with Workspace.create(str(tmp_path)) as one, Workspace.create(str(tmp_path)) as other:
        assert one.root != other.root
        assert Path(one.root).stat().st_mode & 0o777 == 0o700


def test_fresh_means_empty_whatever_was_there(tmp_path):
    with Workspace.create(str(tmp_path)) as workspace:
        path = Path(workspace.fresh("case"))
        make_it_hard_to_remove(path)
        assert list(Path(workspace.fresh("case")).iterdir()) == []


def make_it_hard_to_remove(path):
    locked = path / "locked"
    (locked / "deep").mkdir(parents=True)
    (locked / "deep" / "file").write_text("x")
    (locked / "deep" / "file").chmod(0)
    (locked / "deep").chmod(0)
    locked.chmod(0)
    os.mkfifo(path / "pipe")
    (path / "loop").symlink_to("loop")
    (path / "up").symlink_to("../..")


def test_what_is_discarded_goes_before_long_and_can_be_made_again(tmp_path):
    with Workspace.create(str(tmp_path)) as workspace:
        for _ in range(20):
            path = Path(workspace.fresh("case"))
            (path / "file").write_text("x")
            workspace.discard("case")
        path = Path(workspace.fresh("case"))
        assert list(path.iterdir()) == []
        workspace.discard("case")
        workspace.discard("never made")
        workspace.settle()
        assert list(Path(workspace.root).iterdir()) == []


def test_everything_is_removed_and_nothing_behind_links(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    with Workspace.create(str(tmp_path)) as workspace:
        path = Path(workspace.fresh("case"))
        make_it_hard_to_remove(path)
        (path / "away").symlink_to(outside)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["outside"]
    assert (outside / "kept").read_text() == "x"


def fail_in(base):
    with Workspace.create(base) as workspace:
        workspace.fresh("case")
        raise RuntimeError


def test_it_is_removed_when_an_error_leaves_it(tmp_path):
    with pytest.raises(RuntimeError):
        fail_in(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("ünicode", "is not plain ASCII"),
        ("x" * 90, "is longer than 80 characters"),
        ("missing", "is no directory that can be written"),
    ],
)
def test_a_directory_that_will_not_do_is_refused_by_name(tmp_path, name, complaint):
    base = tmp_path / name
    if name != "missing":
        base.mkdir()
    with pytest.raises(MissingPrerequisiteError) as caught:
        Workspace.create(str(base))
    assert complaint in str(caught.value)
    assert "TMPDIR" in str(caught.value)


def test_a_git_repository_around_it_would_change_answers(tmp_path):
    (tmp_path / ".git").mkdir()
    inner = tmp_path / "inner"
    inner.mkdir()
    with pytest.raises(MissingPrerequisiteError, match="is in a git repository"):
        Workspace.create(str(inner))


def test_a_full_disk_is_told(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    with pytest.raises(MissingPrerequisiteError, match=r"cannot be made in .*: No space left"):
        Workspace.create(str(tmp_path))


def test_what_killed_runs_left_over_is_not_walked_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr("memassay.judge.workspace._ATTEMPTS", 3)
    for number in (1, 2):
        (tmp_path / f"memassay-000{number}").mkdir()
    with pytest.raises(MissingPrerequisiteError, match="is full of directories memassay-0001"):
        Workspace.create(str(tmp_path))


def test_another_directory_is_taken_if_the_usual_one_will_not_do(tmp_path, monkeypatch):
    monkeypatch.setattr("memassay.judge.workspace._MEMORY", str(tmp_path / "missing"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "ünicode"))
    with Workspace.create() as workspace:
        assert workspace.root.isascii()


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A place in memory and the temporary directory, and nothing that a user has chosen."""
    for name in ("memory", "disk"):
        (tmp_path / name).mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("memassay.judge.workspace._MEMORY", str(tmp_path / "memory"))
    monkeypatch.setattr("memassay.judge.workspace._MEMORY_BYTES", 0)
    monkeypatch.setattr("memassay.judge.workspace._MEMORY_ENTRIES", 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "disk"))
    return tmp_path


def place_taken():
    with Workspace.create() as workspace:
        return Path(workspace.root).parent.name


@pytest.mark.usefixtures("places")
def test_directories_are_made_in_memory_where_there_is_room():
    assert place_taken() == "memory"


@pytest.mark.usefixtures("places")
@pytest.mark.parametrize("size", ["_MEMORY_BYTES", "_MEMORY_ENTRIES"])
def test_a_small_place_in_memory_is_left_alone(monkeypatch, size):
    monkeypatch.setattr(f"memassay.judge.workspace.{size}", 2**80)
    assert place_taken() == "disk"


def test_a_system_without_such_a_place_has_a_temporary_directory(places):
    (places / "memory").rmdir()
    assert place_taken() == "disk"


def test_what_the_user_names_is_taken(places, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(places / "disk"))
    assert place_taken() == "disk"
