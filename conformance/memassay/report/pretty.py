"""The report for a terminal: failures first, then the summary, and the verdict last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.rule import Rule as Line
from rich.text import Text

from memassay.judge.assess import Standing
from memassay.judge.verdict import Exit
from memassay.report.failure import reason
from memassay.report.findings import against, baseline, remarks, summary, title
from memassay.report.rows import Role, Row, labelled
from memassay.report.tables import cell, table
from memassay.report.terminal import LEVELS, grid, indented, line
from memassay.report.visible import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from memassay.report.findings import Findings, Group, Section

    Parts = Iterator[RenderableType]

_BAD = "bold red"
_COLUMNS = {"fail": "red", "fault": "red", "warn": "yellow", "not run": "red"}
_CASES_NAMED = 8  # of one reason to skip


def pretty(findings: Findings, max_shown: int = 10) -> Parts:
    """Yield the parts of the report, one below the other.

    At most `max_shown` cases are told in full, 0 for all; a line says how many are not.
    """
    yield line((visible(title(findings)), "bold"))
    yield line((visible(against(findings)), "dim"))
    for remark in remarks(findings):
        yield line((visible(remark), "yellow"))
    for section in findings.sections(max_shown):
        yield from _section(findings, section)
    yield from _troubles(findings)
    yield from _declared(findings)
    yield from _unanswered(findings)
    yield ""
    yield _summary(findings)
    yield ""
    yield line((baseline(findings), ""))
    good = findings.assessment.exit is Exit.AS_EXPECTED
    yield line((findings.assessment.reason, "bold green" if good else _BAD))


def heading(text: str) -> Parts:
    """Yield the parts of a heading."""
    yield ""
    yield Line(Text(text, style="bold"), align="left", style="dim")


def _section(findings: Findings, section: Section) -> Parts:
    if section.groups:
        yield from heading(section.title)
        for group in section.groups:
            yield from _group(findings, group)
    if section.hidden:
        more = f"{section.hidden:,} more" if section.groups else counted(section.hidden, "case")
        if not section.groups:
            yield from heading(section.title)
        yield ""
        yield line((f"… {more}; --max-shown 0 shows all", "dim"))


def _group(findings: Findings, group: Group) -> Parts:
    yield ""
    yield line(
        (visible(group.rule_id), "bold"),
        (f" {group.level}", LEVELS.get(group.level, "")),
        (f"  {group.sentence}", ""),
    )
    for verdict in group.verdicts:
        yield ""
        why = reason(findings.case(verdict))
        yield indented(line((visible(verdict.case), "bold"), (f"  {why}", "")))
        yield from grid(findings.rows(verdict), indent=4)


def _troubles(findings: Findings) -> Parts:
    troubles = findings.run.troubles
    if not troubles:
        return
    yield from heading("Troubles that no case is to blame for")
    for trouble in troubles:
        told = [
            Row(
                Role.NOTE,
                "trouble",
                f"{trouble.fault.kind.value}: {visible(trouble.fault.message)}",
            )
        ]
        if trouble.cases:
            told.append(Row(Role.INPUT, "open", visible(", ".join(trouble.cases))))
        tail = [visible(text) for text in (trouble.fault.stderr or "").splitlines()]
        yield ""
        yield from grid([*told, *labelled(Role.STDERR, "stderr", tail)])


def _declared(findings: Findings) -> Parts:
    declared = list(findings.declared)
    if not declared:
        return
    yield from heading("Declared deviations")
    yield ""
    for rule_id, why, tally in declared:
        if rule_id in findings.assessment.stale:
            state = ("(stale: all of its cases pass; delete the declaration)", _BAD)
        elif tally is None:
            state = ("(not put in this run)", "dim")
        else:
            state = (f"({tally[Standing.DECLARED]:,} of {tally.total:,} cases fail)", "dim")
        yield indented(line((visible(rule_id), "bold"), (f"  {visible(why)} ", ""), state))


def _unanswered(findings: Findings) -> Parts:
    told: list[Row] = []
    for why, verdicts in findings.skips.items():
        names = [verdict.case for verdict in verdicts[:_CASES_NAMED]]
        more = len(verdicts) - len(names)
        shown = ", ".join(names) + (f" and {more:,} more" if more else "")
        told.append(Row(Role.NOTE, "skipped", f"{visible(why)}: {visible(shown)}"))
    ops = (f"{op} ({counted(count, 'case')})" for op, count in findings.unsupported.items())
    told += labelled(Role.TEXT, "not listed", ops)
    if told:
        yield from heading("Without an answer")
        yield ""
        yield from grid(told)


def _summary(findings: Findings) -> RenderableType:
    headings, rows = summary(findings)
    styled = [
        [
            Text(f"{value:,}", style=_COLUMNS[name])
            if name in _COLUMNS and isinstance(value, int) and value
            else cell(value)
            for name, value in zip(headings, row, strict=True)
        ]
        for row in rows
    ]
    columns = ((name, "name" if at == 0 else "number") for at, name in enumerate(headings))
    return table(*columns, rows=styled)
