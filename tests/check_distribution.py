"""Check that wheel and sdist in the given directory hold the spec, the schemas and the kits."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def owed() -> set[str]:
    """Return every data file of the checkout that users of a distribution need, by its path."""
    files = [*ROOT.glob("spec/**/*.yaml"), *ROOT.glob("spec/**/*.json")]
    files += [*ROOT.glob("fixtures/prompts/**/*.json")]
    files += [path for path in ROOT.glob("adapters/kits/**/*") if path.is_file()]
    files += [*ROOT.glob("cassettes/*.yaml")]
    files += [*ROOT.glob("conformance/memassay/report/page/*")]
    return {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}


def _in_wheel(path: str) -> str:
    """Return where a data file of the checkout stands in the wheel."""
    if path.startswith("conformance/"):
        return path.removeprefix("conformance/")
    return f"memassay/_data/{path.removeprefix('adapters/').removeprefix('fixtures/')}"


def main(directory: str) -> None:
    """Print what is there, and stop with a message if anything is missing."""
    (wheel,) = Path(directory).glob("*.whl")
    (sdist,) = Path(directory).glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = set(archive.namelist())
    with tarfile.open(sdist) as archive:
        in_sdist = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    paths = owed()
    packed = {path: _in_wheel(path) for path in paths}
    missing = [f"wheel lacks {packed[p]}" for p in sorted(paths) if packed[p] not in in_wheel]
    missing += [f"sdist lacks {p}" for p in sorted(paths) if p not in in_sdist]
    for module in ("memassay/cli/__init__.py", "memassay_reference/__main__.py"):
        if module not in in_wheel:
            missing.append(f"wheel lacks {module}")
    if missing:
        sys.exit("\n".join(missing))
    print(f"{wheel.name} and {sdist.name} hold all {len(paths)} data files")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
