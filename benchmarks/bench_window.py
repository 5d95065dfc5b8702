"""What windowing a large index costs: `python benchmarks/bench_window.py [MEGABYTES]`.

Each text is measured at half its size, too: linear work takes twice as long for the whole. The
client itself reads no index beyond 4 MiB (IDX-13); the budget is some seconds for 50 MB of entries.
"""

from __future__ import annotations

import sys
import time

from memassay_reference.index_window import index_window

ENTRY = (
    "- [Title](file.md) — a hook of the usual length, which is about a hundred characters long xx\n"
)
TEXTS = {
    "entries": ENTRY,
    "entries and inline comments": f"{ENTRY}- a <!-- b --> c\n",
    "comments between entries": f"{ENTRY}<!-- c -->\n",
    "paragraphs": "word word word word\n\n",
    "quotes that go on": "> a\n> b\nlazy\n",
    "quoted lists that go on": "> - a\nlazy\n",
    "quoted lists that end": "> - a\n10) b\n",
    "quoted code": ">     c\nlazy\n",
    "headings never underlined": "a\n<!-- c --> t\n",
    "comments never closed": "<!-- c\n",
    "definitions never closed": '[x]: /u "t\n',
    "fences": "```\nx\n```\n",
    "blank lines": "\n\n\n\n\n\n\n\n",
    "brackets": "<",
}


def seconds(piece: str, size: int) -> float:
    """Return the processor time for a text of about `size` characters with a comment in it."""
    text = f"- a\n{piece * (size // len(piece))}\n`<!--`"
    began = time.process_time()
    index_window(text, "claude-code")
    return time.process_time() - began


def main() -> None:
    """Measure and print."""
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 4
    size = int(megabytes * 1_000_000)
    index_window("<", "claude-code")  # loads the tables
    print(f"{'':28} {megabytes:g} MB   ratio to half of it")
    for name, piece in TEXTS.items():
        half, whole = seconds(piece, size // 2), seconds(piece, size)
        print(f"{name:28} {whole:6.2f} s   {whole / half if half > 0.01 else 0:4.1f}")  # noqa: PLR2004


if __name__ == "__main__":
    main()
