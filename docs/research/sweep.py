"""Put every code point to a client, in each place where sanitising looks at one (SAN-1, SAN-2).

The tables of lookalikes and of removed characters are the law of chapter sanitise, and no set of
cases can hold all of them. So each of the 1.1 million code points is put where it could pass for a
bracket, for a letter of a reserved name, for a dash or a colon, where it could be skipped inside a
name or end it, and where it could be removed; what the client shows is compared with what the
reference makes of the table. One line is printed for each place. Exits 1 if any code point differs.

    python docs/research/sweep.py --client npm:2.1.296 --accept-vendor-terms
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

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
    from collections.abc import Iterable, Iterator, Sequence

    from memassay_claude_code.bench import Options

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


def others(bench: Bench, text: str, points: Sequence[int]) -> Iterator[int]:
    """Yield the code points that the client takes for something else than the reference does."""
    pieces = [text.replace("X", chr(point)) for point in points]
    lines = ("".join(pieces[at : at + _PER_LINE]) for at in range(0, len(pieces), _PER_LINE))
    whole = "\n".join(line + "|" for line in lines)
    if shown(bench, {"text": whole})["text"] == sanitise(whole):
        return
    if len(points) == 1:
        yield points[0]
        return
    step = -(-len(points) // _PARTS)
    for at in range(0, len(points), step):
        yield from others(bench, text, points[at : at + step])


def sweep(options: Options, place: str) -> list[int]:
    """Return, for one place, the code points with which client and reference differ."""
    text, points = PLACES[place], code_points(place)
    at_once = _UNITS // (len(text) + 2)
    parts = [points[at : at + at_once] for at in range(0, len(points), at_once)]
    shares = [parts[worker::WORKERS] for worker in range(WORKERS)]

    def work(share: list[list[int]]) -> list[int]:
        bench = Bench(options)
        try:
            return [point for part in share for point in others(bench, text, part)]
        finally:
            bench.close()

    with ThreadPoolExecutor(WORKERS) as pool:
        return sorted(point for found in pool.map(work, shares) for point in found)


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
    line = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_client_options(line)
    line.add_argument("--place", dest="places", action="append", choices=PLACES, default=[])
    asked = line.parse_args(arguments)
    catch_signals()
    differs = False
    try:
        options = make_options(asked, isolate=False)
        for place in asked.places or PLACES:
            found = sweep(options, place)
            differs = differs or bool(found)
            tried = f"{len(code_points(place)):,} code points in {PLACES[place]!r}"
            print(f"{place}: {tried}: {ranges(found) or 'as the tables say'}", flush=True)
    except WitnessError as error:
        print(f"sweep: {error}", file=sys.stderr)
        return EXIT_FAULT
    finally:
        remove_everything()
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
