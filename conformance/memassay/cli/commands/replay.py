"""`memassay replay`: a recorded model on loopback, for an implementation in any language."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from memassay.cli.options import described, schema_option
from memassay.cli.output import write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.replay.cassette import Cassette


@click.command("replay", **described(json="replay"))
@click.argument("cassette", required=False, metavar="CASSETTE")
@click.option("--list", "listing", is_flag=True, help="List the cassettes that memassay brings.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port on 127.0.0.1; 0 takes a free one.",
)
@click.option(
    "--requests", type=click.IntRange(1), metavar="N", help="End after N requests; else at Ctrl-C."
)
@schema_option
def command(*, cassette: str | None, listing: bool, port: int, requests: int | None) -> None:
    """Play a recorded model to an implementation, over HTTP.

    CASSETTE is a name from --list, or a file that vcrpy wrote. The first line printed is the base
    URL to give to your client; then each request is printed as one line of JSON, in the normal form
    that cases expect (docs/cassettes.md).
    """
    from memassay.cli.problem import Problem  # noqa: PLC0415 (--help needs none of it)
    from memassay.replay.cassette import CassetteError  # noqa: PLC0415 (as above)

    try:
        if listing:
            _list()
        elif cassette is None:
            raise Problem("which cassette?", hint="`memassay replay --list` shows them")
        else:
            _serve(_load(cassette), port, requests)
    except CassetteError as error:
        raise Problem(str(error)) from None


def _list() -> None:
    from memassay.replay.cassette import entries  # noqa: PLC0415 (--help needs none of it)
    from memassay.spec.locate import cassettes_root  # noqa: PLC0415 (as above)

    known = entries(cassettes_root())
    width = max(map(len, known))
    for entry in known.values():
        write(f"{entry.name:{width}}  {entry.about}")


def _load(name: str) -> Cassette:
    from memassay.replay.cassette import load_file, stored  # noqa: PLC0415 (--help needs none)

    path = Path(name)
    return load_file(path) if path.suffix in {".yaml", ".yml"} or "/" in name else stored(name)


def _serve(cassette: Cassette, port: int, most: int | None) -> None:
    from queue import SimpleQueue  # noqa: PLC0415 (--help needs none of it)

    from memassay.cli.problem import Problem  # noqa: PLC0415 (as above)
    from memassay.replay.playback import Playback  # noqa: PLC0415 (as above)
    from memassay.replay.server import ModelServer  # noqa: PLC0415 (as above)

    came: SimpleQueue[Mapping[str, Any]] = SimpleQueue()
    try:
        server = ModelServer(Playback(cassette.exchanges), port=port, on_answer=came.put)
    except OSError as error:
        raise Problem(f"port {port} cannot be used: {error.strerror}") from None
    number = 0
    try:
        _say(server.url)
        while most is None or number < most:
            _say(json.dumps(came.get()))
            number += 1
    except KeyboardInterrupt:
        pass
    finally:
        server.close()


def _say(line: str) -> None:
    """Write a line at once: whoever reads it acts on it."""
    write(line)
    sys.stdout.flush()
