"""A question on which two implementations differ, written as a ready case."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from attrs import frozen

from memassay.adapter.messages import Errored, Result
from memassay.judge.places import TREE, TREE_SLUG
from memassay.judge.values import same

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.fuzz.drawn import Drawn
    from memassay.spec.models import Op

_MAX_LITERAL_UNITS = 400
_SHORT_DIGEST = 8
_SIGNS = re.compile(f"({re.escape(TREE)}|{re.escape(TREE_SLUG)})")


@frozen
class Parted:
    """One question that two implementations answer differently."""

    drawn: Drawn
    wanted: Result | Errored
    got: Result | Errored


def case_of(op: Op, parted: Parted) -> dict[str, Any]:
    """Return a ready case that expects what the reference answers; its `why` has to be found."""
    question = {"op": op.name, "args": _plain(parted.drawn.args)}
    if parted.drawn.tree is not None:
        question["tree"] = parted.drawn.tree
    digest = hashlib.sha256(json.dumps(question).encode()).hexdigest()[:_SHORT_DIGEST]
    wanted = parted.wanted
    if isinstance(wanted, Errored):
        expect: dict[str, Any] = {"error": {"code": wanted.code}}
    else:
        expect = {name: _expected(value) for name, value in wanted.value.items()}
    why = "found by memassay fuzz; the reference says so, decide from the evidence who is right"
    return {"id": f"fuzz-{digest}", **question, "expect": expect, "why": why}


def _plain(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with texts of a single part written as such."""
    return {
        name: value["concat"][0]
        if isinstance(value, dict) and len(value.get("concat", ())) == 1
        else value
        for name, value in args.items()
    }


def _expected(value: Any) -> Any:
    """Return what a case expects of a value: itself, or length and digest of a long text."""
    if isinstance(value, list):
        return [_expected(item) for item in value]
    if isinstance(value, dict):
        return {name: _expected(item) for name, item in value.items()}
    return _expected_text(value) if isinstance(value, str) else value


def _expected_text(value: str) -> Any:
    if _SIGNS.search(value):
        return {"concat": [_place(part) for part in _SIGNS.split(value) if part]}
    units = value.encode("utf-16-le", "surrogatepass")
    try:
        digest = hashlib.sha256(value.encode()).hexdigest()
    except UnicodeEncodeError:  # half a surrogate pair
        return {
            "utf16": units.decode("utf-16-le", "surrogatepass")
            .encode("utf-16-be", "surrogatepass")
            .hex(" ", 2)
        }
    if len(units) // 2 <= _MAX_LITERAL_UNITS:
        return value
    return {"length_utf16": len(units) // 2, "sha256": digest}


def _place(part: str) -> Any:
    return {TREE: {"path": "."}, TREE_SLUG: {"slug_of": "."}}.get(part, part)


def told(parted: Parted) -> str:
    """Return in one sentence what was answered instead."""
    got, wanted = parted.got, parted.wanted
    if isinstance(got, Errored):
        return f"the error {got.code}: {got.message}"
    if isinstance(wanted, Errored):
        return f"an answer instead of the error {wanted.code}"
    names = [name for name in wanted.value if not same(wanted.value[name], got.value.get(name))]
    shown = "; ".join(f"{name} is {_short(got.value.get(name))}" for name in names)
    return f"expected another {' and '.join(names)}: {shown}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MAX_LITERAL_UNITS else f"{text[:_MAX_LITERAL_UNITS]}…"
