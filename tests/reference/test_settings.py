"""Which settings file wins, which one counts at all, and what a checkout may say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.settings import (
    WEAKEST_FIRST,
    merge_environment,
    merge_settings,
    valid_files,
)

DIRECTORY = "autoMemoryDirectory"
OVERRIDE = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
SWITCH = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"


@given(st.sets(st.sampled_from(WEAKEST_FIRST), min_size=1))
def test_the_strongest_file_wins(files):
    merged = merge_settings({name: {DIRECTORY: f"/from/{name}"} for name in files})
    strongest = max(files, key=WEAKEST_FIRST.index)
    assert merged == {DIRECTORY: f"/from/{strongest}"}


def test_files_are_merged_key_by_key():
    merged = merge_settings({"user": {DIRECTORY: "/u"}, "managed": {"autoMemoryEnabled": False}})
    assert merged == {DIRECTORY: "/u", "autoMemoryEnabled": False}


@pytest.mark.parametrize("name", ["user", "project", "local", "flag"])
@pytest.mark.parametrize(
    "wrong", [{DIRECTORY: 5}, {DIRECTORY: None}, {"autoMemoryEnabled": "false"}, {"env": []}]
)
def test_a_wrong_type_voids_the_file(name, wrong):
    assert name not in dict(valid_files({name: {"x": 1, **wrong}}))


def test_a_wrong_type_in_managed_settings_costs_one_value():
    files = {"managed": {DIRECTORY: 5, "autoMemoryEnabled": False}}
    assert merge_settings(files) == {"autoMemoryEnabled": False}


def test_a_number_is_no_boolean():
    assert "user" not in dict(valid_files({"user": {"autoMemoryEnabled": 0}}))


@pytest.mark.parametrize("name", ["local", "project"])
def test_a_checkout_may_turn_memory_off_but_not_move_it(name):
    files = {name: {"env": {OVERRIDE: "/x", SWITCH: "1"}}}
    assert merge_environment({OVERRIDE: "/mine"}, files) == {OVERRIDE: "/mine", SWITCH: "1"}


@pytest.mark.parametrize("name", ["user", "flag", "managed"])
def test_the_users_own_files_may_move_it(name):
    assert merge_environment({OVERRIDE: "/mine"}, {name: {"env": {OVERRIDE: "/x"}}}) == {
        OVERRIDE: "/x"
    }


@pytest.mark.parametrize("name", WEAKEST_FIRST)
def test_no_file_makes_a_session_a_remote_one(name):
    assert merge_environment({}, {name: {"env": {"CLAUDE_CODE_REMOTE": "1"}}}) == {}


@pytest.mark.parametrize(("value", "text"), [(1, "1"), (True, "true"), (None, "null"), ("", "")])
def test_values_become_text(value, text):
    assert merge_environment({}, {"user": {"env": {SWITCH: value}}}) == {SWITCH: text}


def test_the_process_environment_is_not_changed():
    env = {SWITCH: "0"}
    merge_environment(env, {"user": {"env": {SWITCH: "1"}}})
    assert env == {SWITCH: "0"}
