"""The report as JUnit XML: a suite for each chapter, a test case for each case."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from memassay.judge.assess import Standing
from memassay.judge.verdict import Exit
from memassay.report.failure import reason
from memassay.report.findings import against, title
from memassay.report.rows import plain
from memassay.report.visible import visible

if TYPE_CHECKING:
    from memassay.judge.verdict import Verdict
    from memassay.report.findings import Findings

_FAILURE, _ERROR, _SKIPPED = "failure", "error", "skipped"

_ELEMENTS = {
    Standing.NONCONFORMING: _FAILURE,
    Standing.FAULT: _ERROR,
    Standing.NOT_RUN: _ERROR,
    Standing.WARNING: _SKIPPED,
    Standing.NOTE: _SKIPPED,
    Standing.DECLARED: _SKIPPED,
    Standing.SKIPPED: _SKIPPED,
    Standing.UNSUPPORTED: _SKIPPED,
}
"""What stands in a test case that did not pass. What does not fail the run is no failure here."""

_COUNTS = {_FAILURE: "failures", _ERROR: "errors", _SKIPPED: "skipped"}


def junit(findings: Findings) -> str:
    """Return the report as a JUnit XML document; what XML cannot hold is made visible."""
    root = ET.Element("testsuites", name=f"memassay: {visible(title(findings))}")
    client = findings.run.header.client
    suites: dict[str, ET.Element] = {}
    for case_id, standing in findings.assessment.cases.items():
        verdict = findings.run.verdicts.get(case_id)
        case = findings.spec.cases.get(case_id)
        chapter, rule = (
            (verdict.chapter, verdict.rule)
            if verdict is not None
            else (case.chapter, case.rule)
            if case is not None
            else ("", "")
        )
        suite = suites.get(chapter)
        if suite is None:
            suite = suites[chapter] = ET.SubElement(root, "testsuite", name=f"{client}.{chapter}")
        test = ET.SubElement(
            suite, "testcase", classname=f"{client}.{chapter}.{rule}", name=visible(case_id)
        )
        if standing is not Standing.CONFORMING:
            _tell(findings, test, standing, verdict)
    _add_the_run_itself(findings, root)
    for suite in root:
        _count(suite, [suite])
    _count(root, list(root))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _tell(
    findings: Findings, test: ET.Element, standing: Standing, verdict: Verdict | None
) -> None:
    message, text = _message(findings, standing, verdict)
    element = ET.SubElement(test, _ELEMENTS[standing], message=visible(message))
    element.set("type", standing.value)
    if text:
        element.text = f"\n{text}\n"


def _message(findings: Findings, standing: Standing, verdict: Verdict | None) -> tuple[str, str]:
    """Return the one line and the text of a test case that did not pass."""
    if verdict is None:
        return "the run ended before it", ""
    if standing is Standing.UNSUPPORTED:
        return "the adapter does not list the op", ""
    if standing is Standing.SKIPPED:
        return verdict.reason or "skipped by the adapter", ""
    case = findings.case(verdict)
    rule = findings.spec.rules.get(verdict.rule)
    head = "" if rule is None else f"{rule.id} {rule.level}: {' '.join(rule.text.split())}\n"
    text = f"{head}{verdict.case}: {reason(case)}\n\n{plain(findings.rows(verdict))}"
    if standing is Standing.DECLARED:
        return f"declared deviation: {findings.run.header.deviations[verdict.rule]}", text
    if verdict.mismatches:
        first = verdict.mismatches[0]
        return f"{first.at} {first.problem}".strip(), text
    return verdict.reason or standing.value, text


def _add_the_run_itself(findings: Findings, root: ET.Element) -> None:
    """Add a test case for what no case says: a run cut short, a stale declaration, a trouble."""
    run, assessment = findings.run, findings.assessment
    problems = [
        (_ERROR, f"the adapter failed: {trouble.fault.message}") for trouble in run.troubles
    ]
    problems += [
        (_FAILURE, f"{rule} is declared as a deviation, but all of its cases pass")
        for rule in assessment.stale
    ]
    if assessment.exit is Exit.INCOMPLETE:
        problems.append((_ERROR, assessment.reason))
    if not problems:
        return
    client = run.header.client
    suite = ET.SubElement(root, "testsuite", name=f"{client}.run")
    test = ET.SubElement(suite, "testcase", classname=f"{client}.run", name=against(findings))
    for kind, message in problems:
        ET.SubElement(test, kind, message=visible(message))


def _count(element: ET.Element, suites: list[ET.Element]) -> None:
    tests = [test for suite in suites for test in suite.iter("testcase")]
    element.set("tests", str(len(tests)))
    for kind, name in _COUNTS.items():
        element.set(name, str(sum(test.find(kind) is not None for test in tests)))
