"""Scenarios as data: what several processes are asked, one step after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from memassay.spec.cache import load_document
from memassay.spec.errors import Where
from memassay.spec.locate import version_root

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@frozen
class Step:
    """One step: `processes` are asked the same at the same time, or one of them is killed.

    `op` is None for a kill. `args` and `expect` are unexpanded, as written.
    """

    processes: tuple[str, ...]
    op: str | None = None
    args: Mapping[str, Any] = field(factory=dict)
    expect: Mapping[str, Any] = field(factory=dict)


@frozen
class Scenario:
    """Steps on one directory, and the rule that they check."""

    id: str
    rule: str
    level: str
    why: str
    tree: Mapping[str, Any]
    steps: tuple[Step, ...]
    where: Where = field(factory=Where, eq=False)

    @property
    def ops(self) -> frozenset[str]:
        """The ops that it asks."""
        return frozenset(step.op for step in self.steps if step.op is not None)

    @property
    def processes(self) -> tuple[str, ...]:
        """The names of its processes, in the order in which they first act."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.processes))


def load_scenarios(version: str, root: Path | None = None) -> tuple[Scenario, ...]:
    """Return the scenarios of a client version, in the order of the files.

    Raises `SpecError` for a file that is damaged or disagrees with its schema.
    """
    found = []
    for path in sorted((version_root(version, root) / "processes").glob("*.yaml")):
        document = load_document(path, "scenarios")
        for index, raw in enumerate(document.value["scenarios"]):
            found.append(
                Scenario(
                    id=raw["id"],
                    rule=raw["rule"],
                    level=raw["level"],
                    why=raw["why"].strip(),
                    tree=raw["tree"],
                    steps=tuple(map(_step, raw["steps"])),
                    where=document.where(["scenarios", index], raw["id"]),
                )
            )
    return tuple(found)


def _step(raw: Mapping[str, Any]) -> Step:
    if "kill" in raw:
        return Step((raw["kill"],))
    names = raw["in"]
    processes = (names,) if isinstance(names, str) else tuple(names)
    return Step(processes, raw["op"], raw["args"], raw["expect"])
