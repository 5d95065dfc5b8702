"""From anything that can go wrong to one clear message and an exit code: never a traceback.

This module stands between every command and the shell, `--help` included, so it imports next to
nothing; what only failures need is imported when there is one.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

DEBUG = "MEMASSAY_DEBUG"
"""The environment variable that, set to 1, shows tracebacks of our own faults."""

REPORT_HERE = "this is a fault of memassay, please report it"


class End:
    """How a command ended: its exit code."""

    def __init__(self) -> None:
        self.code: int | None = None


def say(message: str) -> None:
    """Write a message to standard error, named as ours; its first line says all that matters."""
    try:
        sys.stderr.write(f"memassay: {message}\n")
        sys.stderr.flush()
    except OSError:  # nobody is there to read it, and the exit code says it too
        return


def settle_streams() -> None:
    """Make the standard streams unable to fail over a character that they cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


@contextmanager
def guarded() -> Iterator[End]:
    """Run a command inside; whatever it raises becomes a message and the end's code."""
    end = End()
    try:
        yield end
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 (this is the last line of defence)
        end.code = _code_of(error)
    end.code = end.code or 0


def _code_of(error: BaseException) -> int:
    import click  # noqa: PLC0415 (only failures pay for it)

    from memassay.judge.verdict import Exit  # noqa: PLC0415 (as above)

    if isinstance(error, BrokenPipeError):
        _forget_output()
        return Exit.INCOMPLETE
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        say("interrupted")
        return Exit.INCOMPLETE
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else Exit.FAULT
    if isinstance(error, click.ClickException):
        say(_usage(error))
        return Exit.USAGE
    return _code_of_ours(error)


def _code_of_ours(error: BaseException) -> int:
    """Return the code of one of our own errors, which render themselves, or of a fault of ours."""
    from memassay.adapter.errors import StartError  # noqa: PLC0415 (only failures pay for it)
    from memassay.cli.problem import Problem  # noqa: PLC0415 (as above)
    from memassay.judge.prerequisites import MissingPrerequisiteError  # noqa: PLC0415 (as above)
    from memassay.judge.verdict import Exit  # noqa: PLC0415 (as above)
    from memassay.spec.errors import SpecError  # noqa: PLC0415 (as above)

    if isinstance(error, Problem):
        say(str(error))
        return error.code
    if isinstance(error, (SpecError, StartError, MissingPrerequisiteError)):
        say(str(error))
    elif isinstance(error, OSError) and error.strerror is not None:
        say(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
    elif isinstance(error, MemoryError):
        say("there is not enough memory")
    else:
        say(f"{REPORT_HERE}: {type(error).__name__}: {error}")
        if os.environ.get(DEBUG) == "1":
            import traceback  # noqa: PLC0415 (as above)

            traceback.print_exception(error)
    return Exit.FAULT


def _usage(error: click.ClickException) -> str:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{message}\n  `{context.command_path} --help` shows how it is used"


def _forget_output() -> None:
    """Point standard output at nothing, so that Python's own last flush does not complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # no descriptor behind it: nothing left to flush to
        return
