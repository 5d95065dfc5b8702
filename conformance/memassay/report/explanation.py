"""Everything that is known about one rule, for someone who wants to get it right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.report.notation import expect_lines, notate, tree_lines
from memassay.report.places import place
from memassay.report.rows import Role, Row, labelled
from memassay.report.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.spec.models import Case, Evidence, Rule, Spec


def explain(spec: Spec, rule: Rule, case: Case | None = None) -> dict[str, Any]:
    """Return the document of `memassay explain`: the rule, with all its cases or only `case`."""
    return {
        "client": spec.version,
        "spec_digest": spec.digest,
        "rule": {
            "id": rule.id,
            "level": rule.level.value,
            "chapter": rule.chapter,
            "text": _line(rule.text),
            "why": None if rule.why is None else _line(rule.why),
            "constants": [_constant(spec, name) for name in rule.constants],
            "evidence": [_evidence(entry) for entry in rule.evidence],
            "disputed": None if rule.disputed is None else dict(rule.disputed),
            "mistakes": list(rule.mistakes),
            "profiles": None if rule.profiles is None else list(rule.profiles),
            "excluded": rule.excluded,
            "place": place(rule.where),
        },
        "table": _table(rule) if case is None else None,
        "cases": [_case(one) for one in (rule.cases if case is None else (case,))],
        "asked": rule.id if case is None else case.id,
    }


def _line(text: str) -> str:
    return " ".join(text.split())


def _constant(spec: Spec, name: str) -> dict[str, Any]:
    constant = spec.constants.get(name)
    if constant is None:
        return {"id": name, "value": None, "unit": None, "text": None}
    return {
        "id": name,
        "value": constant.value,
        "unit": constant.unit,
        "text": _line(constant.text),
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "grade": evidence.grade.value,
        "client": evidence.client,
        "observations": list(evidence.observations),
        "source": evidence.source,
        "section": evidence.section,
        "url": evidence.url,
        "rules": list(evidence.rules),
    }


def _table(rule: Rule) -> dict[str, Any] | None:
    """Return the cases that stand in a cell, as a table: the columns in the order of the first."""
    placed = [(case, case.cell) for case in rule.cases if case.cell is not None]
    if not placed:
        return None
    columns = list(placed[0][1])
    return {
        "columns": columns,
        "rows": [
            {"cell": [cell.get(column, "") for column in columns], "case": case.id}
            for case, cell in placed
        ],
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "id": case.id,
        "op": case.op,
        "why": _line(case.why),
        "input": [f"{visible(name)}: {notate(value)}" for name, value in case.args.items()],
        "tree": list(tree_lines(case.tree or {})),
        "model": [] if case.model is None else [notate(case.model)],
        "clock": case.clock,
        "expect": list(expect_lines(case.expect)),
        "boundary": [f"{one.side} {one.constant}" for one in case.boundary],
        "observations": list(case.observations),
        "profiles": None if case.profiles is None else list(case.profiles),
        "requires": list(case.requires),
        "cell": None if case.cell is None else dict(case.cell),
        "place": place(case.where),
    }


def heading(document: dict[str, Any]) -> tuple[str, str]:
    """Return the two lines above an explanation: where we are, and the rule's sentence."""
    rule = document["rule"]
    return f"{rule['id']} · {rule['level']} · {rule['chapter']}", rule["text"]


def rule_rows(document: dict[str, Any]) -> Iterator[Row]:
    """Yield what is known about the rule."""
    rule = document["rule"]
    if rule["why"]:
        yield Row(Role.TEXT, "why", rule["why"])
    yield from labelled(Role.TEXT, "constants", map(_constant_line, rule["constants"]))
    yield from labelled(Role.TEXT, "evidence", map(_evidence_line, rule["evidence"]))
    disputed = (f"{kind}: {_line(text)}" for kind, text in (rule["disputed"] or {}).items())
    yield from labelled(Role.NOTE, "disputed", disputed)
    yield from labelled(Role.NOTE, "mistakes", map(_line, rule["mistakes"]))
    if rule["profiles"] is not None:
        yield Row(Role.TEXT, "binds", f"only {', '.join(rule['profiles'])}")
    if rule["excluded"]:
        yield Row(Role.NOTE, "no cases", _line(rule["excluded"]))
    yield Row(Role.PLACE, "rule", rule["place"])


def case_rows(case: dict[str, Any]) -> Iterator[Row]:
    """Yield what one case asks and expects."""
    yield Row(Role.TEXT, "why", case["why"])
    yield Row(Role.TEXT, "op", case["op"])
    yield from labelled(Role.INPUT, "input", case["input"])
    yield from labelled(Role.INPUT, "tree", case["tree"])
    yield from labelled(Role.INPUT, "model", case["model"])
    if case["clock"] is not None:
        yield Row(Role.INPUT, "clock", case["clock"])
    yield from labelled(Role.EXPECTED, "expects", case["expect"])
    for key, label in (("boundary", "boundary"), ("observations", "seen as")):
        if case[key]:
            yield Row(Role.TEXT, label, ", ".join(case[key]))
    if case["profiles"] is not None:
        yield Row(Role.TEXT, "binds", f"only {', '.join(case['profiles'])}")
    if case["cell"]:
        cell = ", ".join(f"{column}: {word}" for column, word in case["cell"].items())
        yield Row(Role.TEXT, "cell", cell)
    if case["requires"]:
        yield Row(Role.TEXT, "requires", ", ".join(case["requires"]))
    yield Row(Role.PLACE, "case", case["place"])


def _constant_line(constant: dict[str, Any]) -> str:
    if constant["value"] is None:
        return f"{constant['id']} (not in this spec)"
    return f"{constant['id']} = {constant['value']:,} {constant['unit']}"


def _evidence_line(evidence: dict[str, Any]) -> str:
    parts = [evidence["grade"]]
    if evidence["client"]:
        parts.append(f"in client {evidence['client']}")
    if evidence["source"]:
        parts.append(f"in {evidence['source']}")
    if evidence["section"]:
        parts.append(f'"{evidence["section"]}"')
    if evidence["url"]:
        parts.append(evidence["url"])
    if evidence["rules"]:
        parts.append(f"from {', '.join(evidence['rules'])}")
    line = " ".join(parts)
    return f"{line}: {', '.join(evidence['observations'])}" if evidence["observations"] else line
