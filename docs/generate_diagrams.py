"""Draw the state diagrams of the teaching pages from the reference's own tables of transitions.

`python docs/generate_diagrams.py` writes them into the pages; with `--check` it only says whether
they are current, and exits 1 if not.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memassay_reference import dream, extraction

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

CHAPTERS = Path(__file__).parent / "chapters"
BEGIN = "<!-- diagram: begin (docs/generate_diagrams.py) -->"
END = "<!-- diagram: end -->"

MACHINES: Mapping[str, Mapping[tuple[StrEnum, StrEnum], tuple[StrEnum, StrEnum]]] = {
    "extraction.md": extraction.TRANSITIONS,
    "dream.md": dream.TRANSITIONS,
}
"""The pages, and the table that each shows."""


def diagram(transitions: Mapping[tuple[StrEnum, StrEnum], tuple[StrEnum, StrEnum]]) -> str:
    """Return a table of transitions as a Mermaid state diagram and as a Markdown table."""
    phases = dict.fromkeys(phase for phase, _ in transitions)
    lines = ["```mermaid", "stateDiagram-v2"]
    lines += [f'    state "{phase}" as {phase.name}' for phase in phases]
    lines += [f"    [*] --> {next(iter(phases)).name}"]
    for (phase, signal), (following, effect) in transitions.items():
        if phase is not following or effect.name != "NONE":
            label = f"{signal} / {effect}".replace(":", " -")
            lines.append(f"    {phase.name} --> {following.name}: {label}")
    lines += [
        "```",
        "",
        "| phase | what happens | next phase | what is done |",
        "|---|---|---|---|",
    ]
    for (phase, signal), (following, effect) in transitions.items():
        lines.append(f"| {phase} | {signal} | {following} | {effect} |")
    return "\n".join(lines)


def updated(page: str, drawing: str) -> str:
    """Return a page with `drawing` between its marks. Raises `ValueError` if it has none."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no marks {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{drawing}\n{END}{tail}"


def main(arguments: list[str]) -> int:
    """Write the diagrams, or check them; return the exit code."""
    stale = []
    for name, transitions in MACHINES.items():
        path = CHAPTERS / name
        page = path.read_text(encoding="utf-8")
        current = updated(page, diagram(transitions))
        if current != page:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(current, encoding="utf-8")
    if stale and "--check" in arguments:
        print(f"not current: {', '.join(stale)}; run docs/generate_diagrams.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
