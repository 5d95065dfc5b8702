"""`memassay export`: the whole spec as one JSON file, for those who want none of our Python."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from memassay.cli.options import described, load, schema_option, spec_options
from memassay.cli.output import dumps, write


@click.command("export", **described(json="export"))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write it here instead of to standard output.",
)
@spec_options
@schema_option
def command(*, out: Path | None, spec_version: str | None, spec_root: Path | None) -> None:
    """Write the whole spec as one JSON file.

    Every constant, rule and case, builders expanded. Bytes are written as {"$bytes": base64};
    <TREE> stands for the root of a case's directory and <TREE-SLUG> for its key.
    """
    from memassay.spec.export import export  # noqa: PLC0415 (--help needs none of it)

    text = dumps(export(load(spec_version, spec_root))) + "\n"
    if out is None:
        write(text)
        return
    from memassay.cli.problem import Problem  # noqa: PLC0415 (as above)

    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Problem(f"{out} cannot be written: {error.strerror}") from None
