"""What a drawn question is, and the pieces that several strategies draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen
from hypothesis import strategies as st

from memassay.spec.builders import Context, build
from memassay.spec.lint_checks import measure

if TYPE_CHECKING:
    from collections.abc import Mapping

    Draw = st.DrawFn


@frozen
class Drawn:
    """The question of a case: its arguments, and its tree if the op needs one."""

    args: Mapping[str, Any]
    tree: Mapping[str, Any] | None = None


CHARACTERS = (
    "a",
    "é",
    "e\u0301",
    "漢",
    "😀",
    "\u200d",
    "\u200b",
    "\u00a0",
    "\u3000",
    "\ufeff",
    "\0",
)
_LETTERS = st.one_of(
    st.sampled_from("aZ0-_. @~+"),
    st.sampled_from(["é", "e\u0301", "漢", "😀", "ß", "\u0130", "\u00a0", "\\", "'", "\n"]),
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"),
)
NAMES = (
    st.lists(_LETTERS, min_size=1, max_size=12)
    .map("".join)
    .filter(lambda name: name not in {".", ".."} and not name.isspace())
)


def fill(draw: Draw, parts: list[Any], size: int, unit: str, filler: str) -> None:
    """Put as much of `filler` somewhere among `parts` as it takes to make them of `size`."""
    missing = size - sum(_size(part, unit) for part in parts)
    times, rest = divmod(max(0, missing), max(1, _size(filler, unit)))
    at = draw(st.integers(1, len(parts)))
    parts[at:at] = [{"repeat": filler, "times": times}, "a" * rest if unit == "units" else ""]


def _size(part: Any, unit: str) -> int:
    text = build(part, Context.portable(None))
    return text.count("\n") if unit == "lines" else measure(text, unit)


def in_tree(path: str) -> Any:
    """Return the builder of an absolute path in the tree, be it roundabout: `x/../y//z`."""
    first, slash, rest = path.partition("/")
    return {"concat": [{"path": first}, f"{slash}{rest}"]} if rest or slash else {"path": first}
