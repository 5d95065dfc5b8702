"""Every number of a client version, by id, from `constants.yaml`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from memassay.spec.documents import read_document
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
    document = read_document(version_root(version) / "constants.yaml")
    try:
        return {entry["id"]: entry["value"] for entry in document.value["constants"]}
    except (KeyError, TypeError) as error:
        raise SpecError(f"is not a list of constants ({error})", Where(document.path)) from None


@cache
def table(name: str, version: str = DEFAULT_VERSION) -> Mapping[str, Any]:
    """Return one table of `tables/`, as the plain value of its file.

    Tables hold what is too large for a rule: the removed code points, the lookalikes. Raises
    `SpecError` if there is no such table.
    """
    return read_document(version_root(version) / "tables" / f"{name}.yaml").value
