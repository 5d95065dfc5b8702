import pytest
from memassay_claude_code import private_root
from memassay_claude_code.client import Visit, command, raise_for_exit, run
from memassay_claude_code.errors import CannotWitnessError, WitnessError
from memassay_claude_code.sandbox import Sandbox

from .conftest import needs_private_root

pytestmark = needs_private_root

LIMIT_S = 20.0


@pytest.fixture
def inside(options, tmp_path):
    """Return a function that runs a shell script in a private root: status, stdout, stderr."""

    def run_inside(script, **visit):
        program = tmp_path / "program"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        client = type(options().client)(program, "0")
        with Sandbox() as sandbox:
            place = {"cwd": str(sandbox.work), "home": str(sandbox.home), **visit}
            argv, cwd, env = command(
                client, [], Visit(**place), sandbox, base_url="http://127.0.0.1:1", private=True
            )
            return run(argv, cwd, env, LIMIT_S)

    return run_inside


def test_any_path_can_be_made_and_none_stays(inside, tmp_path):
    status, out, err = inside("pwd; ls /", cwd="/zz-memassay/test project", make_cwd=True)
    assert (status, err) == (0, "")
    assert out.startswith("/zz-memassay/test project\n")
    assert not tmp_path.joinpath("/zz-memassay").exists()


def test_exactly_the_environment_of_the_visit(inside):
    _, out, _ = inside("env", env={"GIT_DIR": "/x y", "PWD": "/elsewhere"})
    names = sorted(line.partition("=")[0] for line in out.splitlines())
    own = ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "DISABLE_AUTOUPDATER"]
    own += ["DISABLE_ERROR_REPORTING", "DISABLE_TELEMETRY", "GIT_DIR", "HOME", "PATH", "PWD", "TZ"]
    assert [name for name in names if name not in {"_", "OLDPWD", "SHLVL"}] == own
    assert "GIT_DIR=/x y" in out


def test_the_system_cannot_be_written(inside):
    status, _, err = inside("touch /usr/memassay-was-here")
    assert status != 0
    assert "Read-only" in err


def test_the_callers_home_is_out_of_sight(inside, monkeypatch, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the caller's own")
    monkeypatch.setenv("SECRET", "the caller's own")
    status, out, _ = inside(f"cat {secret} 2>/dev/null; env")
    assert "caller" not in out
    assert status == 0


def test_what_is_bound_is_at_its_own_path_and_can_be_written(inside, nothing_left):
    tree = nothing_left / "tree"
    tree.mkdir()
    inside(f"echo seen > {tree}/file", binds=(str(tree),))
    assert (tree / "file").read_text() == "seen\n"


def test_managed_settings_are_where_the_client_looks(inside, tmp_path):
    managed = tmp_path / "managed.json"
    managed.write_text('{"a": 1}')
    _, out, _ = inside("cat /etc/claude-code/managed-settings.json", managed=managed)
    assert out == '{"a": 1}'


@pytest.mark.parametrize("path", ["/usr/memassay/x", "/" + "a" * 300])
def test_a_path_that_cannot_be_made_is_a_reason_to_skip(inside, path):
    status, out, err = inside("true", cwd=path, make_cwd=True)
    assert status == private_root.CWD_FAILED
    with pytest.raises(CannotWitnessError, match="mkdir"):
        raise_for_exit(status, out, err)


def test_a_set_up_that_fails_is_no_answer_of_the_client(inside):
    status, out, err = inside("true", binds=("/none-of-this-exists",))
    assert status == private_root.SETUP_FAILED
    with pytest.raises(WitnessError, match="private root"):
        raise_for_exit(status, out, err)
