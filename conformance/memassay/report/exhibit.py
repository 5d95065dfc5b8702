"""One case as it goes over the wire: the request to paste, the directory, the expectation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.judge.texts import length_units
from memassay.report.notation import TREE, tree_lines
from memassay.report.visible import visible_json
from memassay.spec.builders import Context, build, build_mapping, clock_ms
from memassay.spec.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.spec.models import Case

MAX_UNITS = 200
"""How much of a text is shown unless all is asked for."""


def exhibit(case: Case, root: str | None = None) -> dict[str, Any]:
    """Return the document of `memassay show`, every builder expanded, nothing shortened.

    `root` is where the case's directory stands; without one, `<TREE>` and `<TREE-SLUG>` stand for
    it and its key. Raises `BuilderError` if a builder's parts do not fit.
    """
    now = clock_ms(case.clock)
    context = Context.portable(case.clock) if root is None else Context(root, now)
    return {
        "case": case.id,
        "rule": case.rule,
        "chapter": case.chapter,
        "why": " ".join(case.why.split()),
        "request": {
            "cmd": "run",
            "id": 1,
            "op": case.op,
            "args": to_wire(build_mapping(case.args, context)),
        },
        "expect": to_wire(build_mapping(case.expect, context)),
        "tree": to_wire({name: build(node, context) for name, node in (case.tree or {}).items()}),
        "model": None if case.model is None else to_wire(build_mapping(case.model, context)),
        "root": (root or TREE) if case.tree is not None else None,
        "clock_ms": now,
        "requires": list(case.requires),
    }


def lines(document: dict[str, Any], case: Case, *, full: bool) -> Iterator[str]:
    """Yield the lines of the view for people. Comments begin with `#`; the request is one line."""
    request, cut = (document["request"], 0) if full else shortened(document["request"])
    expect, cut_too = (document["expect"], 0) if full else shortened(document["expect"])
    yield f"# {document['case']} of {document['rule']}: {document['why']}"
    if cut or cut_too:
        yield f"# texts over {MAX_UNITS} units are shortened here; --full shows them whole"
    if document["root"] is not None:
        yield "#"
        yield f"# the directory {document['root']}, everything in it as old as the clock says:"
        yield from (f"#   {line}" for line in tree_lines(case.tree or {}))
    if document["model"] is not None:
        yield "#"
        yield "# the model, whose address the runner adds as base_url (docs/cassettes.md):"
        yield f"#   {visible_json(shortened(document['model'])[0])}"
    yield "#"
    yield "# the request, one line for an adapter's standard input:"
    yield visible_json(request)
    yield "#"
    yield "# what is expected of the answer (spec/README.md has the words):"
    yield visible_json(expect, indent=2)


def shortened(value: Any) -> tuple[Any, int]:
    """Return a JSON value with its long texts cut, and how many were."""
    if isinstance(value, str):
        units = length_units(value)
        if units <= MAX_UNITS:
            return value, 0
        head = value[: MAX_UNITS // 2]
        return f"{head}… {units - length_units(head):,} units more", 1
    if isinstance(value, dict):
        pairs = {key: shortened(child) for key, child in value.items()}
        return {k: child for k, (child, _) in pairs.items()}, sum(n for _, n in pairs.values())
    if isinstance(value, list):
        parts = [shortened(child) for child in value]
        return [child for child, _ in parts], sum(n for _, n in parts)
    return value, 0
