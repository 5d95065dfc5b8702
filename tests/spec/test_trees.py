import os
import stat
import subprocess
from pathlib import Path

import pytest

from memassay.spec.errors import BuilderError
from memassay.spec.repositories import git_available
from memassay.spec.trees import make_tree, remove_tree, snapshot

needs_git = pytest.mark.skipif(not git_available(), reason="git is not installed")
CLOCK_NS = 1796040000000 * 1_000_000


def test_files_hold_exactly_their_bytes(context):
    make_tree(
        {"a/b.md": "é\r\n", "c": {"file": {"hex": "ff 00"}}, "d": {"hex": "78 78 78"}}, context
    )
    root = Path(context.root)
    assert (root / "a/b.md").read_bytes() == b"\xc3\xa9\r\n"
    assert (root / "c").read_bytes() == b"\xff\0"
    assert (root / "d").read_bytes() == b"xxx"


def test_times_are_the_clock_less_the_age(context):
    make_tree(
        {"old.md": {"file": "x", "age": "48h"}, "us.md": {"file": "x", "age": "-100us"},
         "dir": {"dir": True, "age": "1s"}, "dir/in.md": "y"},
        context,
    )  # fmt: skip
    entries = snapshot(context.root).entries
    assert entries["old.md"].mtime_ns == CLOCK_NS - 172_800 * 10**9
    assert entries["us.md"].mtime_ns == CLOCK_NS + 100_000
    assert entries["dir"].mtime_ns == CLOCK_NS - 10**9, "made again after its child was"
    assert entries["dir/in.md"].mtime_ns == CLOCK_NS


def test_links_pipes_and_modes(context):
    make_tree(
        {"a": {"symlink": "nowhere"}, "b": {"symlink": {"path": "t"}}, "p": {"fifo": True},
         "m": {"file": "x", "mode": "0640"}, "d": {"dir": True, "mode": "0500"}},
        context,
    )  # fmt: skip
    root = Path(context.root)
    entries = snapshot(root).entries
    assert (entries["a"].kind, entries["a"].target) == ("symlink", "nowhere")
    assert entries["b"].target == f"{context.root}/t"
    assert entries["p"].kind == "fifo"
    assert stat.S_IMODE((root / "m").stat().st_mode) == 0o640
    assert stat.S_IMODE((root / "d").stat().st_mode) == 0o500


def test_hard_links_share_their_file(context):
    make_tree({"a": "x", "b": {"hardlink": "a"}}, context)
    assert Path(context.root, "b").stat().st_nlink == 2
    assert Path(context.root, "b").samefile(Path(context.root, "a"))


def test_a_family_of_files(context):
    family = {"from": 9, "to": 11, "name": "t{n:03}.md", "text": "no {n}", "age_step": "1s"}
    make_tree({"m": {"files": family}}, context)
    entries = snapshot(context.root).entries
    assert sorted(entries) == ["m", "m/t009.md", "m/t010.md", "m/t011.md"]
    assert (Path(context.root) / "m/t010.md").read_text() == "no 10"
    assert entries["m/t010.md"].mtime_ns == CLOCK_NS - 10 * 10**9


def test_move_and_remove_follow_the_written_order(context):
    make_tree({"a/x": {"file": "1", "age": "1h"}, "b": {"move": "a"}, "c": "2", "c2": {"move": "c"},
               "gone/y": "3", "gone": {"remove": True}}, context)  # fmt: skip
    entries = snapshot(context.root).entries
    assert sorted(entries) == ["b", "b/x", "c2"]
    assert entries["b/x"].mtime_ns == CLOCK_NS - 3600 * 10**9


