"""The report as one HTML page for a port's author: nothing to fetch, nothing that changes.

The page is made of ASCII, so that its bytes do not depend on the machine that writes it. Everything
that came out of a stream is a stranger's: it is escaped, it has nothing invisible in it, and a
policy in the page lets no script run but the page's own.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, Any

from attrs import frozen
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from memassay.judge.assess import Standing
from memassay.judge.verdict import Exit
from memassay.report.failure import reason, sentence, stderr_rows
from memassay.report.findings import COLUMNS, against, percent, remarks, summary, title
from memassay.report.parts import parts
from memassay.report.rows import NOTHING
from memassay.report.visible import counted, is_hidden, numbered, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jinja2 import Template

    from memassay.adapter.messages import Trouble
    from memassay.judge.assess import Score
    from memassay.judge.verdict import Verdict
    from memassay.report.findings import Findings, Group, Section
    from memassay.report.parts import Part
    from memassay.spec.models import Rule

MEANING = {
    Exit.AS_EXPECTED: "of what was judged, no MUST is broken without being declared",
    Exit.NONCONFORMING: "a MUST (with --strict, also a SHOULD) is broken and not declared",
    Exit.USAGE: "a declared deviation is none any more",
    Exit.INCOMPLETE: "interrupted, cut off, an answer skipped, or nothing judged",
    Exit.FAULT: "the adapter failed instead of answering",
}
"""What the exit codes of a run mean."""

MAX_OPEN = 40
"""The most cases of a page whose rules are open from the start; beyond it, one sees the rules."""

_SAFE = re.compile(r"[A-Za-z0-9._-]")
_HOMEPAGE = re.compile(r"https?://[!-~]+")
_CODE = re.compile(r"`([^`]+)`")
_NOT_PLAIN = re.compile(r"[^ -~]")


@frozen
class Told:
    """One case: what it is, why it expects what it does, and the parts that tell what happened."""

    anchor: str
    case: str
    chapter: str
    why: str
    standing: Standing
    parts: tuple[Part, ...]


@frozen
class Ruled:
    """The cases of one rule that came out the same way, under what the rule says."""

    anchor: str
    group: Group
    why: str
    mistakes: tuple[str, ...]
    cases: tuple[Told, ...]


@frozen
class Chaptered:
    """The rules of one chapter within a section."""

    anchor: str
    name: str
    title: str
    rules: tuple[Ruled, ...]


@frozen
class Declared:
    """A rule that a port says it breaks: its reason, how it stands, and the cases that show it."""

    anchor: str
    rule_id: str
    text: str
    why: str
    state: str
    stale: bool
    ruled: Ruled | None


class Anchors:
    """Gives out the ids of a page's elements, each once."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def __call__(self, kind: str, name: str, standing: Standing) -> str:
        """Return `rule-IDX-1`; a rule that is told again under another standing has that, too."""
        plain = f"{kind}-{_id(name)}"
        anchor = f"{plain}:{standing.value}" if plain in self._given else plain
        self._given.add(anchor)
        return anchor


