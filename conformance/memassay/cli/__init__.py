"""The command line: `memassay`, one module a command, each imported only when it is called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with one of `memassay.judge.verdict.Exit`."""
    from memassay.cli.group import memassay  # noqa: PLC0415 (click is loaded only when it is needed)
    from memassay.cli.guard import guarded, settle_streams  # noqa: PLC0415 (as above)

    settle_streams()
    with guarded() as end:
        end.code = memassay.main(
            list(sys.argv[1:] if args is None else args),
            prog_name="memassay",
            standalone_mode=False,
        )
    sys.exit(end.code)
