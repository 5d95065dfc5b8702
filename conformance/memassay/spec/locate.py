"""Where the spec's files are: inside the wheel, or in the checkout that this module stands in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from memassay.spec.errors import SpecError, Where

PACKAGE_ROOT = Path(__file__).resolve().parent.parent
"""The directory of the `memassay` package."""

DEFAULT_VERSION = "2.1.296"
"""The client version that the spec describes unless another is named."""

OVERLAY = "overlay.yaml"
"""The file by which a version's folder says that it lies over another one."""


def _data(wheel_name: str, checkout_name: str) -> Path:
    packed = PACKAGE_ROOT / "_data" / wheel_name
    if packed.is_dir():
        return packed
    checkout = PACKAGE_ROOT.parent.parent / checkout_name
    if checkout.is_dir():
        return checkout
    raise SpecError(
        f"the installed memassay has no {wheel_name} data",
        Where(packed),
        hint="install memassay again, or run it from a complete checkout",
    )


@cache
def spec_root() -> Path:
    """Return the directory that holds `schema/`, `profiles/` and a directory for each version."""
    return _data("spec", "spec")


@cache
def kits_root() -> Path:
    """Return the directory of the adapter kits, one subdirectory a language."""
    return _data("kits", "adapters/kits")


@cache
def cassettes_root() -> Path:
    """Return the directory of the cassettes and their manifest."""
    return _data("cassettes", "cassettes")


@cache
def prompts_root() -> Path:
    """Return the directory of the prompt fingerprints, a subdirectory for each client version."""
    return _data("prompts", "fixtures/prompts")


def version_root(version: str = DEFAULT_VERSION, root: Path | None = None) -> Path:
    """Return the directory of one client version.

    Raises `SpecError` naming the versions there are if there is no such directory.
    """
    base = spec_root() if root is None else root
    directory = base / version
    if not any((directory / name).is_file() for name in ("constants.yaml", OVERLAY)):
        known = sorted(
            {p.parent.name for n in ("constants.yaml", OVERLAY) for p in base.glob(f"*/{n}")}
        )
        raise SpecError(
            f"there is no spec of client {version}",
            Where(base),
            hint=f"known versions: {', '.join(known) or 'none'}",
        )
    return directory
