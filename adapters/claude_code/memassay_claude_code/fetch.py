"""Getting the client by version: its owner's npm package for this machine, checked and cached.

`npm` does the talking, with whatever registry it is configured for. Nothing of the package is ever
part of this repository, and nothing is fetched before its owner's terms are accepted.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from memassay_claude_code.errors import IntegrityError, NoNpmError, NoPackageError, TermsError

if TYPE_CHECKING:
    from collections.abc import Sequence

PREFIX = "npm:"
NOTICE = (
    "Claude Code is software of Anthropic PBC, all rights reserved. It is no part of memassay.\n"
    "Its use is subject to the agreements at\n"
    "https://code.claude.com/docs/en/legal-and-compliance"
)

_VERSION = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?")
_EXECUTABLE = "package/claude"
_TIME_LIMIT_S = 900
_CHUNK_BYTES = 1 << 20


def package_name(system: str, machine: str, *, musl: bool = False) -> str:
    """Return the name of the package that holds the client for a machine.

    Raises `NoPackageError` for a machine that the witness does not work on.
    """
    arch = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(machine)
    if system != "Linux" or arch is None:
        raise NoPackageError(f"the witness works on Linux x64 and arm64, not {system} {machine}")
    return f"@anthropic-ai/claude-code-linux-{arch}{'-musl' if musl else ''}"


def default_cache() -> Path:
    """Return the user's cache directory for clients."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "memassay" / "claude-code"


def fetch(version: str, cache: Path, *, accepted: bool, npm: str = "npm") -> Path:
    """Return the executable of one version, from the cache or through `npm`.

    Raises `TermsError` unless `accepted`, and `NoNpmError`, `NoPackageError` or `IntegrityError`
    if the package cannot be had as the registry describes it.
    """
    print(NOTICE, file=sys.stderr, flush=True)
    if not accepted:
        raise TermsError(f"the client {version} would have to come from its owner's package")
    if not _VERSION.fullmatch(version):
        raise NoPackageError(f"{version!r} is no version", "write it as npm:X.Y.Z")
    package = package_name(platform.system(), platform.machine(), musl=_is_musl())
    home = cache / f"{version}-{package.rpartition('/')[2]}"
    executable = home / "claude"
    if executable.is_file():
        return executable
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=cache) as name:
        work = Path(name)
        integrity = _integrity(npm, f"{package}@{version}", work)
        archive = _pack(npm, f"{package}@{version}", work)
        _verify(archive, integrity)
        _unpack(archive, work / "client")
        if not home.exists():
            (work / "client").rename(home)
    return executable


def _is_musl() -> bool:
    return platform.libc_ver()[0] != "glibc" and bool(list(Path("/lib").glob("ld-musl-*")))


def _integrity(npm: str, spec: str, work: Path) -> str:
    """Return the registry's Subresource Integrity text for a package."""
    out = _npm(npm, ["view", spec, "dist.integrity", "--json"], work)
    try:
        integrity = json.loads(out)
    except ValueError:
        integrity = None
    if not isinstance(integrity, str) or not integrity.startswith("sha512-"):
        raise NoPackageError(f"the registry tells no sha512 of {spec}")
    return integrity


def _pack(npm: str, spec: str, work: Path) -> Path:
    _npm(npm, ["pack", spec, "--ignore-scripts", "--pack-destination", str(work)], work)
    archives = list(work.glob("*.tgz"))
    if len(archives) != 1:
        raise NoPackageError(f"npm pack {spec} left {len(archives)} archives, not one")
    return archives[0]


def _npm(npm: str, arguments: Sequence[str], work: Path) -> str:
    command = [npm, *arguments, "--no-update-notifier", "--no-fund", "--no-audit"]
    try:
        done = subprocess.run(
            command,
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIME_LIMIT_S,
        )
    except (FileNotFoundError, PermissionError) as error:
        raise NoNpmError(f"{npm} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise NoPackageError(f"npm {arguments[0]} took longer than {_TIME_LIMIT_S} s") from None
    if done.returncode != 0:
        code = re.search(r"npm (?:error|ERR!) code (\w+)", done.stderr)
        reason = code[1] if code else f"status {done.returncode}"
        what = "there is no such version" if reason in {"E404", "ETARGET"} else "npm failed"
        raise NoPackageError(f"{what}: npm {' '.join(arguments[:2])} gave {reason}")
    return done.stdout


def _verify(archive: Path, integrity: str) -> None:
    digest = hashlib.sha512()
    with archive.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    found = "sha512-" + base64.b64encode(digest.digest()).decode()
    if found not in integrity.split():
        raise IntegrityError(f"{archive.name} is {found[:20]}…, not {integrity[:20]}…")


def _unpack(archive: Path, home: Path) -> None:
    """Write the one executable of the package into `home`."""
    home.mkdir()
    try:
        with tarfile.open(archive) as package:
            source = package.extractfile(_EXECUTABLE) or io.BytesIO()
            with source, (home / "claude").open("wb") as target:
                shutil.copyfileobj(source, target, _CHUNK_BYTES)
    except (KeyError, tarfile.TarError) as error:
        raise NoPackageError(f"{archive.name} holds no {_EXECUTABLE}: {error}") from None
    (home / "claude").chmod(0o755)
