"""`pytest --memassay "CMD…"`: the cases of the spec as items of a test run.

The cases are collected beside whatever else the run has, under stable names such as
`2.1.296::index-window::IDX-2::idx-emoji-12501`, so that `-k`, `--lf`, `-n` and `--junitxml` work
with them as with any test. This module is loaded in every run of pytest in its environment, wanted
or not, so it imports nothing; all else is in `memassay.cli.pytest_items`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--memassay` and what goes with it."""
    group = parser.getgroup("memassay", "memassay: examine an implementation of auto-memory")
    group.addoption(
        "--memassay",
        metavar="CMD",
        help="Collect the cases of the spec, and put them to the adapter that CMD starts.",
    )
    group.addoption(
        "--memassay-profile",
        metavar="PROFILE",
        default="claude-code",
        help="Whose rules bind (default: claude-code).",
    )
    group.addoption(
        "--memassay-chapter",
        metavar="CHAPTER",
        action="append",
        default=[],
        help="Collect only this chapter; may be given again.",
    )
    group.addoption(
        "--memassay-deviations",
        metavar="FILE",
        help="The rules that are broken on purpose: their failures are expected ones.",
    )
    group.addoption(
        "--memassay-strict",
        action="store_true",
        help="Let a broken SHOULD fail, too.",
    )
    group.addoption(
        "--memassay-time-limit",
        metavar="SECONDS",
        type=float,
        default=10.0,
        help="How long one answer may take (default: 10).",
    )
    group.addoption(
        "--memassay-spec-root",
        metavar="DIR",
        help="A directory like spec/ to use instead of the installed one.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Join the run if `--memassay` is given."""
    config.addinivalue_line("markers", "memassay: a case of memassay's spec.")
    if config.getoption("memassay") is not None:
        from memassay.cli.pytest_items import join  # noqa: PLC0415 (only if it is wanted)

        join(config)