def html(findings: Findings, max_shown: int = 0) -> str:
    """Return the report as an HTML page in ASCII; `max_shown` cases are told at most, 0 for all."""
    page = _template().render(_context(findings, max_shown))
    return page.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _context(findings: Findings, max_shown: int) -> dict[str, Any]:
    run, assessment = findings.run, findings.assessment
    header, anchors = run.header, Anchors()
    sections = [
        (section, tuple(_chapters(findings, section, anchors)))
        for section in findings.sections(max_shown)
    ]
    declared = tuple(_declared(findings, anchors))
    chapters = [chapter for _, all_of in sections for chapter in all_of]
    shown = sum(len(rule.cases) for chapter in chapters for rule in chapter.rules)
    skips = tuple(_skips(findings, anchors))
    unsupported = findings.unsupported
    headings, rows = summary(findings)
    return {
        "title": visible(title(findings)),
        "name": visible(header.implementation.name),
        "edition": visible(title(findings)[len(header.implementation.name) :].strip()),
        "homepage": _homepage(header.implementation.homepage),
        "against": visible(against(findings)),
        "reason": visible(assessment.reason),
        "exit": int(assessment.exit),
        "meaning": MEANING[assessment.exit],
        "remarks": [visible(remark) for remark in remarks(findings)],
        "scores": [(visible(name), score, percent(score)) for name, score in findings.scores],
        "unfailed": (
            "Of the cases that got an answer, none failed that is not declared."
            if assessment.score.total
            else "Nothing was judged."
        ),
        "judged": _judged(assessment.score, header.cases),
        "headings": headings,
        "rows": [_row(headings, row) for row in rows],
        "whole": len(assessment.chapters) != 1,
        # The first of each chapter, where its gravest failures are, for the table to lead to.
        "first": {chapter.name: chapter.anchor for chapter in reversed(chapters)},
        "sections": sections,
        "opened": shown <= MAX_OPEN,
        "outcomes": _outcomes(assessment.counts),
        "names": [visible(name) for name in assessment.chapters],
        "troubles": list(_troubles(run.troubles)),
        "declared": declared,
        "skips": skips,
        "skipped": assessment.counts[Standing.SKIPPED],
        "unsupported": [(visible(op), counted(count, "case")) for op, count in unsupported.items()],
        "unlisted": assessment.counts[Standing.UNSUPPORTED],
        "facts": list(_facts(findings)),
        "nothing": NOTHING,
    }


def _rule(
    findings: Findings, group: Group, standing: Standing, anchors: Anchors, *, own: bool = True
) -> Ruled:
    """Return a group of cases; `own` is whether the rule has an id of its own on the page here."""
    return Ruled(
        anchors("rule", group.rule_id, standing) if own else "",
        group,
        _why(group.rule),
        () if group.rule is None else tuple(" ".join(text.split()) for text in group.rule.mistakes),
        tuple(
            Told(
                anchors("case", verdict.case, standing),
                visible(verdict.case),
                visible(verdict.chapter),
                reason(findings.case(verdict)),
                standing,
                parts(findings.rows(verdict)),
            )
            for verdict in group.verdicts
        ),
    )


def _why(rule: Rule | None) -> str:
    return "" if rule is None or rule.why is None else " ".join(rule.why.split())


def _chapters(findings: Findings, section: Section, anchors: Anchors) -> Iterator[Chaptered]:
    for name, groups in groupby(section.groups, lambda group: group.verdicts[0].chapter):
        yield Chaptered(
            anchors("chapter", name, section.standing),
            visible(name),
            _title(findings, name),
            tuple(_rule(findings, group, section.standing, anchors) for group in groups),
        )


def _title(findings: Findings, name: str) -> str:
    chapter = findings.spec.chapters.get(name)
    return "" if chapter is None else chapter.title


def _declared(findings: Findings, anchors: Anchors) -> Iterator[Declared]:
    groups = {group.rule_id: group for group in findings.groups(Standing.DECLARED)}
    for rule_id, why, tally in findings.declared:
        stale = rule_id in findings.assessment.stale
        state = "Not put in this run."
        if stale:
            state = "Stale: all of its cases pass; delete the declaration."
        elif tally is not None:
            state = f"{tally[Standing.DECLARED]:,} of {counted(tally.total, 'case')} fail."
        group = groups.get(rule_id)
        yield Declared(
            anchors("rule", rule_id, Standing.DECLARED),
            visible(rule_id),
            sentence(findings.spec.rules.get(rule_id)),
            visible(" ".join(why.split())),
            state,
            stale,
            group and _rule(findings, group, Standing.DECLARED, anchors, own=False),
        )


def _troubles(troubles: tuple[Trouble, ...]) -> Iterator[tuple[Trouble, str, list[str]]]:
    for trouble in troubles:
        stderr = [row.text for row in stderr_rows(trouble.fault.stderr)]
        yield trouble, visible(trouble.fault.message), stderr


def _skips(findings: Findings, anchors: Anchors) -> Iterator[tuple[str, list[Told]]]:
    for why, verdicts in findings.skips.items():
        yield visible(why), [_skip(findings, verdict, anchors) for verdict in verdicts]


