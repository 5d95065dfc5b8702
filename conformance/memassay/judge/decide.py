"""From what was recorded of a case to its outcome: the one place where a verdict is made.

A live run and `verify` call the same function with the same values: answers with `<TREE>` in place
of the machine's paths. The judge puts one stand-in path there and builds the expectation for it, so
a verdict depends on the case and the record alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from memassay.adapter.messages import FaultKind
from memassay.judge.afterwards import compare_tree
from memassay.judge.compare import MOST_MISMATCHES, compare
from memassay.judge.expectation import Expectation, build_expectation
from memassay.judge.places import STAND_IN, hide, show
from memassay.judge.texts import quote
from memassay.judge.values import BYTES_KEY, as_bytes
from memassay.judge.verdict import Mismatch, Outcome
from memassay.spec.builders import Context, clock_ms
from memassay.spec.models import Kind
from memassay.spec.schemas import validator_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jsonschema.protocols import Validator

    from memassay.spec.models import Case, Op


@frozen
class Record:
    """What is known of a case after its answer, free of the machine's paths.

    Exactly one of `result` and `error` is there. `tree` is what `afterwards.observe` made, or None
    if the case expects nothing of the directory. `requests` are those that the played model got, as
    `memassay.replay` writes them, or None if the case plays no model.
    """

    result: Any = None
    error: Mapping[str, Any] | None = None
    tree: Mapping[str, Any] | None = None
    requests: Sequence[Mapping[str, Any]] | None = None


@frozen
class Decision:
    """The outcome of a record, and what speaks against a pass."""

    outcome: Outcome
    mismatches: tuple[Mismatch, ...] = ()
    fault: FaultKind | None = None
    reason: str | None = None


def has_directory(case: Case, op: Op) -> bool:
    """Return whether a case gets a directory of its own."""
    return op.kind is Kind.TREE or case.tree is not None


def stand_in_context(case: Case) -> Context:
    """Return what a case's builders lean on wherever its answer is judged."""
    return Context(STAND_IN, clock_ms(case.clock))


def expected(case: Case) -> Expectation:
    """Return a case's expectation, built for the stand-in."""
    return build_expectation(case.expect, stand_in_context(case))


def decide(case: Case, op: Op, record: Record) -> Decision:
    """Return what becomes of a case whose answer was `record`.

    A result that the op's schema refuses is a fault of the adapter, never a wrong answer.
    """
    concealed = has_directory(case, op)
    parts = (record.result, record.error, record.tree, record.requests)
    shown: tuple[Any, ...] = tuple(map(show, parts)) if concealed else parts
    result, error, tree, requests = shown
    if error is None:
        complaint = result_complaint(op, result)
        if complaint is not None:
            return Decision(Outcome.FAULT, fault=FaultKind.BAD_MESSAGE, reason=complaint)
    expect = expected(case)
    found = [
        *answer_mismatches(expect, result, error),
        *request_mismatches(expect, requests),
        *tree_mismatches(expect, tree),
    ]
    mismatches = tuple(found[:MOST_MISMATCHES])
    if concealed:
        mismatches = tuple(_hidden(mismatch) for mismatch in mismatches)
    return Decision(Outcome.FAIL if mismatches else Outcome.PASS, mismatches)


def answer_mismatches(
    expect: Expectation, result: Any, error: Mapping[str, Any] | None
) -> Iterator[Mismatch]:
    """Yield how an answer departs from an expectation; the directory is another matter."""
    if error is not None and expect.error is not None:
        yield from compare(expect.error, dict(error), "error")
    elif error is not None:
        problem = (
            f"is the error {quote(error['code'])} ({quote(error['message'], 160)}), "
            "expected a result"
        )
        yield Mismatch("error", problem, None, dict(error))
    elif expect.error is not None:
        yield Mismatch("error", "is missing: there is a result", dict(expect.error), None)
    else:
        yield from compare(dict(expect.result), result)


def tree_mismatches(expect: Expectation, tree: Mapping[str, Any] | None) -> Iterator[Mismatch]:
    """Yield how a recorded directory departs from an expectation."""
    if expect.tree is not None:
        yield from compare_tree(expect.tree, {} if tree is None else tree)


def request_mismatches(
    expect: Expectation, requests: Sequence[Mapping[str, Any]] | None
) -> Iterator[Mismatch]:
    """Yield how the requests to a played model depart from an expectation."""
    if expect.requests is None:
        return
    got = list(requests or ())
    found = compare(expect.requests, got, "requests")
    if found and not got:
        problem = "none came: nothing was asked of the model at `base_url`"
        yield Mismatch("requests", problem, found[0].expected, got)
    elif found:
        yield from found
        yield from _unanswered(got)


def _unanswered(requests: Sequence[Mapping[str, Any]]) -> Iterator[Mismatch]:
    """Yield what is known of requests that nothing recorded answers."""
    for index, request in enumerate(requests):
        if request.get("unanswered") is not None:
            problem = f"was not answered: {request['unanswered']}"
            yield Mismatch(f"requests[{index}]", problem, request.get("nearest"), dict(request))


def result_complaint(op: Op, result: Any) -> str | None:
    """Return what the op's schema says against a result, in one sentence, or None."""
    validator = _validator(op)
    if validator.is_valid(result):
        bad = _no_base64(result, "result")
        return f"a bad result of {op.name}: {bad} is no base64" if bad else None
    from jsonschema.exceptions import best_match  # noqa: PLC0415 (only faults need it)

    error = best_match(validator.iter_errors(result))
    place = "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path
    )
    return f"a bad result of {op.name}: result{place}: {_short(error.message)}"


_validators: dict[int, tuple[Op, Validator]] = {}


def _validator(op: Op) -> Validator:
    known = _validators.get(id(op))
    if known is None:
        # The op is kept beside its validator, so that its id cannot be given to another.
        known = _validators[id(op)] = (op, validator_of(op.result_schema))
    return known[1]


def _hidden(mismatch: Mismatch) -> Mismatch:
    return evolve(
        mismatch,
        at=hide(mismatch.at, STAND_IN),
        problem=hide(mismatch.problem, STAND_IN),
        expected=hide(mismatch.expected, STAND_IN),
        got=hide(mismatch.got, STAND_IN),
    )


def _no_base64(value: Any, at: str) -> str | None:
    if isinstance(value, dict):
        if value.keys() == {BYTES_KEY}:
            return at if as_bytes(value) is None else None
        parts = ((child, f"{at}.{key}") for key, child in value.items())
    elif isinstance(value, list):
        parts = ((child, f"{at}[{index}]") for index, child in enumerate(value))
    else:
        return None
    return next((bad for child, here in parts if (bad := _no_base64(child, here))), None)


def _short(message: str, limit: int = 200) -> str:
    return message if len(message) <= limit else f"{message[:limit]}…"
