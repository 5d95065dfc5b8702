"""Where a rule or case stands, said so that it is the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memassay.spec.errors import Where


SCENARIOS = "processes"
"""The only folder in that of a version."""


def place(where: Where) -> str:
    """Return `spec/2.1.296/index-window.yaml:41`: the path from the spec's own directory on."""
    if where.path is None:
        return "(unknown)"
    # spec/<version>/<file>, whatever stands before it on this machine
    depth = 3 if where.path.parent.name == SCENARIOS else 2
    path = "/".join(("spec", *where.path.parts[-depth:]))
    return path if where.line is None else f"{path}:{where.line}"
