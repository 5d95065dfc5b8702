"""How the adapter and its installer refuse what is not the published package."""

from __future__ import annotations

import json

import pytest

from tests.adapters.conversation import ADAPTERS, finish, needs_node

pytestmark = needs_node

ADAPTER = ADAPTERS / "qwen_code" / "adapter.mjs"
INSTALL = ADAPTERS / "qwen_code" / "install.mjs"
MANIFEST = {"name": "@qwen-code/qwen-code", "version": "0.15.10"}


def package(directory, manifest, bundle):
    root = directory / "package"
    root.mkdir()
    (root / "package.json").write_text(json.dumps(manifest))
    (root / "cli.js").write_text(bundle)
    return directory


def refusal(directory):
    code, stdout, stderr = finish(
        ["node", ADAPTER, "--package", directory], b'{"cmd":"start","protocol":1,"profile":"x"}\n'
    )
    assert (code, stdout) == (1, b"")
    assert stderr.count("\n") == 1  # one line, no traceback
    return stderr


def test_without_the_package_it_says_how_to_get_it(tmp_path):
    assert "run: node adapters/qwen_code/install.mjs" in refusal(tmp_path / "none")


@pytest.mark.parametrize("change", [{"version": "0.15.11"}, {"name": "another"}])
def test_another_package_is_refused(tmp_path, change):
    assert "not @qwen-code/qwen-code 0.15.10" in refusal(package(tmp_path, MANIFEST | change, ""))


def test_a_damaged_manifest_is_refused(tmp_path):
    root = package(tmp_path, MANIFEST, "") / "package"
    (root / "package.json").write_text("{")
    assert "not @qwen-code/qwen-code 0.15.10" in refusal(tmp_path)


def test_a_bundle_that_was_changed_is_refused(tmp_path):
    assert "not the published file" in refusal(
        package(tmp_path, MANIFEST, "function sanitizeCwd() {}")
    )


@pytest.mark.parametrize("args", [[], ["--package"], ["DIR"], ["--package", "DIR", "more"]])
def test_a_wrong_command_line_shows_the_right_one(args):
    code, _, stderr = finish(["node", ADAPTER, *args])
    assert code == 2
    assert "usage: node adapter.mjs --package DIR" in stderr


@pytest.mark.parametrize("args", [[], ["--help"], ["a", "b"]])
def test_so_does_the_installer(args):
    code, _, stderr = finish(["node", INSTALL, *args])
    assert code == 2
    assert "usage: node install.mjs DIR" in stderr


def test_the_installer_leaves_a_directory_with_other_things_alone(tmp_path):
    (tmp_path / "mine").write_text("x")
    code, _, stderr = finish(["node", INSTALL, tmp_path])
    assert code == 1
    assert "is not empty" in stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_the_installer_refuses_to_take_a_changed_package_for_installed(tmp_path):
    code, _, stderr = finish(["node", INSTALL, package(tmp_path, MANIFEST, "changed")])
    assert code == 1
    assert "not the published file" in stderr
