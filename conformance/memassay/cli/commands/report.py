"""`memassay report`: a stored verdict stream in any view."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from memassay.cli.options import (
    described,
    format_option,
    max_shown_option,
    schema_option,
    spec_options,
    strict_option,
)


@click.command("report", **described(json="report", badge="badge"))
@click.argument("stream", type=click.Path(path_type=Path), metavar="STREAM")
@format_option("pretty", "json", "junit", "markdown", "html", "badge")
@strict_option
@max_shown_option
@spec_options
@schema_option
def command(
    *,
    stream: Path,
    form: str,
    strict: bool,
    max_shown: int | None,
    spec_version: str | None,
    spec_root: Path | None,
) -> None:
    """Show a stored verdict stream in any view.

    STREAM is a file that `memassay run --out` wrote. The exit code is 0 whatever the report says:
    it says it.
    """
    from memassay.cli.views import read, show, spec_of  # noqa: PLC0415 (--help needs none of it)
    from memassay.report.findings import Findings  # noqa: PLC0415 (as above)

    run = read(stream)
    findings = Findings.of(run, spec_of(run, spec_version, spec_root), strict=strict)
    show(findings, form, max_shown)
