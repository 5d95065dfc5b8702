"""Ops about MEMORY.md: index_window, sanitise, index_read, index_backfill.

The first two take a text. It becomes the index of a throw-away memory directory, and the answer is
read from what the client injects. The other two get a real directory and point the client at it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay_claude_code.bench import DISABLED, index_bytes, pointed_at
from memassay_claude_code.client import Visit
from memassay_claude_code.errors import CannotWitnessError, WireChangedError
from memassay_claude_code.footprint import Footprint, case_roots
from memassay_claude_code.observe import index_body, looks_warned, memory_dir, window
from memassay_claude_code.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memassay_claude_code.bench import Bench

    Args = Mapping[str, Any]
    Answer = dict[str, Any]

INDEX = "MEMORY.md"

# Texts to sanitise travel inside a fence, where neither comments nor frontmatter nor trimming
# reach them (observations D21h-fence, D12-in-code); each stands between two marker lines. They must
# all fit into the window, with room to spare for what escaping adds (D09-reserved-escape-growth).
_FENCE = "~" * 47
_MARK = "zq8x"
_MAX_UNITS = 22_000
_MAX_LINES = 180

# Of the same length and kind as the first words of the client's warning, so that an index which
# holds those words itself can be shown without mistaking them for the warning.
_WARNING, _DISGUISE = "> WARNING: MEMORY.md", "> WARNYNG: MEMORY.md"


def index_window(bench: Bench, args: Args) -> Answer:
    """Show what of a text reaches the model as the index (IDX-1 to IDX-10, IDX-12)."""
    text: str = args["text"]
    disguise = looks_warned(text)
    if disguise:
        if _DISGUISE in text:
            raise CannotWitnessError("the text holds the witness's own mark")
        text = text.replace(_WARNING, _DISGUISE)
    seen = window(bench.look_at_index(index_bytes(text)), bench.options.ending)
    if not disguise:
        return {"kept": seen.kept, "warning": seen.warning}
    warning = seen.warning and seen.warning.replace(_DISGUISE, _WARNING)
    return {"kept": seen.kept.replace(_DISGUISE, _WARNING), "warning": warning}


def sanitise(bench: Bench, args: Args) -> Answer:
    """Show one text as it looks in the prompt (SAN-1, SAN-2)."""
    return sanitise_many(bench, [args])[0]


def sanitise_many(bench: Bench, many: Sequence[Args]) -> list[Answer]:
    """Show several texts that `fits_batch` together, in one index."""
    items = [(f"{_MARK}{number:03}", args["text"]) for number, args in enumerate(many)]
    for _, text in items:
        _check_sanitisable(text)
    parts = [f"{mark}a\n{text}\n{mark}z\n" for mark, text in items]
    index = f"{_FENCE}\n{''.join(parts)}{_FENCE}\n"
    body = index_body(bench.look_at_index(index_bytes(index)), bench.options.ending) or ""
    return [{"text": _between(body, f"{mark}a\n", f"\n{mark}z\n")} for mark, _ in items]


def fits_batch(many: Sequence[Args]) -> bool:
    """Return whether the texts of these requests have room in one index together."""
    texts = [args.get("text") for args in many]
    return all(isinstance(text, str) for text in texts) and _fits([str(text) for text in texts])


def _check_sanitisable(text: str) -> None:
    index_bytes(text)
    if not _fits([text]):
        raise CannotWitnessError("the text is longer than what of an index reaches the model")
    if text.endswith("\r"):
        raise CannotWitnessError("a final CR would become one line end with the LF after it")
    if _MARK in text or _FENCE in text:
        raise CannotWitnessError("the text holds the witness's own mark")


def _fits(texts: Sequence[str]) -> bool:
    units = sum(len(text.encode("utf-16-le", "surrogatepass")) // 2 + 16 for text in texts)
    lines = sum(text.count("\n") + 3 for text in texts)
    return units <= _MAX_UNITS and lines <= _MAX_LINES


def _between(body: str, opening: str, closing: str) -> str:
    before, found, rest = body.partition(opening)
    text, closed, _ = rest.partition(closing)
    if not found or not closed:
        raise WireChangedError(
            f"the mark {opening.strip()} did not come back after {before[-40:]!r}"
        )
    return text


def index_read(bench: Bench, args: Args) -> Answer:
    """Show what reading the index of a real directory gives (IDX-8, IDX-11, IDX-12, BKF)."""
    index = Path(args["memory_dir"], INDEX)
    if index.is_file() and looks_warned(index.read_bytes().decode("utf-8", "replace")):
        raise CannotWitnessError("the index holds the words of the client's warning itself")
    seen = window(look_at(bench, args), bench.options.ending)
    return {"kept": seen.kept, "warning": seen.warning}


def index_backfill(bench: Bench, args: Args) -> Answer:
    """Show whether the client makes an index, and which (BKF-1 to BKF-6)."""
    index = Path(args["memory_dir"], INDEX)
    before = os.path.lexists(index)
    look_at(bench, args)
    if before or not os.path.lexists(index):
        return {"created": False, "text": None}
    return {"created": True, "text": index.read_bytes().decode()}


def look_at(bench: Bench, args: Args) -> Mapping[str, Any]:
    """Return the first request of a client whose memory directory is the case's."""
    directory, enabled = args["memory_dir"], args.get("enabled", True)
    roots = case_roots([directory])
    footprint = Footprint(roots)
    made = not os.path.lexists(directory)
    with Sandbox() as sandbox:
        visit = Visit(
            cwd=str(sandbox.work),
            home=str(sandbox.home),
            env={} if enabled else DISABLED,
            flags=pointed_at(directory),
            binds=roots,
        )
        body = bench.look_once(visit, sandbox)[0].body
    if enabled and memory_dir(body) != os.path.normpath(directory):
        raise CannotWitnessError("the client does not take this path as its memory directory")
    if made:
        # A session's start makes the directory (DIR-1); reading an index does not ask for that.
        footprint.erase()
    return body
