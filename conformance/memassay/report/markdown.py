"""The report as Markdown, for a job summary or a pull request."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from memassay.report.failure import reason
from memassay.report.findings import against, baseline, remarks, summary, title
from memassay.report.rows import NOTHING, plain
from memassay.report.visible import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memassay.judge.verdict import Verdict
    from memassay.report.findings import Findings, Section

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")
_BACKTICKS = re.compile(r"`+")


def markdown(findings: Findings, max_shown: int = 0) -> str:
    """Return the report as GitHub's Markdown; at most `max_shown` cases are told, 0 for all."""
    return "\n".join(_lines(findings, max_shown)) + "\n"


def _lines(findings: Findings, max_shown: int) -> Iterator[str]:
    yield f"## {escape(title(findings))}: {escape(findings.assessment.reason)}"
    yield ""
    yield f"Examined with memassay {findings.run.header.memassay}: {escape(against(findings))}."
    yield ""
    for remark in remarks(findings):
        yield f"> {escape(remark)}"
        yield ""
    yield from table(*summary(findings))
    yield ""
    yield f"Score: {escape(baseline(findings))}."
    for section in findings.sections(max_shown):
        yield ""
        yield f"### {section.title} ({section.count:,})"
        yield from _section(findings, section)
    yield from _declared(findings)
    yield from _unanswered(findings)


def _section(findings: Findings, section: Section) -> Iterator[str]:
    for group in section.groups:
        yield ""
        yield f"**{escape(group.rule_id)}** {group.level}: {escape(group.sentence)}"
        for verdict in group.verdicts:
            yield from _failure(findings, verdict)
    if section.hidden:
        yield ""
        yield f"… and {section.hidden:,} more."


def _failure(findings: Findings, verdict: Verdict) -> Iterator[str]:
    why = html.escape(reason(findings.case(verdict)), quote=False)
    yield ""
    yield f"<details><summary><code>{verdict.case}</code> {why}</summary>"
    yield ""
    yield from fenced(plain(findings.rows(verdict)))
    yield ""
    yield "</details>"


def fenced(text: str) -> Iterator[str]:
    """Yield the lines of a code block that holds `text`, whatever backticks are in it."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    yield from text.split("\n")
    yield fence


def _declared(findings: Findings) -> Iterator[str]:
    lines = [
        f"- **{escape(rule_id)}**: {escape(why)}{' (stale: all of its cases pass)' * stale}"
        for rule_id, why, _ in findings.declared
        for stale in [rule_id in findings.assessment.stale]
    ]
    if lines:
        yield from ("", "### Declared deviations", "", *lines)


def _unanswered(findings: Findings) -> Iterator[str]:
    lines = [
        f"- skipped: {escape(visible(why))} ({', '.join(f'`{v.case}`' for v in verdicts)})"
        for why, verdicts in findings.skips.items()
    ]
    lines += [
        f"- unsupported: `{op}` ({counted(count, 'case')})"
        for op, count in findings.unsupported.items()
    ]
    if lines:
        yield from ("", "### Without an answer", "", *lines)


def table(headings: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield the lines of a table: the first column to the left, numbers to the right."""
    names = list(headings)
    yield f"| {' | '.join(names)} |"
    yield f"|{'|'.join([':--', *['--:'] * (len(names) - 1)])}|"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(value: Any) -> str:
    if not value:
        return NOTHING
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def escape(text: str) -> str:
    """Return `text` so that Markdown shows it as it is."""
    return _SPECIAL.sub(r"\\\1", text).replace("\n", " ")
