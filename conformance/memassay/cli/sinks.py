"""Where the entries of a run go while it runs: a file, standard output, a progress bar."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memassay.cli.output import console
from memassay.cli.problem import Problem
from memassay.judge.stream import StreamWriter
from memassay.judge.verdict import Footer, Header, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import TextIO

    from memassay.judge.stream import Entry

    Sink = Callable[[Entry], None]


@contextmanager
def stream_file(path: Path) -> Iterator[Sink]:
    """Write the stream to `path`, opened with the first entry: a run that cannot start leaves it.

    Raises `Problem` at once if it cannot be written there.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise Problem(f"{path} cannot be written", hint="name a file in a directory that exists")
    opened: list[tuple[TextIO, StreamWriter]] = []

    def sink(entry: Entry) -> None:
        if not opened:
            try:
                file = path.open("w", encoding="ascii", newline="\n")
            except OSError as error:
                raise Problem(f"{path} cannot be written: {error.strerror}") from None
            opened.append((file, StreamWriter(file)))
        opened[0][1].write(entry)

    try:
        yield sink
    finally:
        for file, _ in opened:
            file.close()


def stream_out() -> Sink:
    """Write the stream to standard output."""
    return StreamWriter(sys.stdout).write


@contextmanager
def progress() -> Iterator[Sink]:
    """Show how far a run is, on a terminal; elsewhere show nothing."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import (  # noqa: PLC0415 (rich is loaded only to render)
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("starting", total=None)

        def sink(entry: Entry) -> None:
            if isinstance(entry, Header):
                bar.update(task, total=entry.cases, description=entry.implementation.name)
            elif isinstance(entry, Verdict):
                bar.advance(task)
            elif isinstance(entry, Footer):
                bar.stop()

        yield sink
