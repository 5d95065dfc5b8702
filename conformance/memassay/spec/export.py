"""The whole spec as one JSON value, for a port that wants the data and none of our Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from memassay.spec.builders import Context, build, build_mapping, clock_ms, duration_us, fill
from memassay.spec.wire import to_wire

if TYPE_CHECKING:
    from memassay.spec.models import Case, Chapter, Evidence, Rule, Spec

FORMAT = 1
"""The version of the exported document's shape."""


def export(spec: Spec) -> dict[str, Any]:
    """Return every constant, rule and case of a version, builders expanded.

    `<TREE>` stands for the root of a case's directory and `<TREE-SLUG>` for its key; bytes are
    `{"$bytes": base64}`; matchers in `expect` and git nodes in `tree` stay as spec/README.md has
    them, families of files are written out one by one.
    """
    return {
        "memassay_export": FORMAT,
        "client": spec.version,
        "spec_digest": spec.digest,
        "constants": [
            {
                "id": constant.id,
                "value": constant.value,
                "unit": constant.unit,
                "text": constant.text,
                "profiles": constant.profiles,
            }
            for constant in spec.constants.values()
        ],
        "ops": [
            {
                "name": op.name,
                "kind": op.kind,
                "chapter": op.chapter,
                "description": op.description,
                "args": op.args_schema,
                "result": op.result_schema,
            }
            for op in spec.ops.values()
        ],
        "profiles": [attrs.asdict(profile) for profile in spec.profiles.values()],
        "chapters": [_chapter(chapter) for chapter in spec.chapters.values()],
    }


def _chapter(chapter: Chapter) -> dict[str, Any]:
    return {
        "name": chapter.name,
        "title": chapter.title,
        "status": chapter.status,
        "intro": chapter.intro,
        "rules": [_rule(rule) for rule in chapter.rules],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "level": rule.level,
        "text": rule.text,
        "why": rule.why,
        "constants": rule.constants,
        "evidence": [_evidence(evidence) for evidence in rule.evidence],
        "disputed": rule.disputed,
        "mistakes": rule.mistakes,
        "profiles": rule.profiles,
        "excluded": rule.excluded,
        "cases": [export_case(case) for case in rule.cases],
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {key: value for key, value in attrs.asdict(evidence).items() if value}


def export_case(case: Case) -> dict[str, Any]:
    """Return one case with its builders expanded, as `export` writes it."""
    context = Context.portable(case.clock)
    return {
        "id": case.id,
        "op": case.op,
        "args": to_wire(build_mapping(case.args, context)),
        "expect": to_wire(build_mapping(case.expect, context)),
        "why": case.why,
        "tree": None if case.tree is None else _tree(case.tree, context),
        "model": None if case.model is None else to_wire(build_mapping(case.model, context)),
        "clock_ms": clock_ms(case.clock),
        "profiles": case.profiles,
        "requires": case.requires,
        "cell": case.cell,
        "observations": case.observations,
        "boundary": [attrs.asdict(boundary) for boundary in case.boundary],
    }


def _tree(tree: Any, context: Context) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for name, node in tree.items():
        if isinstance(node, dict) and "files" in node:
            written.update(_family(name, node["files"], context))
        else:
            written[name] = to_wire(build(node, context))
    return written


def _family(directory: str, family: dict[str, Any], context: Context) -> dict[str, Any]:
    text = build(family["text"], context)
    base_us = duration_us(family.get("age", "0"))
    step_us = duration_us(family.get("age_step", "0"))
    return {
        f"{directory}/{fill(family['name'], number)}": {
            "file": fill(text, number) if isinstance(text, str) else to_wire(text),
            "age": f"{base_us + number * step_us}us",
        }
        for number in range(family["from"], family["to"] + 1)
    }
