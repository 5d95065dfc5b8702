"""The reference's own prompts: our words, written for what the rules need and nobody's copy."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def load(name: str) -> str:
    """Return the prompt `NAME.md` without the line break at its end; `{…}` are dynamic values."""
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
