"""Null baselines: what someone scores who does nothing, repeats the question, or keeps everything.

A null adapter's answers stand as templates in the op's schema (`x-nulls`); it never touches the
directory. Its score is the bar that a real implementation's score has to be read against.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memassay.judge.decide import (
    answer_mismatches,
    expected,
    request_mismatches,
    result_complaint,
    stand_in_context,
    tree_mismatches,
)
from memassay.judge.places import show
from memassay.spec.builders import build_mapping
from memassay.spec.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memassay.spec.models import Case, Op

NULLS = ("nothing", "echo", "everything")
"""The null adapters, in the order in which reports show them."""

_ARGUMENT = "$arg"
_EACH = {"$each", "is"}


def null_verdicts(case: Case, op: Op, tree: Mapping[str, Any] | None) -> dict[str, bool | None]:
    """Return for each null adapter whether its answer would pass.

    `tree` is the record of the directory as the case made it. Without one, an answer that would
    pass but for a `tree:` expectation gives None: nobody can tell.
    """
    args = to_wire(build_mapping(case.args, stand_in_context(case)))
    expect = expected(case)
    verdicts: dict[str, bool | None] = {}
    for name, template in op.nulls.items():
        result = fill_template(template, args)
        if (
            _any(answer_mismatches(expect, result, None))
            or _any(request_mismatches(expect, None))  # a null adapter asks no model
            or result_complaint(op, result)
        ):
            verdicts[name] = False
        elif expect.tree is None:
            verdicts[name] = True
        elif tree is None:
            verdicts[name] = None
        else:
            verdicts[name] = not _any(tree_mismatches(expect, show(tree)))
    return verdicts


def _any(found: Iterator[object]) -> bool:
    return next(found, None) is not None


def fill_template(template: Any, args: Mapping[str, Any]) -> Any:
    """Return a null answer with every `{"$arg": name}` replaced by that argument, or null.

    `{"$each": name, "is": value}` is a list of that value, once for each item of the argument.
    """
    if isinstance(template, dict):
        if template.keys() == _EACH:
            # a case may leave an argument out, or have null there: then there are no items
            items = args.get(template["$each"]) or ()
            return [fill_template(template["is"], args) for _ in items]
        if template.keys() == {_ARGUMENT}:
            return args.get(template[_ARGUMENT])
        return {key: fill_template(child, args) for key, child in template.items()}
    if isinstance(template, list):
        return [fill_template(child, args) for child in template]
    return template
