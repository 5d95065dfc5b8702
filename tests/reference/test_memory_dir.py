"""Where the memory directory is, and what turns memory off."""

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.memory_dir import (
    OPS,
    full_dir,
    is_enabled,
    is_off,
    is_on,
    locate,
    locate_picc,
)
from memassay_reference.project_key import project_key

CLIENT = "claude-code"
DIRECTORY = "autoMemoryDirectory"
OVERRIDE = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
REMOTE_BASE = "CLAUDE_CODE_REMOTE_MEMORY_DIR"
CONFIG_DIR = "CLAUDE_CONFIG_DIR"
SWITCH = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
HOME = "/home/me"

any_path = st.text(st.sampled_from("ab/.~\\ é\u0301\0"), max_size=12)


@pytest.fixture
def project(tmp_path) -> str:
    root = os.path.realpath(tmp_path)
    Path(root, "p").mkdir()
    return f"{root}/p"


def asked(project: str, env=None, settings=None, **more) -> dict:
    return {"cwd": project, "home": HOME, "env": env or {}, "settings": settings or {}, **more}


def below(base: str, project: str) -> str:
    return f"{base}/projects/{project_key(project)}/memory"


def test_each_source_beats_those_after_it(project):
    """From the weakest to the strongest: each one added takes over from all before."""
    env: dict[str, str] = {}
    assert locate(asked(project, env), CLIENT) == below(f"{HOME}/.claude", project)
    env[CONFIG_DIR] = "/cfg"
    assert locate(asked(project, env), CLIENT) == below("/cfg", project)
    env[REMOTE_BASE] = "/rm"
    assert locate(asked(project, env), CLIENT) == below("/rm", project)
    settings = {"user": {DIRECTORY: "~/mine"}}
    assert locate(asked(project, env, settings), CLIENT) == f"{HOME}/mine"
    env[OVERRIDE] = "/cw"
    assert locate(asked(project, env, settings), CLIENT) == "/cw"


def test_picc_has_an_order_of_its_own(project):
    settings = {"user": {DIRECTORY: "/user"}}
    env: dict[str, str] = {}
    own = f"{HOME}/.pi/agent/extensions/picc-memory"
    assert locate_picc(asked(project)) == below(own, project)
    assert locate_picc(asked(project, env, settings)) == "/user"
    env[REMOTE_BASE] = "/rm"
    assert locate_picc(asked(project, env, settings)) == below("/rm", project)
    config = {DIRECTORY: "~/conf"}
    assert locate_picc(asked(project, env, settings, config=config)) == f"{HOME}/conf"
    env["PICC_REMOTE_MEMORY_DIR"] = "/pr"
    assert locate_picc(asked(project, env, settings, config=config)) == below("/pr", project)
    env["PICC_DISABLE_AUTO_MEMORY"] = "1"
    assert locate_picc(asked(project, env, settings, config=config)) is None


@given(any_path)
def test_a_full_directory_is_absolute_plain_and_composed(value):
    path = full_dir(value, HOME)
    if path is None:
        return
    assert path.startswith("/")
    assert not path.endswith(("/", "\\"))
    assert path == unicodedata.normalize("NFC", path)
    assert "\0" not in path
    assert "//" not in path
    assert ".." not in path.split("/")


@given(any_path)
def test_a_tilde_never_leads_out_of_home(value):
    path = full_dir(f"~/{value}", HOME)
    assert path is None or path == HOME or path.startswith(f"{HOME}/")


@given(any_path)
def test_only_a_tilde_makes_a_relative_value_good(value):
    if not value.startswith("/"):
        assert full_dir(value, None) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/a", None),
        ("/ab", "/ab"),
        ("/\u00e9", None),
        ("/e\u0301", "/\u00e9"),
        ("/./a", None),
        ("/a/", None),
        ("/ab\\", "/ab"),
        ("~", None),
        ("~/", None),
        ("~/.", None),
        ("~/..", None),
        ("~/..x", f"{HOME}/..x"),
        ("~\\x", f"{HOME}/x"),
        (" /abc", None),
        ("/abc ", "/abc "),
        (5, None),
        (None, None),
        (True, None),
    ],
)
def test_forms_of_the_setting(value, expected):
    assert full_dir(value, HOME) == expected


