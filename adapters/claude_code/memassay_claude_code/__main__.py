"""`python -m memassay_claude_code`: the genuine client as an adapter."""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from memassay_claude_code import fetch, private_root
from memassay_claude_code.bench import Bench, Options
from memassay_claude_code.client import identify
from memassay_claude_code.errors import WitnessError
from memassay_claude_code.sandbox import remove_everything
from memassay_claude_code.serve import serve

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

EXIT_FAULT = 4


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    line = argparse.ArgumentParser(
        prog="memassay_claude_code",
        description="Answer memassay's cases by running the genuine Claude Code client.",
    )
    add_client_options(line)
    line.add_argument(
        "--isolate", action="store_true", help="one client process a case; slower, the same answers"
    )
    line.add_argument(
        "--check",
        action="store_true",
        help="only find the client (fetch it if need be), see that it can testify, and say so",
    )
    return line


def add_client_options(line: argparse.ArgumentParser) -> None:
    """Add the options that say which client runs, and how."""
    line.add_argument(
        "--client",
        required=True,
        metavar="PATH|npm:VERSION",
        help="the client's executable, or a version to fetch from its owner's npm package",
    )
    line.add_argument(
        "--accept-vendor-terms",
        action="store_true",
        help="you have read and accept the terms of the client's owner (needed for npm:VERSION)",
    )
    line.add_argument(
        "--cache",
        type=Path,
        default=fetch.default_cache(),
        metavar="DIR",
        help="where fetched clients are kept (default: %(default)s)",
    )
    line.add_argument(
        "--time-limit",
        type=float,
        default=30.0,
        metavar="S",
        help="seconds after which a client counts as hung (default: %(default)s)",
    )
    line.add_argument(
        "--no-private-root",
        action="store_true",
        help="run on the machine's own file system even where a private one is allowed",
    )


def make_options(asked: argparse.Namespace, *, isolate: bool) -> Options:
    """Find the client and make sure that it can testify.

    Raises a `WitnessError` that says what is wrong and what to do.
    """
    version = None
    if asked.client.startswith(fetch.PREFIX):
        version = asked.client.removeprefix(fetch.PREFIX)
        path = fetch.fetch(version, asked.cache, accepted=asked.accept_vendor_terms)
    else:
        path = Path(asked.client)
    client = identify(path, time_limit_s=asked.time_limit, expected=version)
    private = not asked.no_private_root and private_root.is_available()
    options = Options(client, asked.time_limit, private=private, isolate=isolate)
    return replace(options, ending=Bench(options).learn_ending())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the adapter; return its exit status."""
    asked = parser().parse_args(arguments)
    catch_signals()
    try:
        if asked.check:
            options = make_options(asked, isolate=asked.isolate)
            print(_describe(options))
        else:
            serve(lambda: make_options(asked, isolate=asked.isolate), sys.stdin.buffer, sys.stdout)
    except WitnessError as error:
        print(f"memassay_claude_code: {error}", file=sys.stderr)
        return EXIT_FAULT
    finally:
        remove_everything()
    return 0


def catch_signals() -> None:
    """Turn the signals that end a process into an orderly end."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _leave)


def _describe(options: Options) -> str:
    root = "private roots" if options.private else "no private roots: some cases will be skipped"
    return f"client {options.client.version} at {options.client.path} testifies ({root})"


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 (the signal's)
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
