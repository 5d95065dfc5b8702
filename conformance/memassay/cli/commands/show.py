"""`memassay show`: one case as it goes over the wire, ready to paste."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from memassay.cli.options import (
    complete_names,
    described,
    format_option,
    load,
    schema_option,
    spec_options,
)
from memassay.cli.output import write, write_json

if TYPE_CHECKING:
    from memassay.spec.models import Case


@click.command("show", **described(json="show"))
@click.argument("case_id", metavar="CASE", shell_complete=complete_names("cases"))
@click.option("--full", is_flag=True, help="Shorten no text. JSON is always full.")
@click.option(
    "--make-tree",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Make the case's directory here, a new or empty one, and show the real paths.",
)
@format_option("pretty", "json")
@spec_options
@schema_option
def command(
    *,
    case_id: str,
    full: bool,
    make_tree: Path | None,
    form: str,
    spec_version: str | None,
    spec_root: Path | None,
) -> None:
    """Show one case as it goes over the wire.

    Prints the request with all builders expanded, one line to paste into an adapter's standard
    input, and what the answer is judged by. In cases with a directory `<TREE>` stands for it,
    unless --make-tree makes it.
    """
    from memassay.cli.problem import as_usage  # noqa: PLC0415 (--help needs none of it)
    from memassay.report.exhibit import exhibit, lines  # noqa: PLC0415 (as above)

    spec = load(spec_version, spec_root)
    with as_usage():
        if case_id not in spec.cases:
            spec.select(cases=[case_id])  # for its error, which knows the nearest names
    case = spec.cases[case_id]
    root = None if make_tree is None else _make_tree(case, make_tree)
    document = exhibit(case, root)
    if form == "json":
        write_json(document)
    else:
        write("\n".join(lines(document, case, full=full)))


def _make_tree(case: Case, directory: Path) -> str:
    from memassay.cli.problem import Problem, as_usage  # noqa: PLC0415 (--help needs none of it)
    from memassay.spec.builders import Context, clock_ms  # noqa: PLC0415 (as above)
    from memassay.spec.trees import make_tree  # noqa: PLC0415 (as above)

    if case.tree is None:
        raise Problem(f"{case.id} has no directory: its op takes only values")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        occupied = any(directory.iterdir())
    except OSError as error:
        raise Problem(f"{directory} cannot be used: {error.strerror}") from None
    if occupied:
        raise Problem(f"{directory} is not empty", hint="name a new directory; nothing was changed")
    root = str(directory.resolve())
    with as_usage():
        make_tree(case.tree, Context(root, clock_ms(case.clock)))
    return root
