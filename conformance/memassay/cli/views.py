"""The formats of a report: the same for a run that just ended and for a stored stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memassay.cli.output import render, write, write_json
from memassay.cli.problem import Problem

if TYPE_CHECKING:
    from pathlib import Path

    from memassay.judge.stream import Run
    from memassay.report.findings import Findings
    from memassay.spec.models import Spec

DEFAULT_SHOWN = 10
"""How many cases the pretty view tells in full unless asked otherwise."""


def show(findings: Findings, form: str, max_shown: int | None) -> None:
    """Write a report to standard output: pretty, json, junit, markdown, html or badge."""
    if form == "json":
        from memassay.report.document import document  # noqa: PLC0415 (one view is enough)

        write_json(document(findings))
    elif form == "junit":
        from memassay.report.junit import junit  # noqa: PLC0415 (as above)

        write(junit(findings))
    elif form == "markdown":
        from memassay.report.markdown import markdown  # noqa: PLC0415 (as above)

        write(markdown(findings, max_shown or 0))
    elif form == "html":
        from memassay.report.html import html  # noqa: PLC0415 (as above; jinja2 is loaded here only)

        write(html(findings, max_shown or 0))
    elif form == "badge":
        from memassay.report.badge import badge  # noqa: PLC0415 (as above)

        write_json(badge(findings))
    else:
        from memassay.report.pretty import pretty  # noqa: PLC0415 (as above)

        render(*pretty(findings, DEFAULT_SHOWN if max_shown is None else max_shown))


def read(stream: Path) -> Run:
    """Return the run that a file holds; a file that is no stream is the user's problem."""
    from memassay.judge.reading import StreamError, read_stream  # noqa: PLC0415 (--help needs none)

    try:
        return read_stream(stream)
    except StreamError as error:
        raise Problem(str(error)) from None


def spec_of(run: Run, spec_version: str | None, spec_root: Path | None) -> Spec:
    """Return the spec by which a run was judged, or the one that was asked for."""
    from memassay.cli.options import load  # noqa: PLC0415 (as above)

    return load(spec_version or run.header.client, spec_root)
