import pytest
from memassay_claude_code.errors import BadArgumentsError, CannotWitnessError
from memassay_claude_code.ops_paths import (
    key_of,
    memory_dir,
    memory_dir_open,
    project_key,
    project_root,
    write_settings,
)
from memassay_claude_code.sandbox import Sandbox

from .conftest import needs_fake_in_private_root


@pytest.fixture
def case(nothing_left):
    root = nothing_left / "case"
    for name in ("home", "work/p/sub", "repo/.git", "repo/sub"):
        (root / name).mkdir(parents=True)
    return root


def args(case, **more):
    return {"cwd": f"{case}/work/p", "home": f"{case}/home", "env": {}, "settings": {}, **more}


def below(case):
    return sorted(str(path.relative_to(case)) for path in case.rglob("*"))


def slug(case):
    return key_of(f"{case}/work/p")


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/", "-"),
        ("/t/test-project", "-t-test-project"),
        ("/é😀", "----"),
        ("/" + "a" * 199, "-" + "a" * 199),
    ],
)
def test_key_of(path, key):
    assert key_of(path) == key


def test_paths_of_one_hash_have_one_suffix():
    # Java's "Aa" and "BB" have the same hash, so what ends in them has too.
    start = "/" + "a" * 199
    assert key_of(start + "Aa") == key_of(start + "BB")
    assert key_of(start + "Aa") != key_of(start + "Ab")


def test_key_of_long_paths_ends_in_the_hash():
    # 200 units and more: hash("/" + 200 × NUL) is 47 × 31^200 mod 2^32, worked out by pow.
    value = 47 * pow(31, 200, 1 << 32) % (1 << 32)
    value = value - (1 << 32) if value >= 1 << 31 else value
    found = key_of("/" + "\0" * 200)
    assert found[:201] == "-" * 201
    assert int(found[201:], 36) == abs(value)


def test_project_root_of_a_subdirectory(bench, case):
    assert project_root(bench(), {"cwd": f"{case}/repo/sub"}) == {"root": f"{case}/repo"}


def test_project_root_passes_the_cases_variables(bench, case):
    seen = project_root(bench(), {"cwd": f"{case}/work/p", "env": {"GIT_DIR": "/x"}})
    assert seen == {"root": f"{case}/work/p"}


def test_two_directories_with_one_key_are_no_answer(bench, case):
    (case / "work-p").mkdir()
    with pytest.raises(CannotWitnessError, match="several"):
        project_root(bench(), {"cwd": f"{case}/work/p"})


def test_a_canonical_directory_goes_before_a_link_with_its_key(bench, case):
    (case / "work-p").symlink_to("work/p")
    assert project_root(bench(), {"cwd": f"{case}/work/p"}) == {"root": f"{case}/work/p"}


@pytest.mark.parametrize(
    "path", ["relative", "C:\\x", "/a/../b", "/a//b", "//a", "/a/", "/a\\b", "/\ud800"]
)
def test_paths_that_are_no_working_directory(bench, path):
    with pytest.raises(CannotWitnessError):
        project_key(bench(), {"path": path})


def test_project_key_needs_a_private_root(bench):
    with pytest.raises(CannotWitnessError, match="namespace"):
        project_key(bench(), {"path": "/t/x"})


@needs_fake_in_private_root
@pytest.mark.parametrize("path", ["/", "/t/test-project", "/tmp", "/etc", "/é ü/b..", "/usr"])
def test_project_key(bench, path):
    assert project_key(bench(private=True), {"path": path}) == {"key": key_of(path)}


def test_memory_dir_leaves_the_tree_as_it_was(bench, case):
    before = below(case)
    seen = memory_dir(bench(), args(case))
    expected = f"{case}/home/.claude/projects/{slug(case)}/memory"
    assert seen == {"enabled": True, "dir": expected}
    assert below(case) == before