@pytest.mark.parametrize(
    ("tree", "word"),
    [
        ({"../x": "a"}, "no path in the tree"),
        ({"l": {"symlink": "/"}, "l/etc/memassay": "x"}, "out of the tree"),
        ({"a": {"file": "x", "colour": 1}}, "colour"),
        ({"a": {"file": 5}}, "no node"),
        ({"a": 5}, "no node"),
        ({"a": {"file": "x", "mode": "9"}}, "octal"),
        ({"a": {"file": "x", "age": "old"}}, "duration"),
        ({"a": "x", "a/b": "y"}, "tree entry 'a/b'"),
        ({"b": {"move": "a"}}, "cannot be made"),
        ({"a": {"git": "mercurial"}}, "unknown"),
        ({"a": {"git": "bare", "of": "x"}}, "takes no `of`"),
        ({"a": {"files": {"from": 1}}}, "takes"),
        ({"a": {"files": {"from": 1, "to": "2", "name": "n", "text": "x"}}}, "whole number"),
        ({"a": {"files": {"from": 1, "to": 2, "name": "../{n}", "text": "x"}}}, "no path in the"),
        ({"a": "x", "b": {"move": "a", "age": "1h"}}, "keeps time and mode"),
        ({"a": {"file": "x", "age": []}}, "is no duration"),
        ({"a": {"file": "x", "age": False}}, "is no duration"),
        ({"a": "x", "a/../b": "x"}, "no path in the tree"),
        ({"a": {"file": "x", "mode": "644"}, "b": {"hardlink": "a"}, "c": {"remove": True}}, "c"),
        ({"a/x": "x", "a": {"remove": True, "mode": "700"}}, "cannot be set: No such file"),
        ({"a": "\ud83d"}, "tree entry 'a': holds half of a surrogate pair"),
        ({"d/x": "a", "l": {"symlink": "/"}, "d2": {"move": "d"}, "l/d2/x": "b"}, "out of the"),
        ({"d/x": "a", "d": {"remove": True}, "l": {"symlink": "/"}, "l/x/y": "b"}, "out of the"),
    ],
)
def test_nodes_that_cannot_be_made_are_named(context, tree, word):
    with pytest.raises(BuilderError, match=word):
        make_tree(tree, context)


def test_a_snapshot_tells_touched_from_untouched(context):
    make_tree({"same.md": "x", "text.md": "x", "time.md": "x"}, context)
    before = snapshot(context.root).entries
    root = Path(context.root)
    (root / "text.md").write_text("y")
    os.utime(root / "text.md", ns=(CLOCK_NS, CLOCK_NS))
    os.utime(root / "time.md", ns=(CLOCK_NS, CLOCK_NS + 1))
    after = snapshot(context.root).entries
    assert [name for name in before if before[name] != after[name]] == ["text.md", "time.md"]


def test_removal_does_not_mind_modes(tmp_path, context):
    make_tree({"d/x": "1", "d": {"dir": True, "mode": "0000"}, "l": {"symlink": "d"}}, context)
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    Path(context.root, "to-outside").symlink_to(outside)
    remove_tree(context.root)
    assert not Path(context.root).exists()
    assert stat.S_IMODE(outside.stat().st_mode) == 0o500, "links are not followed"
    remove_tree(context.root)


@pytest.mark.parametrize("kind", ["link", "file"])
def test_what_was_put_in_the_place_of_a_directory_goes_and_nothing_behind_it(tmp_path, kind):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    root = tmp_path / "root"
    if kind == "link":
        root.symlink_to(outside)
    else:
        root.write_text("x")
    remove_tree(root)
    assert not os.path.lexists(root)
    assert (outside / "kept").read_text() == "x"


def test_no_directory_is_too_deep(context):
    here = os.getcwd()  # noqa: PTH109 (as deep as the system lets us)
    os.chdir(context.root)
    for _ in range(1500):
        os.mkdir("d")  # noqa: PTH102
        os.chdir("d")
    os.chdir(here)
    assert len(snapshot(context.root).entries) == 1500
    remove_tree(context.root)
    assert not Path(context.root).exists()


@needs_git
def test_repositories_are_real(context, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere")  # the caller's environment must not leak in
    make_tree(
        {"r": {"git": "repository"}, "w": {"git": "worktree", "of": "r"}, "b": {"git": "bare"},
         "r/s": {"git": "submodule", "of": "r", "from": "b"},
         "sep": {"git": "repository", "separate_git_dir": "store"}},
        context,
    )  # fmt: skip

    def git(where, *arguments):
        command = ["git", "-C", f"{context.root}/{where}", *arguments]
        environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    assert git("r", "rev-parse", "--show-toplevel") == f"{context.root}/r"
    assert git("w", "rev-parse", "--git-common-dir") == f"{context.root}/r/.git"
    assert git("b", "rev-parse", "--is-bare-repository") == "true"
    assert git("r/s", "rev-parse", "--git-dir") == f"{context.root}/r/.git/modules/s"
    assert git("sep", "rev-parse", "--git-dir") == f"{context.root}/store"
    assert git("r", "log", "--oneline").endswith("start")


def test_missing_git_is_said(context, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BuilderError, match="needs git"):
        make_tree({"r/x": "1", "w": {"git": "worktree", "of": "r"}}, context)
