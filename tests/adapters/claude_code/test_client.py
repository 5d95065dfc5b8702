import os
import time

import pytest
from memassay_claude_code.client import Visit, command, identify, run
from memassay_claude_code.errors import (
    CannotWitnessError,
    ClientHungError,
    NoClientError,
    NotTheClientError,
    WrongVersionError,
)
from memassay_claude_code.sandbox import Sandbox

from .conftest import FAKE_VERSION

LIMIT_S = 60.0


def test_identify_asks_for_the_version(fake):
    client = identify(fake(), time_limit_s=LIMIT_S)
    assert client.version == FAKE_VERSION


def test_identify_follows_a_link_to_the_executable(fake, tmp_path):
    (tmp_path / "link").symlink_to(fake())
    assert identify(tmp_path / "link", time_limit_s=LIMIT_S).path == fake()


def test_no_client(tmp_path):
    with pytest.raises(NoClientError, match="none"):
        identify(tmp_path / "none", time_limit_s=LIMIT_S)
    (tmp_path / "file").write_text("not executable")
    with pytest.raises(NoClientError):
        identify(tmp_path / "file", time_limit_s=LIMIT_S)
    with pytest.raises(NoClientError):
        identify(tmp_path, time_limit_s=LIMIT_S)


def test_an_executable_that_is_another_program(fake):
    with pytest.raises(NotTheClientError, match=r"tool 1\.0"):
        identify(fake("not-the-client"), time_limit_s=LIMIT_S)


def test_an_executable_that_cannot_be_run(tmp_path):
    path = tmp_path / "junk"
    path.write_bytes(b"\x7fELFjunk")
    path.chmod(0o755)
    with pytest.raises(NotTheClientError):
        identify(path, time_limit_s=LIMIT_S)


def test_an_executable_that_never_tells_its_version(tmp_path):
    path = tmp_path / "slow"
    path.write_text("#!/bin/sh\nexec sleep 600\n")
    path.chmod(0o755)
    with pytest.raises(NotTheClientError, match=r"0\.2 s"):
        identify(path, time_limit_s=0.2)


def test_wrong_version(fake):
    with pytest.raises(WrongVersionError, match=r"9\.8\.7, not 2\.1\.296"):
        identify(fake(), time_limit_s=LIMIT_S, expected="2.1.296")


def test_run_gives_status_and_output(tmp_path):
    script = 'echo out; echo err >&2; echo "$A"; pwd; exit 7'
    status, out, err = run(
        ["/bin/sh", "-c", script], str(tmp_path), {"A": "x", "PATH": os.defpath}, LIMIT_S
    )
    assert (status, out, err) == (7, f"out\nx\n{tmp_path}\n", "err\n")


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 (a text of proc)
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid):
    for _ in range(200):
        if not is_running(pid):
            return True
        time.sleep(0.01)
    return False


def test_a_hanging_client_is_ended_with_what_it_started(fake, tmp_path):
    with pytest.raises(ClientHungError) as caught:
        run([str(fake("hang-with-child"))], str(tmp_path), {"PATH": os.defpath}, 4.0)
    child = int(caught.value.message.rpartition("child ")[2])
    assert wait_until_gone(child)


def test_what_a_client_leaves_running_is_ended_too(tmp_path):
    status, out, _ = run(
        ["/bin/sh", "-c", "sleep 600 & echo $!"], str(tmp_path), {"PATH": os.defpath}, LIMIT_S
    )
    assert status == 0
    assert wait_until_gone(int(out))


def test_a_visit_that_needs_a_private_root_cannot_do_without(options):
    client = options().client
    visit = Visit(cwd="/t", home="/h", make_cwd=True)
    with Sandbox() as sandbox, pytest.raises(CannotWitnessError, match="namespace"):
        command(client, [], visit, sandbox, base_url="http://127.0.0.1:1", private=False)
