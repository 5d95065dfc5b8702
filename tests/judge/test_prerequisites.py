import os

import pytest

from memassay.judge.prerequisites import MissingPrerequisiteError, check_prerequisites
from memassay.spec.models import Level
from tests.judge import mini


def needing(*names, tree=None):
    return mini.case("x-need", mini.NOTE, "X-1", Level.MUST, {}, {}, requires=names, tree=tree)


def test_what_is_there_is_no_problem(tmp_path):
    check_prerequisites([needing("git", "symlinks", "fifo")], str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_missing_git_is_named_with_its_case_and_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPrerequisiteError) as caught:
        check_prerequisites([needing(), needing("git")], str(tmp_path))
    assert str(caught.value) == (
        "git: there is no such command (case x-need needs it)\n  install git and put it on the PATH"
    )


def test_git_that_does_not_run_is_no_git(tmp_path, monkeypatch):
    broken = tmp_path / "git"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(MissingPrerequisiteError, match="ends with 3"):
        check_prerequisites([needing("git")], str(tmp_path))


@pytest.mark.parametrize(
    ("tree", "name"),
    [
        ({"r": {"git": "repository"}}, "git"),
        ({"l": {"symlink": "x"}}, "symlinks"),
        ({"p": {"fifo": True}}, "fifo"),
    ],
)
def test_a_node_of_a_tree_says_what_it_needs(tmp_path, monkeypatch, tree, name):
    def refuse(*_):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "symlink", refuse)
    monkeypatch.setattr(os, "mkfifo", refuse)
    with pytest.raises(MissingPrerequisiteError) as caught:
        check_prerequisites([needing(tree=tree)], str(tmp_path))
    assert str(caught.value).startswith(f"{name}: ")


def test_a_system_without_named_pipes_says_so(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "mkfifo")
    with pytest.raises(MissingPrerequisiteError, match="this system has no named pipes"):
        check_prerequisites([needing("fifo")], str(tmp_path))


def test_nothing_is_asked_for_what_nobody_needs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    check_prerequisites([needing("symlinks")], str(tmp_path))


def test_an_unknown_prerequisite_is_not_silently_fulfilled(tmp_path):
    with pytest.raises(MissingPrerequisiteError, match="'windows'"):
        check_prerequisites([needing("windows")], str(tmp_path))