def test_memory_dir_open_leaves_the_memory_directory_only(bench, case):
    before = below(case)
    seen = memory_dir_open(bench(), args(case))
    directory = f"home/.claude/projects/{slug(case)}/memory"
    assert seen == {"enabled": True, "dir": f"{case}/{directory}", "kept": "", "warning": None}
    new = sorted(set(below(case)) - set(before))
    steps = directory.split("/")
    assert new == sorted("/".join(steps[:n]) for n in range(2, 6))


def test_memory_dir_open_while_disabled(bench, case):
    before = below(case)
    env = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    seen = memory_dir_open(bench(), args(case, env=env))
    assert seen == {"enabled": False, "dir": None, "kept": "", "warning": None}
    assert below(case) == before


@pytest.mark.parametrize("level", ["user", "project", "flag"])
def test_settings_stand_where_the_client_reads_them(bench, case, level):
    target = case / "own"
    (target).mkdir()
    (target / "a.md").write_text("x")
    settings = {level: {"autoMemoryDirectory": str(target)}}
    seen = memory_dir_open(bench(), args(case, settings=settings))
    assert seen == {"enabled": True, "dir": str(target), "kept": "- [a](a.md)", "warning": None}
    assert sorted(path.name for path in target.iterdir()) == ["MEMORY.md", "a.md"]
    assert not (case / "home" / ".claude").exists()
    assert not (case / "work" / "p" / ".claude").exists()


@needs_fake_in_private_root
def test_managed_settings_and_a_directory_outside_the_tree(bench, case, tmp_path):
    settings = {"managed": {"autoMemoryDirectory": "/ab"}, "user": {"autoMemoryDirectory": "/cd"}}
    seen = memory_dir(bench(private=True), args(case, settings=settings))
    assert seen == {"enabled": True, "dir": "/ab"}
    assert not tmp_path.joinpath("/ab").exists()


def test_settings_that_are_there_already_are_not_overwritten(bench, case):
    (case / "home" / ".claude").mkdir()
    place = case / "home" / ".claude" / "settings.json"
    place.write_text("{}")
    with pytest.raises(CannotWitnessError, match="user settings"):
        memory_dir(bench(), args(case, settings={"user": {}}))
    assert place.read_text() == "{}"


@pytest.mark.parametrize(("named", "place"), [("cafe\u0301", "caf\u00e9"), ("", "")])
def test_user_settings_stand_where_the_client_looks_for_them(case, named, place):
    env = {"CLAUDE_CONFIG_DIR": named}
    with Sandbox() as sandbox:
        write_settings(sandbox, {"user": {}}, str(case), str(case / "home"), env)
    assert (case / place / "settings.json").read_text() == "{}"


def test_an_unknown_level_of_settings(bench, case):
    with pytest.raises(BadArgumentsError, match="mine"):
        memory_dir(bench(), args(case, settings={"mine": {}}))
    assert below(case) == ["home", "repo", "repo/.git", "repo/sub", "work", "work/p", "work/p/sub"]


@pytest.mark.parametrize(
    "where",
    [
        {"settings": {"user": {"autoMemoryDirectory": "/zz-memassay"}}},
        {"settings": {"project": {"autoMemoryDirectory": "//zz-memassay//x"}}},
        {"settings": {"flag": {"autoMemoryDirectory": "~/../../../zz-memassay"}}},
        {"settings": {"user": {"env": {"ANY": "/zz-memassay"}}}},
        {"env": {"CLAUDE_CONFIG_DIR": "/zz-memassay"}},
    ],
)
def test_without_a_private_root_nothing_outside_the_tree_is_risked(bench, case, where):
    before = below(case)
    with pytest.raises(CannotWitnessError, match="zz-memassay"):
        memory_dir(bench(), args(case, **where))
    assert below(case) == before


def test_without_a_private_root_paths_in_the_tree_are_fine(bench, case):
    settings = {"user": {"autoMemoryDirectory": f"{case}/own", "other": [1, None, True, "words"]}}
    assert memory_dir(bench(), args(case, settings=settings))["dir"] == f"{case}/own"
