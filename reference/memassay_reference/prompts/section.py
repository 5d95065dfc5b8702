"""The section about memory in the system prompt. Chapter prompts.

It says where memory is and how it is kept, and nothing of what is in it: the index travels in a
message of its own. So the section is the same whatever state the directory is in, and the prompt's
prefix stays cached when the index changes (PRM-3).
"""

from __future__ import annotations

from typing import Any

from memassay_reference.prompts import load

_PLACE = "{memory_dir}"


def memory_section(memory_dir: str, *, enabled: bool) -> str | None:
    """Return the section of a session with that memory directory, or None while memory is off.

    The only thing in it that varies is the path, where the prompt declares it (PRM-2, PRM-3).
    """
    return load("memory").replace(_PLACE, memory_dir) if enabled else None


def memory_sections(args: dict[str, Any], profile: str) -> dict[str, Any]:  # noqa: ARG001 (no profile differs)
    """Answer the op `memory_sections`: which of the sessions get the same section."""
    enabled: bool = args.get("enabled", True)
    numbers: dict[str, int] = {}
    answer: list[int | None] = []
    for directory in args["memory_dirs"]:
        section = memory_section(directory, enabled=enabled)
        if section is None:
            answer.append(None)
        else:
            same = section.replace(directory, _PLACE)
            answer.append(numbers.setdefault(same, len(numbers)))
    return {"sections": answer}


OPS = {"memory_sections": memory_sections}
