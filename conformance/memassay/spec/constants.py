"""Every number of a client version, by id, and its tables."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from memassay.spec.cache import load_document
from memassay.spec.errors import SpecError, Where
from memassay.spec.locate import DEFAULT_VERSION, version_root

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def constants(version: str = DEFAULT_VERSION) -> Mapping[str, int]:
    """Return the value of every constant of a client version, by id.

    The units stand in the ids (`index_max_units`, `recall_max_bytes`). Raises `SpecError` if there
    is no such version or its file is damaged.
    """
    document = load_document(version_root(version) / "constants.yaml", "constants")
    return {entry["id"]: entry["value"] for entry in document.value["constants"]}


@cache
def table(name: str, version: str = DEFAULT_VERSION) -> Mapping[str, Any]:
    """Return one table of `tables/`, as the plain value of its file.

    Tables hold what is too large for a rule: the removed code points, the lookalikes. Raises
    `SpecError` if there is no such table or its file is damaged.
    """
    path = version_root(version) / "tables" / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(other.stem for other in path.parent.glob("*.yaml"))) or "none"
        raise SpecError(f"there is no table {name!r}", Where(path), hint=f"there are: {known}")
    return load_document(path, "table").value
