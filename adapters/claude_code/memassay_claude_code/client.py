"""The client as a program: where it is, which version it is, how it is started."""

from __future__ import annotations

import os
import re
import select
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from memassay_claude_code import private_root
from memassay_claude_code.errors import (
    CannotWitnessError,
    ClientExitedError,
    ClientHungError,
    NoClientError,
    NotTheClientError,
    WitnessError,
    WrongVersionError,
)
from memassay_claude_code.sandbox import Sandbox, end, environment, start

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO

VERSION_LINE = re.compile(r"(\d+\.\d+\.\d+)\S* \(Claude Code\)\s*")
_LAST_WORDS = 600  # characters of a failed client's output that an error quotes


@dataclass(frozen=True, slots=True)
class Client:
    """The genuine client: an executable and the version it says it is."""

    path: Path
    version: str


@dataclass(frozen=True, slots=True)
class Visit:
    """How one client process is started: where, with what around it.

    `cwd` and `home` are absolute paths; `env` holds the case's own variables; `flags` follow the
    witness's own; `binds` are the directories outside the sandbox that the client may use;
    `managed` is a file of managed settings, or a whole managed directory; `make_cwd` wants `cwd`
    made in a private root.
    """

    cwd: str
    home: str
    env: dict[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    binds: tuple[str, ...] = ()
    managed: Path | None = None
    make_cwd: bool = False

    @property
    def needs_private_root(self) -> bool:
        """Whether the visit cannot be made on the machine's own file system."""
        return self.make_cwd or self.managed is not None


def identify(path: Path, *, time_limit_s: float, expected: str | None = None) -> Client:
    """Return the client at `path`, after asking it for its version.

    Raises `NoClientError`, `NotTheClientError`, `ClientHungError`, or `WrongVersionError` if it is
    not `expected`.
    """
    real = Path(os.path.realpath(path))
    if not real.is_file() or not os.access(real, os.X_OK):
        raise NoClientError(f"{path} is no file that can be executed")
    with Sandbox() as sandbox:
        env = environment("http://127.0.0.1:9", str(sandbox.home), {})
        try:
            status, out, _ = run([str(real), "--version"], str(sandbox.work), env, time_limit_s)
        except ClientHungError as error:
            raise NotTheClientError(f"{path} --version: {error.message}") from None
        except OSError as error:
            raise NotTheClientError(f"{path} cannot be run: {error.strerror}") from None
    found = VERSION_LINE.fullmatch(out)
    if status != 0 or found is None:
        first = out.strip().partition("\n")[0][:80]
        raise NotTheClientError(f"{path} --version gave status {status} and {first!r}")
    if expected is not None and found[1] != expected:
        raise WrongVersionError(f"{path} is version {found[1]}, not {expected}")
    return Client(real, found[1])


def command(
    client: Client,
    flags: Sequence[str],
    visit: Visit,
    sandbox: Sandbox,
    *,
    base_url: str,
    private: bool,
) -> tuple[list[str], str, dict[str, str]]:
    """Return what to execute for a visit, where, and with what environment.

    Raises `CannotWitnessError` if the visit needs a private root and there is none.
    """
    env = environment(base_url, visit.home, visit.env)
    if not private:
        if visit.needs_private_root:
            raise CannotWitnessError("this machine allows no mount namespace (unshare)")
        return [str(client.path), *flags, *visit.flags], visit.cwd, env
    wrapped = private_root.wrap(
        [private_root.CLIENT_INSIDE, *flags, *visit.flags],
        sandbox=sandbox,
        client=client.path,
        cwd=visit.cwd,
        env=env,
        binds=visit.binds,
        managed=visit.managed,
        make_cwd=visit.make_cwd,
    )
    return wrapped, str(sandbox.work), {"PATH": env["PATH"]}


def run(
    argv: Sequence[str], cwd: str, env: dict[str, str], time_limit_s: float
) -> tuple[int, str, str]:
    """Run one process with no input; return its status, stdout and stderr.

    Raises `ClientHungError` after `time_limit_s`. Whatever it started is ended too.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = start(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            finished = wait(process, time_limit_s)
        finally:
            end(process)
        words, diagnostics = _read(out), _read(err)
    if not finished:
        said = last_words(words, diagnostics)
        raise ClientHungError(f"nothing came of it in {time_limit_s:g} s; last words: {said}")
    return process.returncode, words, diagnostics


def wait(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for a process to end; return whether it did."""
    try:
        handle = os.pidfd_open(process.pid)
    except OSError:  # an old kernel or a strict container: wait by asking again and again
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True
    try:
        ready, _, _ = select.select([handle], [], [], seconds)
    finally:
        os.close(handle)
    return bool(ready)


def raise_for_exit(status: int, out: str, err: str) -> NoReturn:
    """Raise what an early end means: the set-up of the private root failed, or the client did."""
    words = last_words(out, err)
    if status == private_root.CWD_FAILED:
        raise CannotWitnessError(f"the path cannot be made as a directory here: {words}")
    if status == private_root.SETUP_FAILED:
        raise WitnessError(f"the private root could not be set up: {words}")
    raise ClientExitedError(f"the client ended with status {status}: {words}")


def last_words(out: str, err: str) -> str:
    """Return the end of what a failed client printed, on one line."""
    words = " ".join((err.strip() or out.strip()).split())
    return words[-_LAST_WORDS:] or "nothing"


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")
