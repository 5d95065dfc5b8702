import os
import threading

import pytest
from memassay_claude_code.errors import CannotWitnessError
from memassay_claude_code.sandbox import Sandbox, environment, remove_tree

URL = "http://127.0.0.1:1"


def test_a_sandbox_is_canonical_and_goes_away_with_everything(nothing_left):
    with Sandbox() as sandbox:
        assert str(sandbox.root) == os.path.realpath(sandbox.root)
        locked = sandbox.home / "locked"
        (locked / "deep").mkdir(parents=True)
        (locked / "deep" / "file").write_text("x")
        (locked / "deep").chmod(0)
        locked.chmod(0)
    assert list(nothing_left.iterdir()) == []


def test_a_sandbox_goes_away_after_an_error(nothing_left):
    with pytest.raises(ZeroDivisionError), Sandbox():
        raise ZeroDivisionError
    assert list(nothing_left.iterdir()) == []


def test_removing_what_is_gone_is_fine(tmp_path):
    remove_tree(tmp_path / "none")


def test_environment_holds_nothing_of_the_callers(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the caller's own")
    monkeypatch.setenv("SECRET", "the caller's own")
    env = environment(URL, "/h", {"GIT_DIR": "/x"})
    assert sorted(env) == [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING",
        "DISABLE_TELEMETRY",
        "GIT_DIR",
        "HOME",
        "PATH",
        "TZ",
    ]
    assert "the caller's own" not in env.values()
    assert (env["ANTHROPIC_BASE_URL"], env["HOME"]) == (URL, "/h")


@pytest.mark.parametrize(
    "name",
    [
        "HOME",
        "PATH",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_AUTH_TOKEN",
        "DISABLE_TELEMETRY",
        "LD_PRELOAD",
    ],
)
def test_a_case_cannot_take_the_witnesses_variables(name):
    with pytest.raises(CannotWitnessError, match=name):
        environment(URL, "/h", {name: "x"})


@pytest.mark.parametrize(
    ("name", "value"), [("A", "a\0b"), ("A=B", "x"), ("", "x"), ("A", "\ud800")]
)
def test_variables_that_no_process_can_have(name, value):
    with pytest.raises(CannotWitnessError):
        environment(URL, "/h", {name: value})


def test_removing_goes_on_while_others_remove_too(tmp_path):
    root = tmp_path / "root"
    for n in range(40):
        (root / f"d{n}").mkdir(parents=True)
        for m in range(40):
            (root / f"d{n}" / f"f{m}").touch()
    threads = [threading.Thread(target=remove_tree, args=(root,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    threads[0].join()
    assert not root.exists()
    for thread in threads:
        thread.join()
