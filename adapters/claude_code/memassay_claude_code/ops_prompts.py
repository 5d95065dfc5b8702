"""The op about the memory section of the system prompt: memory_sections.

The section's words are the vendor's and are never answered, only which of them are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay_claude_code.observe import memory_section
from memassay_claude_code.ops_index import look_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay_claude_code.bench import Bench

_OWN_DIR = "\0memory_dir\0"
"""What stands in a section for the directory that it names; no prompt holds a NUL."""


def memory_sections(bench: Bench, args: Mapping[str, Any]) -> dict[str, Any]:
    """Show which of several sessions get the same memory section, each with its directory (PRM-3).

    The directory's path is taken out of each section before they are compared.
    """
    numbers: dict[str, int] = {}
    sections: list[int | None] = []
    for directory in args["memory_dirs"]:
        look = {"memory_dir": directory, "enabled": args.get("enabled", True)}
        section = memory_section(look_at(bench, look))
        if section is not None:
            section = section.replace(directory, _OWN_DIR)
        sections.append(None if section is None else numbers.setdefault(section, len(numbers)))
    return {"sections": sections}
