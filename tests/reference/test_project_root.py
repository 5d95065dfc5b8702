"""The project root, on directories made for the purpose. No git runs here."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference import project_root as module
from memassay_reference.project_root import OPS, git_root, project_root, shared_git_dir

PI = "pi-project-memory"


@pytest.fixture
def place(tmp_path):
    return Path(os.path.realpath(tmp_path))


def make_worktree(place: Path, common: str = "ra/.git", worktree: str = "w") -> Path:
    """Make a linked worktree by hand: three files are all that it takes."""
    git_dir = place / common / "worktrees" / worktree
    git_dir.mkdir(parents=True)
    root = place / worktree
    root.mkdir()
    (root / ".git").write_text(f"gitdir: {git_dir}\n")
    (git_dir / "commondir").write_text("../..\n")
    (git_dir / "gitdir").write_text(f"{root}/.git\n")
    return root


def test_without_git_a_directory_is_its_own_project(place):
    (place / "a/b").mkdir(parents=True)
    assert project_root(f"{place}/a/b") == f"{place}/a/b"


def test_the_nearest_marker_wins(place):
    (place / "outer/.git").mkdir(parents=True)
    (place / "outer/inner/.git").mkdir(parents=True)
    (place / "outer/inner/x/y").mkdir(parents=True)
    assert project_root(f"{place}/outer/inner/x/y") == f"{place}/outer/inner"
    assert project_root(f"{place}/outer") == f"{place}/outer"


def test_the_way_up_starts_at_the_real_directory(place):
    (place / "ra/.git").mkdir(parents=True)
    (place / "ra/sub").mkdir()
    (place / "out").mkdir()
    (place / "into").symlink_to("ra/sub")
    (place / "ra/outof").symlink_to("../out")
    assert project_root(f"{place}/into") == f"{place}/ra"
    assert project_root(f"{place}/ra/outof") == f"{place}/out"


def test_the_search_ends_at_the_top():
    assert git_root("/") is None
    assert project_root("/") == "/"


def test_a_worktree_belongs_to_the_main_checkout(place):
    root = make_worktree(place)
    (root / "sub").mkdir()
    assert shared_git_dir(str(root)) == f"{place}/ra/.git"
    assert project_root(f"{root}/sub") == f"{place}/ra"


def test_worktrees_of_one_repository_share_their_root(place):
    first, second = make_worktree(place), make_worktree(place, worktree="v")
    assert project_root(str(first)) == project_root(str(second)) == f"{place}/ra"


@pytest.mark.parametrize("common", ["holder/.bare", "ra.git", "ra/.GIT"])
def test_a_common_directory_of_another_name_stands_for_itself(place, common):
    root = make_worktree(place, common)
    assert project_root(str(root)) == f"{place}/{common}"
    assert project_root(str(root), PI) == str(root)


@pytest.mark.parametrize("missing", ["commondir", "gitdir"])
def test_each_of_the_three_files_is_needed(place, missing):
    root = make_worktree(place)
    (place / "ra/.git/worktrees/w" / missing).unlink()
    assert project_root(str(root)) == str(root)


def test_a_borrowed_pointer_is_worth_nothing(place):
    root = make_worktree(place)
    spoof = place / "spoof"
    spoof.mkdir()
    (spoof / ".git").write_bytes((root / ".git").read_bytes())
    assert project_root(str(spoof)) == str(spoof)


def test_a_moved_worktree_is_on_its_own(place):
    moved = make_worktree(place).rename(place / "moved")
    assert project_root(str(moved)) == str(moved)


def test_the_backlink_may_go_through_a_link_but_the_common_directory_keeps_it(place):
    root = make_worktree(place)
    (place / "wl").symlink_to("w")
    (place / "ralink").symlink_to("ra")
    git_dir = place / "ra/.git/worktrees/w"
    (git_dir / "gitdir").write_text(f"{place}/wl/.git\n")
    assert project_root(str(root)) == f"{place}/ra"
    (root / ".git").write_text(f"gitdir: {place}/ralink/.git/worktrees/w\n")
    assert project_root(str(root)) == f"{place}/ralink"


blank = st.text(" \t\r\n\ufeff\u00a0", max_size=4)


@given(before=blank, between=blank, after=blank)
def test_blanks_around_the_pointer_do_not_matter(tmp_path_factory, before, between, after):
    place = Path(os.path.realpath(tmp_path_factory.mktemp("r")))
    root = make_worktree(place)
    git_dir = place / "ra/.git/worktrees/w"
    (root / ".git").write_bytes(f"{before}gitdir:{between}{git_dir}{after}".encode())
    (git_dir / "commondir").write_bytes(f"{before}../..{after}".encode())
    (git_dir / "gitdir").write_bytes(f"{before}{root}/.git{after}".encode())
    assert project_root(str(root)) == f"{place}/ra"


@given(st.binary(max_size=60))
def test_any_other_file_marks_its_own_directory(tmp_path_factory, content):
    place = Path(os.path.realpath(tmp_path_factory.mktemp("r")))
    (place / ".git").write_bytes(content)
    (place / "sub").mkdir()
    assert project_root(f"{place}/sub") == str(place)


@pytest.mark.parametrize("kind", ["dangling", "loop", "fifo", "device"])
def test_what_is_no_file_and_no_directory_marks_nothing(place, kind):
    sub = place / "f/s"
    sub.mkdir(parents=True)
    marker = place / "f/.git"
    if kind == "fifo":
        os.mkfifo(marker)
    else:
        marker.symlink_to({"dangling": "nowhere", "loop": ".git", "device": os.devnull}[kind])
    assert project_root(str(sub)) == str(sub)


def test_the_environment_is_not_asked(place, monkeypatch):
    (place / "ra/.git").mkdir(parents=True)
    (place / "plain").mkdir()
    monkeypatch.setenv("GIT_DIR", f"{place}/ra/.git")
    monkeypatch.setenv("PWD", f"{place}/ra")
    assert project_root(f"{place}/plain") == f"{place}/plain"


def test_no_git_is_started():
    assert not hasattr(module, "subprocess")


def test_the_op(place):
    answer = OPS["project_root"]({"cwd": str(place), "env": {"GIT_DIR": "/x"}}, "claude-code")
    assert answer == {"root": str(place)}
