"""`python -m memassay_claude_code.fingerprint`: the client's memory section as a fingerprint.

The section is read from a request of the client, in memory only. What is printed holds none of its
words (docs/prompts.md). With `--against FILE` the client's section is compared with a fingerprint
instead. Unlike the rest of the witness this needs `memassay`, where fingerprints are made.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memassay.prompts import fingerprint
from memassay.prompts.check import check
from memassay.prompts.lines import split, with_marks
from memassay.prompts.names import NameOf, name_places
from memassay.prompts.substitutions import Declared
from memassay.prompts.telling import in_words
from memassay.spec.errors import SpecError
from memassay_claude_code.__main__ import (
    EXIT_FAULT,
    add_client_options,
    catch_signals,
    make_options,
)
from memassay_claude_code.bench import Bench
from memassay_claude_code.errors import WireChangedError, WitnessError
from memassay_claude_code.observe import memory_section
from memassay_claude_code.sandbox import remove_everything

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memassay_claude_code.bench import Desk, Options

_EXIT_USAGE = 2
_DIRECTORY = "memory_dir"
_FIELDS = ("name", "description", "metadata", "type")
"""The fields of a topic's header (LAY-3)."""


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    line = argparse.ArgumentParser(
        prog="memassay_claude_code.fingerprint",
        description="Print the fingerprint of the client's memory section.",
    )
    add_client_options(line)
    line.add_argument("--salt", metavar="HEX", help="the key of the hashes (default: a new one)")
    line.add_argument(
        "--against",
        type=Path,
        metavar="FILE",
        help="say instead whether the section has the fingerprint in FILE; status 1 if it has not",
    )
    return line


def see(options: Options) -> tuple[str, str, list[str]]:
    """Return the client's memory section, the directory that it names, and its tools' names."""

    def look(desk: Desk) -> tuple[str, str, list[str]]:
        body = desk.look(None)[0].body
        section = memory_section(body)
        if section is None:
            raise WireChangedError("there is no memory section")
        return section, f"{desk.memory_dir}/", [tool["name"] for tool in body["tools"]]

    return Bench(options).at_new_desk(look)


def make(options: Options, salt: str | None) -> fingerprint.Fingerprint:
    """Return the fingerprint of the client's memory section.

    Its names are the client's own tools and the fields of a topic's header, as far as they stand in
    the section.
    """
    section, directory, tools = see(options)
    values = {_DIRECTORY: directory}
    lines = split(with_marks(section, values))
    names = {
        kind: [
            word
            for word in words
            if any(next(name_places(kind, word, line), None) is not None for line in lines)
        ]
        for kind, words in ((NameOf.TOOL, tools), (NameOf.FIELD, _FIELDS))
    }
    return fingerprint.make(
        section,
        prompt="memory",
        of=f"claude-code {options.client.version}",
        salt=salt,
        dynamic=values,
        names=names,
    )


def _run(asked: argparse.Namespace) -> int:
    baseline = None if asked.against is None else fingerprint.load(asked.against)
    options = make_options(asked, isolate=True)
    if baseline is None:
        sys.stdout.write(fingerprint.dumps(make(options, asked.salt)))
        return 0
    section, directory, _ = see(options)
    found = check(baseline, section, Declared(dynamic={_DIRECTORY: directory}))
    print("\n".join(in_words(found)))
    return 0 if found.same else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a fingerprint, or compare; return the exit status."""
    asked = parser().parse_args(arguments)
    catch_signals()
    try:
        return _run(asked)
    except SpecError as error:
        print(f"memassay_claude_code: {error}", file=sys.stderr)
        return _EXIT_USAGE
    except WitnessError as error:
        print(f"memassay_claude_code: {error}", file=sys.stderr)
        return EXIT_FAULT
    finally:
        remove_everything()


if __name__ == "__main__":
    sys.exit(main())
