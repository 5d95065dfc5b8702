"""A case as YAML, in the form of a chapter: ready to be put into one."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def case_yaml(case: Mapping[str, Any]) -> str:
    """Return a case as an item of a rule's `cases:`."""
    from ruamel.yaml import YAML  # noqa: PLC0415 (slow to import)

    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = 100
    yaml.representer.ignore_aliases = lambda *_: True
    yaml.indent(mapping=2, sequence=4, offset=2)
    out = StringIO()
    yaml.dump([dict(case)], out)
    return out.getvalue().rstrip("\n")