@given(st.text())
def test_a_switch_is_on_or_off_or_neither(value):
    assert not (is_on(value) and is_off(value))
    assert is_on(f" {value}\n") == is_on(value)
    assert is_off(value) == (value.strip("\ufeff").strip().lower() in {"0", "false", "no", "off"})


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize(
    ("switch", "decided"), [("1", False), ("off", True), ("", None), ("2", None), (None, None)]
)
def test_the_switch_decides_or_leaves_it_to_the_setting(switch, decided, enabled):
    env = {} if switch is None else {SWITCH: switch}
    expected = enabled if decided is None else decided
    assert is_enabled(env, {"autoMemoryEnabled": enabled}) == expected


def test_a_simple_session_has_no_memory_whatever_is_said():
    assert not is_enabled({"CLAUDE_CODE_SIMPLE": "1", SWITCH: "0"}, {"autoMemoryEnabled": True})


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, False),
        ({REMOTE_BASE: "/x"}, True),
        ({OVERRIDE: "rel"}, True),
        ({REMOTE_BASE: ""}, False),
    ],
)
def test_a_remote_session_needs_a_place_of_its_own(more, expected):
    assert is_enabled({"CLAUDE_CODE_REMOTE": "1", **more}, {}) == expected


def test_an_empty_base_is_none_but_an_empty_configuration_directory_is_one(project):
    assert locate(asked(project, {REMOTE_BASE: ""}), CLIENT) == below(f"{HOME}/.claude", project)
    assert locate(asked(project, {CONFIG_DIR: ""}), CLIENT) == below("", project).removeprefix("/")


def test_a_refused_directory_hides_a_good_one(project):
    settings = {"project": {DIRECTORY: "rel"}, "user": {DIRECTORY: "/good"}}
    assert locate(asked(project, {}, settings), CLIENT) == below(f"{HOME}/.claude", project)


def test_a_base_is_not_trimmed_and_no_tilde_is_expanded_in_it(project):
    assert locate(asked(project, {REMOTE_BASE: "~/x"}), CLIENT) == below("~/x", project)
    assert locate(asked(project, {REMOTE_BASE: " /x"}), CLIENT) == below(" /x", project)


@pytest.mark.parametrize(("profile", "root"), [(CLIENT, "holder.git"), ("pi-project-memory", "w")])
def test_the_key_is_of_the_root_of_the_profile(tmp_path, profile, root):
    place = Path(os.path.realpath(tmp_path))
    git_dir = place / "holder.git/worktrees/w"
    git_dir.mkdir(parents=True)
    (place / "w").mkdir()
    (place / "w/.git").write_text(f"gitdir: {git_dir}")
    (git_dir / "commondir").write_text("../..")
    (git_dir / "gitdir").write_text(f"{place}/w/.git")
    args = asked(f"{place}/w")
    assert locate(args, profile) == below(f"{HOME}/.claude", f"{place}/{root}")


def test_asking_creates_nothing(project):
    args = asked(project, {}, {"user": {DIRECTORY: f"{project}/new"}})
    assert OPS["memory_dir"](args, CLIENT) == {"enabled": True, "dir": f"{project}/new"}
    assert not Path(project, "new").exists()


def test_opening_creates_the_directory_with_its_parents(project):
    args = asked(project, {}, {"user": {DIRECTORY: f"{project}/new/er"}})
    answer = OPS["memory_dir_open"](args, CLIENT)
    assert answer == {"enabled": True, "dir": f"{project}/new/er", "kept": "", "warning": None}
    assert Path(project, "new/er").is_dir()


def test_opening_creates_a_relative_base_in_the_project(project):
    answer = OPS["memory_dir_open"](asked(project, {REMOTE_BASE: "rel"}), CLIENT)
    assert answer["dir"] == below("rel", project)
    assert Path(project, answer["dir"]).is_dir()


def test_opening_while_off_creates_nothing(project):
    args = asked(project, {SWITCH: "1"}, {"user": {DIRECTORY: f"{project}/new"}})
    assert OPS["memory_dir_open"](args, CLIENT) == {
        "enabled": False,
        "dir": None,
        "kept": "",
        "warning": None,
    }
    assert not Path(project, "new").exists()


def test_opening_where_a_file_is_in_the_way_starts_without_memory_to_load(project):
    Path(project, "new").write_text("x")
    args = asked(project, {}, {"user": {DIRECTORY: f"{project}/new"}})
    assert OPS["memory_dir_open"](args, CLIENT)["kept"] == ""
    assert Path(project, "new").read_text() == "x"
