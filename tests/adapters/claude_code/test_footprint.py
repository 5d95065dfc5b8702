import os

import pytest
from memassay_claude_code.footprint import Footprint, case_roots, is_below

DAY_NS = 86_400 * 10**9


@pytest.fixture
def tree(nothing_left):
    root = nothing_left / "case"
    (root / "home").mkdir(parents=True)
    (root / "work").mkdir()
    (root / "work" / "old.txt").write_text("old")
    for path in (root, root / "home", root / "work", root / "work" / "old.txt"):
        os.utime(path, ns=(DAY_NS, DAY_NS))
    return root


def mtime(path):
    return path.stat().st_mtime_ns


def test_case_root_is_the_directory_below_the_temporary_one(tree):
    paths = [f"{tree}/home", f"{tree}/work/old.txt/x"]
    assert case_roots(paths) == (str(tree),)


def test_case_root_in_the_examiners_workspace(nothing_left):
    case = nothing_left / "memassay-0007" / "abc"
    (case / "mem").mkdir(parents=True)
    assert case_roots([f"{case}/mem"]) == (str(case),)


def test_a_path_elsewhere_is_not_the_cases(tree):
    assert case_roots(["/", "/etc", "/usr/lib", str(tree)]) == (str(tree),)


def test_the_temporary_directories_themselves_are_not_the_cases():
    assert case_roots(["/tmp", "/var/tmp"]) == ()


def test_is_below():
    assert is_below("/a/b", "/a")
    assert is_below("/a", "/")
    assert not is_below("/ab", "/a")
    assert not is_below("/a", "/a")


def test_erase_takes_everything_new_and_gives_times_back(tree):
    footprint = Footprint([str(tree)])
    (tree / "home" / ".state").mkdir()
    (tree / "home" / ".state" / "deep").write_text("x")
    (tree / "link").symlink_to(tree / "work")
    footprint.erase()
    assert sorted(path.name for path in tree.rglob("*")) == ["home", "old.txt", "work"]
    assert mtime(tree) == mtime(tree / "home") == mtime(tree / "work") == DAY_NS


def test_erase_keeps_what_is_wanted_and_the_way_to_it(tree):
    footprint = Footprint([str(tree)])
    kept = tree / "home" / "a" / "memory"
    kept.mkdir(parents=True)
    (kept / "MEMORY.md").write_text("- x\n")
    (tree / "home" / "a" / "other").write_text("x")
    (tree / "work" / "new").write_text("x")
    wanted = str(kept)
    footprint.erase(lambda path: path == wanted or is_below(path, wanted))
    assert (kept / "MEMORY.md").exists()
    assert not (tree / "home" / "a" / "other").exists()
    assert mtime(tree / "home") != DAY_NS  # something new stays in it
    assert mtime(tree / "work") == DAY_NS
    assert mtime(tree) == DAY_NS
