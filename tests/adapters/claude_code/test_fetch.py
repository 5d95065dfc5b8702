"""Fetching with an `npm` of our own making: no network, no vendor's software."""

import base64
import hashlib
import io
import json
import platform
import tarfile

import pytest
from memassay_claude_code.errors import IntegrityError, NoNpmError, NoPackageError, TermsError
from memassay_claude_code.fetch import fetch, package_name

EXECUTABLE = b"#!/bin/sh\necho '1.2.3 (Claude Code)'\n"

pytestmark = pytest.mark.skipif(
    platform.machine() not in {"x86_64", "aarch64"}, reason="no package for this machine"
)


def archive(name="package/claude"):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as package:
        for member, content in ((name, EXECUTABLE), ("package/LICENSE.md", b"terms")):
            info = tarfile.TarInfo(member)
            info.size = len(content)
            package.addfile(info, io.BytesIO(content))
    return data.getvalue()


@pytest.fixture
def npm(tmp_path):
    """Return a function that makes an `npm` which serves `package` and tells `integrity`."""

    def make(package, integrity=None, *, says="", status=0):
        if integrity is None:
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(package).digest()).decode()
        (tmp_path / "served.tgz").write_bytes(package)
        (tmp_path / "integrity.json").write_text(json.dumps(integrity))
        path = tmp_path / "npm"
        path.write_text(
            "#!/bin/sh\n"
            f'echo "$@" >> {tmp_path}/calls\n'
            f"[ {status} = 0 ] || {{ echo '{says}' >&2; exit {status}; }}\n"
            f'if [ "$1" = view ]; then cat {tmp_path}/integrity.json; exit; fi\n'
            f"cp {tmp_path}/served.tgz ./package.tgz\n"
        )
        path.chmod(0o755)
        return str(path)

    return make


def left(cache):
    return sorted(path.name for path in cache.iterdir()) if cache.exists() else []


def test_fetch_once_and_then_from_the_cache(npm, tmp_path, capsys):
    cache, program = tmp_path / "cache", npm(archive())
    path = fetch("1.2.3", cache, accepted=True, npm=program)
    assert path.read_bytes() == EXECUTABLE
    assert path.stat().st_mode & 0o777 == 0o755
    assert [entry.name for entry in path.parent.iterdir()] == ["claude"]
    assert fetch("1.2.3", cache, accepted=True, npm="/none") == path
    calls = (tmp_path / "calls").read_text().splitlines()
    assert [call.split()[0] for call in calls] == ["view", "pack"]
    assert all(f"@anthropic-ai/{path.parent.name[6:]}@1.2.3" in call for call in calls)
    assert capsys.readouterr().err.count("Anthropic") == 2


def test_nothing_without_the_terms(npm, tmp_path, capsys):
    with pytest.raises(TermsError):
        fetch("1.2.3", tmp_path / "cache", accepted=False, npm=npm(archive()))
    assert "legal" in capsys.readouterr().err
    assert not (tmp_path / "calls").exists()
    assert not (tmp_path / "cache").exists()


def test_no_npm(tmp_path):
    with pytest.raises(NoNpmError, match="none"):
        fetch("1.2.3", tmp_path / "cache", accepted=True, npm=f"{tmp_path}/none")
    assert left(tmp_path / "cache") == []


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("npm error code E404", "no such version"),
        ("npm ERR! code ETARGET", "no such version"),
        ("npm error code ENOTFOUND", "ENOTFOUND"),
        ("something else", "status 1"),
    ],
)
def test_npm_fails(npm, tmp_path, says, expected):
    with pytest.raises(NoPackageError, match=expected):
        fetch("1.2.3", tmp_path / "cache", accepted=True, npm=npm(b"", says=says, status=1))
    assert left(tmp_path / "cache") == []


@pytest.mark.parametrize("integrity", ["", "sha1-abc", 5])
def test_a_registry_that_tells_no_integrity(npm, tmp_path, integrity):
    with pytest.raises(NoPackageError, match="sha512"):
        fetch("1.2.3", tmp_path / "cache", accepted=True, npm=npm(archive(), integrity))


def test_another_archive_than_the_registry_describes(npm, tmp_path):
    program = npm(archive(), "sha512-" + base64.b64encode(bytes(64)).decode())
    with pytest.raises(IntegrityError):
        fetch("1.2.3", tmp_path / "cache", accepted=True, npm=program)
    assert left(tmp_path / "cache") == []


@pytest.mark.parametrize("package", [archive("package/other"), b"no archive"])
def test_an_archive_without_the_client(npm, tmp_path, package):
    with pytest.raises(NoPackageError):
        fetch("1.2.3", tmp_path / "cache", accepted=True, npm=npm(package))
    assert left(tmp_path / "cache") == []


@pytest.mark.parametrize("version", ["latest", "1.2", "1.2.3; rm", "../1.2.3", ""])
def test_what_is_no_version_is_not_asked_for(npm, tmp_path, version):
    with pytest.raises(NoPackageError, match="version"):
        fetch(version, tmp_path / "cache", accepted=True, npm=npm(archive()))
    assert not (tmp_path / "calls").exists()


def test_package_name():
    assert package_name("Linux", "x86_64") == "@anthropic-ai/claude-code-linux-x64"
    assert (
        package_name("Linux", "aarch64", musl=True) == "@anthropic-ai/claude-code-linux-arm64-musl"
    )
    for system, machine in (("Darwin", "arm64"), ("Linux", "riscv64")):
        with pytest.raises(NoPackageError, match=machine):
            package_name(system, machine)
