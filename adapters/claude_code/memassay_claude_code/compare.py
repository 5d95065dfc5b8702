"""Whether sharing a client is sound: `python -m memassay_claude_code.compare`.

Asks everything twice, once with one client for many cases and once with one process a case, and
shows where the answers differ. The requests come from what `memassay export` writes, or from lines
of `{"op": …, "args": …}`. Tree ops are left out: they have a process a case in either way.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay_claude_code.__main__ import (
    EXIT_FAULT,
    add_client_options,
    catch_signals,
    make_options,
)
from memassay_claude_code.errors import WitnessError
from memassay_claude_code.sandbox import remove_everything
from memassay_claude_code.serve import serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memassay_claude_code.bench import Options

SHARING_OPS = frozenset({"index_window", "sanitise", "staleness"})
"""The ops whose cases share a client."""


def read_requests(text: str) -> list[dict[str, Any]]:
    """Return the requests of a document that `memassay export` wrote, or of JSON lines."""
    try:
        document = json.loads(text)
    except ValueError:
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    else:
        found = list(_cases(document)) if "chapters" in document else [document]
    return [one for one in found if one["op"] in SHARING_OPS]


def _cases(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for chapter in document["chapters"]:
        for rule in chapter["rules"]:
            yield from rule["cases"]


def ask_all(options: Options, requests: Sequence[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return the answers to all requests, by their place in the list."""
    lines: list[dict[str, Any]] = [{"cmd": "start", "protocol": 1}]
    for number, request in enumerate(requests):
        lines.append({"cmd": "run", "id": number, "op": request["op"], "args": request["args"]})
    lines.append({"cmd": "stop"})
    out = io.StringIO()
    serve(lambda: options, [json.dumps(line) for line in lines], out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()[1:]]
    return {answer.pop("id"): answer for answer in answers}


def compare(options: Options, requests: Sequence[dict[str, Any]]) -> list[str]:
    """Return one paragraph for each request whose two answers differ."""
    seen = {}
    for isolate in (False, True):
        began = time.monotonic()
        seen[isolate] = ask_all(replace(options, isolate=isolate), requests)
        how = "one process a case" if isolate else "shared clients"
        print(f"{how}: {len(requests)} requests in {time.monotonic() - began:.1f} s")
    return [
        f"{request.get('id', number)} ({request['op']}):\n"
        f"  shared:   {json.dumps(seen[False][number])[:400]}\n"
        f"  isolated: {json.dumps(seen[True][number])[:400]}"
        for number, request in enumerate(requests)
        if seen[False][number] != seen[True][number]
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the two ways; return 1 if they differ anywhere."""
    line = argparse.ArgumentParser(prog="memassay_claude_code.compare", description=__doc__)
    add_client_options(line)
    line.add_argument("requests", type=Path, help="a file of `memassay export`, or JSON lines")
    asked = line.parse_args(arguments)
    catch_signals()
    try:
        requests = read_requests(asked.requests.read_text(encoding="utf-8"))
        differences = compare(make_options(asked, isolate=False), requests)
    except WitnessError as error:
        print(f"memassay_claude_code.compare: {error}", file=sys.stderr)
        return EXIT_FAULT
    finally:
        remove_everything()
    for difference in differences:
        print(difference)
    print(f"{len(differences)} of {len(requests)} answers differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