def _skip(findings: Findings, verdict: Verdict, anchors: Anchors) -> Told:
    return Told(
        anchors("case", verdict.case, Standing.SKIPPED),
        visible(verdict.case),
        visible(verdict.chapter),
        reason(findings.case(verdict)),
        Standing.SKIPPED,
        parts(findings.rows(verdict)),
    )


def _row(headings: list[str], row: list[str | int]) -> tuple[str, list[tuple[str, str]]]:
    """Return a row of the summary: its name, and each number with its standing, 0 as –."""
    name, total, *counts = row
    cells = [("total", f"{total:,}")]
    cells += [
        (COLUMNS[heading].value if count else "none", f"{count:,}" if count else NOTHING)
        for heading, count in zip(headings[2:], counts, strict=True)
    ]
    return visible(str(name)), cells


def _outcomes(counts: Mapping[Standing, int]) -> list[tuple[str, str, str]]:
    """Return the standings whose cases are on the page: the value, the word, how many."""
    silent = {Standing.CONFORMING, Standing.UNSUPPORTED, Standing.NOT_RUN}
    return [
        (standing.value, name, f"{counts[standing]:,}")
        for name, standing in COLUMNS.items()
        if standing not in silent and counts[standing]
    ]


def _judged(score: Score, due: int) -> str:
    if not score.total:
        return f"Nothing was judged, of {counted(due, 'case')} that were due."
    if score.total == due:
        return f"Of {counted(score.total, 'case')}, all of which got an answer."
    return f"Of the {counted(score.total, 'case')} that got an answer, of {due:,} that were due."


def _facts(findings: Findings) -> Iterator[tuple[str, str]]:
    """Yield what identifies the run, for those who want to check or to repeat it."""
    run = findings.run
    header, who = run.header, run.header.implementation
    yield "Implementation", visible(title(findings))
    if who.homepage:
        yield "Homepage", visible(who.homepage)
    if who.targets:
        yield "Says it targets", visible(", ".join(who.targets))
    yield "Held against", visible(against(findings))
    yield "Spec digest", visible(header.spec_digest)
    yield "Adapter digest", visible(header.adapter_digest)
    yield "Command", visible(" ".join(header.command))
    yield "Ops listed", visible(", ".join(header.ops)) or NOTHING
    yield "Examined with", f"memassay {visible(header.memassay)}"
    yield "Stream", "cut off" if run.truncated else "complete" if run.complete else "incomplete"
    yield "Exit", f"{int(findings.assessment.exit)}: {MEANING[findings.assessment.exit]}"


def _homepage(url: str | None) -> str | None:
    """Return an address that a link may lead to, None for anything else."""
    return url if url and _HOMEPAGE.fullmatch(url) else None


def _id(name: str) -> str:
    """Return a name as part of an element's id: odd characters by number, nothing met twice."""
    return "".join(char if _SAFE.match(char) else f":{ord(char):X}:" for char in name)


def _printable(value: Any) -> Any:
    """Return a value that goes onto the page with nothing invisible left in it.

    Views call `visible` on what strangers wrote; this is for what slipped through.
    """
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _NOT_PLAIN.sub(lambda m: numbered(m[0]) if is_hidden(m[0]) else m[0], value)


def _prose(text: str) -> Markup:
    """Return a sentence of the spec with what stands between backticks as code."""
    pieces = _CODE.split(text)
    return Markup("").join(
        (Markup("<code>{}</code>") if at % 2 else Markup("{}")).format(_printable(piece))
        for at, piece in enumerate(pieces)
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = _prose
    script = _source("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # Both are files of ours, beside this one, and the script is what its digest lets run.
    environment.globals.update(
        style=Markup(_source("page.css")),  # noqa: S704
        script=Markup(script),  # noqa: S704
        script_digest=f"sha256-{digest}",
    )
    return environment.get_template("page.html.j2")


def _source(name: str) -> str:
    return (resources.files(__package__ or "") / "page" / name).read_text(encoding="utf-8")
