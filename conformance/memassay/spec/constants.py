"""Every number of a client version, by id, and its tables."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from memassay.spec.cache import load_document
from memassay.spec.errors import SpecError, Where
from memassay.spec.locate import DEFAULT_VERSION
from memassay.spec.overlay import lineage

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def constants(version: str = DEFAULT_VERSION) -> Mapping[str, int]:
    """Return the value of every constant of a client version, by id.

    The units stand in the ids (`index_max_units`, `recall_max_bytes`). Raises `SpecError` if there
    is no such version or its file is damaged.
    """
    files = [folder / "constants.yaml" for folder in lineage(version)]
    documents = [load_document(file, "constants") for file in files if file.is_file()]
    return {
        entry["id"]: entry["value"]
        for document in documents
        for entry in document.value["constants"]
    }


@cache
def table(name: str, version: str = DEFAULT_VERSION) -> Mapping[str, Any]:
    """Return one table of `tables/`, as the plain value of its file.

    Tables hold what is too large for a rule: the removed code points, the lookalikes. An entry of
    an overlay's table stands instead of the one below. Raises `SpecError` if there is no such table
    or its file is damaged.
    """
    folders = [folder / "tables" for folder in lineage(version)]
    files = [folder / f"{name}.yaml" for folder in folders]
    entries: dict[str, Any] = {}
    for file in files:
        if file.is_file():
            entries |= load_document(file, "table").value
    if entries:
        return entries
    known = ", ".join(sorted({p.stem for folder in folders for p in folder.glob("*.yaml")}))
    where = Where(files[-1])
    raise SpecError(f"there is no table {name!r}", where, hint=f"there are: {known or 'none'}")
