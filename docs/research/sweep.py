"""Put every code point to a client, in each place where sanitising looks at one (SAN-1, SAN-2).

The tables of lookalikes and of removed characters are the law of chapter sanitise, and no set of
cases can hold all of them. So each of the 1.1 million code points is put where it could pass for a
bracket, for a letter of a reserved name, for a dash or a colon, where it could be skipped inside a
name or end it, and where it could be removed; and so are 95,000 names that could be reserved. What
the client shows is compared with what the reference makes of the tables. One line is printed for
each place. Exits 1 if anything differs.

    python docs/research/sweep.py --client npm:2.1.296 --accept-vendor-terms
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memassay_claude_code.__main__ import (
    EXIT_FAULT,
    add_client_options,
    catch_signals,
    make_options,
)
from memassay_claude_code.bench import Bench
from memassay_claude_code.errors import WitnessError
from memassay_claude_code.ops_index import sanitise as shown
from memassay_claude_code.sandbox import remove_everything

from memassay_reference.sanitise import remove_invisible, sanitise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memassay_claude_code.bench import Options

Tried = TypeVar("Tried")

PLACES = {
    "removed": "aXb",
    "bracket": "Xtick ",
    "before a name": "<Xtick ",
    "inside a name": "<tiXck ",
    "after a name": "<tickX",
    "dash": "<bashXinput ",
    "colon": "<antmlX",
    "letter a": "<Xntml: ",
    "letter b": "<Xash-input ",
    "letter c": "<tiXk ",
    "letter d": "<bash-stXout ",
    "letter e": "<bash-stdXrr ",
    "letter f": "<Xunction_results ",
    "letter g": "<aXent-message ",
    "letter h": "<basX-input ",
    "letter i": "<tXck ",
    "letter k": "<ticX ",
    "letter l": "<antmX: ",
    "letter m": "<antXl: ",
    "letter n": "<aXtml: ",
    "letter o": "<bash-stdXut ",
    "letter p": "<bash-inXut ",
    "letter r": "<bash-stdeXr ",
    "letter s": "<baXh-input ",
    "letter t": "<Xick ",
    "letter u": "<bash-inpXt ",
    "letter v": "<remote-reXiew ",
    "letter w": "<remote-revieX ",
    "letter x": "<bash-eXit-code ",
    "letter y": "<sXstem-reminder ",
}
"""Where a code point is put: `X` in a text. The names are reserved (SAN-2a)."""

NAMES = "names"
NAMES_OF = Path(__file__).resolve().parent / "observations" / "extra-window.json"
SAME = "as the tables say"
LINE_BREAKS = frozenset("\n\r\u2028\u2029")  # they would end the line in which they are tried
SURROGATES = range(0xD800, 0xE000)
WORKERS = 2
_UNITS = 16_000
_PER_LINE = 100
_PARTS = 8


def code_points(place: str) -> list[int]:
    """Return what is tried in a place: all that is kept, and for `removed` the rest as well."""
    every = (n for n in range(sys.maxunicode + 1) if n not in SURROGATES)
    kept = (n for n in every if chr(n) not in LINE_BREAKS)
    return [n for n in kept if place == "removed" or remove_invisible(chr(n))]


def names() -> list[str]:
    """Return names that might be reserved: the words of observation D56-pairs, and all pairs."""
    observations = json.loads(NAMES_OF.read_text(encoding="utf-8"))
    seen = next(one["observed"] for one in observations if one["id"] == "D56-pairs")
    words = seen["words"].split()
    return [*words, *(f"{one}-{other}" for one in words for other in words)]


def others(bench: Bench, pieces: Mapping[Tried, str]) -> Iterator[Tried]:
    """Yield those whose piece of text the client shows otherwise than the reference does."""
    texts = list(pieces.values())
    lines = ("".join(texts[at : at + _PER_LINE]) for at in range(0, len(texts), _PER_LINE))
    whole = "\n".join(f"{line}|" for line in lines)
    if shown(bench, {"text": whole})["text"] == sanitise(whole):
        return
    if len(pieces) == 1:
        yield from pieces
        return
    for part in parts(pieces, -(-len(pieces) // _PARTS)):
        yield from others(bench, part)


def parts(pieces: Mapping[Tried, str], size: int) -> list[dict[Tried, str]]:
    """Return the pieces in parts of at most `size`, in order."""
    items = list(pieces.items())
    return [dict(items[at : at + size]) for at in range(0, len(items), size)]


def sweep(options: Options, pieces: Mapping[Tried, str]) -> list[Tried]:
    """Return those with which client and reference differ."""
    longest = max(map(len, pieces.values())) + 1  # a character may be two units
    looks = parts(pieces, _UNITS // (longest + 1))
    shares = [looks[worker::WORKERS] for worker in range(WORKERS)]

    def work(share: list[dict[Tried, str]]) -> list[Tried]:
        bench = Bench(options)
        try:
            return [found for part in share for found in others(bench, part)]
        finally:
            bench.close()

    with ThreadPoolExecutor(WORKERS) as pool:
        return [one for found in pool.map(work, shares) for one in found]


def ranges(points: Iterable[int]) -> str:
    """Return code points as the tables write them: `41 61-7A`."""
    found: list[list[int]] = []
    for point in points:
        if found and point == found[-1][1] + 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return " ".join(f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Sweep the places that are asked for; return an exit status."""
    line = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_client_options(line)
    line.add_argument(
        "--place", dest="places", action="append", choices=[*PLACES, NAMES], default=[]
    )
    asked = line.parse_args(arguments)
    catch_signals()
    differs = False
    try:
        options = make_options(asked, isolate=False)
        for place in (one for one in PLACES if not asked.places or one in asked.places):
            text = PLACES[place]
            pieces = {point: text.replace("X", chr(point)) for point in code_points(place)}
            found = ranges(sorted(sweep(options, pieces)))
            differs = differs or bool(found)
            print(f"{place}: {len(pieces):,} in {text!r}: {found or SAME}", flush=True)
        if not asked.places or NAMES in asked.places:
            tags = {name: f"<{name}>" for name in names()}
            other = " ".join(sorted(sweep(options, tags)))
            differs = differs or bool(other)
            print(f"{NAMES}: {len(tags):,} tags: {other or SAME}", flush=True)
    except WitnessError as error:
        print(f"sweep: {error}", file=sys.stderr)
        return EXIT_FAULT
    finally:
        remove_everything()
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
