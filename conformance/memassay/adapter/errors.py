"""What is said when an adapter does not start."""

from __future__ import annotations

import shlex
from textwrap import indent
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from memassay.adapter.messages import FaultKind


@frozen
class StartError(Exception):
    """The adapter did not get as far as its first request.

    `kind` is `NOT_FOUND` (there is nothing to run) or `NO_START` (it ran, and did not introduce
    itself); `message` says what happened, `hint` what to do, `stderr` the end of what it said.
    """

    kind: FaultKind
    message: str
    command: tuple[str, ...] = ()
    stderr: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        """Render in a few lines: what, the command, its stderr, and what to do."""
        lines = [f"the adapter did not start: {self.message}"]
        if self.command:
            lines.append(f"  command: {shlex.join(self.command)}")
        if self.stderr:
            lines += ["  its stderr ends with:", indent(self.stderr.rstrip("\n"), "    ")]
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)
