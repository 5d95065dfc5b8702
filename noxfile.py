"""The sessions of memassay. `nox --list` shows them; `nox` runs the default ones."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import nox

nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.needs_version = ">=2024.10"

ROOT = Path(__file__).parent
PROJECT = nox.project.load_toml("pyproject.toml")


def group(name: str) -> list[str]:
    """Return the requirements of one dependency group of pyproject.toml."""
    return list(nox.project.dependency_groups(PROJECT, name))


@nox.session(default=True)
def conformance(session: nox.Session) -> None:
    """Examine the reference and print the report: the main job. Arguments go to `memassay run`."""
    session.install(".[model]")
    # Importing the SDK takes a second and more, on a busy machine much more.
    session.run(
        "memassay", "run", "--time-limit", "60", *session.posargs, "--",
        "python", "-m", "memassay_reference",
    )  # fmt: skip


@nox.session(default=True)
def tests(session: nox.Session) -> None:
    """Run all tests. Arguments go to pytest."""
    session.install("-e", ".[model]", "-e", "adapters/claude_code", *group("test"))
    session.run("pytest", *(session.posargs or ["-n", "2"]))


@nox.session(default=True)
def lint(session: nox.Session) -> None:
    """Check style and formatting with ruff."""
    session.install(*group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session(default=True)
def types(session: nox.Session) -> None:
    """Check types with pyright."""
    session.install("-e", ".[model]", *group("types"))
    session.run("pyright")


@nox.session(default=True)
def spec(session: nox.Session) -> None:
    """Check that the spec keeps its promises: cases, boundaries, evidence, ids."""
    session.install("-e", ".")
    session.run("memassay", "lint-spec")


@nox.session(default=True)
def build(session: nox.Session) -> None:
    """Build wheel and sdist, look into both, and run the wheel in a bare environment."""
    out = Path(session.create_tmp()).resolve() / "dist"
    shutil.rmtree(out, ignore_errors=True)
    session.install("build")
    session.run("python", "-m", "build", "--outdir", str(out), str(ROOT))
    session.run("python", "tests/check_distribution.py", str(out))
    bare = Path(session.create_tmp()).resolve() / "bare"
    shutil.rmtree(bare, ignore_errors=True)
    session.run("python", "-m", "venv", str(bare))
    scripts = bare / ("Scripts" if sys.platform == "win32" else "bin")
    (wheel,) = out.glob("*.whl")
    session.run(str(scripts / "python"), "-m", "pip", "install", "-q", str(wheel), external=True)
    with session.chdir(bare):  # away from the checkout: only the wheel is there
        session.run(
            str(scripts / "memassay"), "run", "--chapter", "project-key", "--",
            str(scripts / "python"), "-m", "memassay_reference", external=True,
        )  # fmt: skip


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Measure the budgets of docs/design.md. Nothing is asserted; read the figures."""
    session.install(".")
    for script in sorted((ROOT / "benchmarks").glob("bench_*.py")):
        session.run("python", str(script))


@nox.session(default=False)
def node_sdk(session: nox.Session) -> None:
    """Put the selector's cassettes to a second client: Node and the vendor's SDK from npm."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        session.skip("node and npm are needed")
    session.install(".")
    where = Path(session.create_tmp()) / "node-sdk"
    where.mkdir(exist_ok=True)
    shutil.copy(ROOT / "adapters" / "anthropic_node" / "package.json", where)
    session.run(
        "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts",
        "--prefix", str(where), external=True,
    )  # fmt: skip
    session.run(
        "memassay", "run", "--chapter", "selector", "--time-limit", "60", "--",
        "node", str(ROOT / "adapters" / "anthropic_node" / "adapter.mjs"), "--sdk", str(where),
    )  # fmt: skip


@nox.session(default=False)
def record(session: nox.Session) -> None:
    """Record cassettes anew: against the API if ANTHROPIC_API_KEY is set, else against our script.

    Arguments are names of cassettes. In CI it refuses.
    """
    if os.environ.get("CI"):
        session.error("nothing is recorded in CI: somebody has to look at a recording")
    session.install("-e", ".[model]")
    against = "api" if os.environ.get("ANTHROPIC_API_KEY") else "script"
    session.run("python", "cassettes/record.py", "--against", against, *session.posargs)


@nox.session(default=False)
def ports(session: nox.Session) -> None:
    """Examine the published ports: fetches them from their registries into a throw-away place."""
    session.install("-e", ".", *group("test"))
    session.env["MEMASSAY_NETWORK"] = "1"
    session.run("pytest", "tests/adapters/qwen_code", *session.posargs)


@nox.session(default=False)
def witness(session: nox.Session) -> None:
    """Examine the genuine client: `nox -s witness -- --client npm:2.1.296 --accept-vendor-terms`.

    The client is its vendor's software and comes under its terms; the flag says you accept them.
    """
    session.install("-e", ".", "-e", "adapters/claude_code")
    session.run(
        "memassay", "run", "--jobs", "1", "--time-limit", "120", "--",
        "python", "-m", "memassay_claude_code", *session.posargs,
        # Six cases cannot be put, for reasons that the report names: 3 says that, and no more.
        success_codes=[0, 3],
    )  # fmt: skip
