"""What a case expects: of the answer, of an error, and of the directory afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from memassay.judge.matchers import MATCHERS, is_matcher
from memassay.judge.places import STAND_IN
from memassay.judge.values import Exactly, as_bytes, describe
from memassay.spec.builders import Context, build, clock_ms, is_builder
from memassay.spec.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from memassay.spec.models import Case, Op

UNTOUCHED = "untouched"
ABSENT = "absent"
REST = "*"
"""In `tree:`, everything that is not listed."""

_HOLDS_EXPECTATIONS = frozenset({"any_of", "any_order", "contains", "in_order", "lacks"})
"""The matchers whose arguments are expectations themselves."""


@frozen
class Expectation:
    """A built `expect`, taken apart.

    `result` is what the answer must meet, empty if anything will do; `error` what an error answer
    must meet, or None if there must be none; `tree` what the directory must be afterwards, by
    relative path, or None if nobody looks; `requests` what the model that the runner plays must
    have been asked, or None if anything will do.
    """

    result: Mapping[str, Any]
    error: Mapping[str, Any] | None = None
    tree: Mapping[str, Any] | None = None
    requests: Any = None


@frozen
class Flaw:
    """One thing that is wrong with an expectation as written: where in it, and what."""

    at: str
    problem: str

    def __str__(self) -> str:
        """Render as `at: problem`."""
        return f"{self.at}: {self.problem}" if self.at else self.problem


def build_expectation(expect: Mapping[str, Any], context: Context) -> Expectation:
    """Return a case's `expect` with its builders built and its literals kept from matching.

    Raises `BuilderError` for a builder whose parts do not fit.
    """
    built = {key: _build(child, context) for key, child in expect.items()}
    error, tree = built.pop("error", None), built.pop("tree", None)
    requests = built.pop("requests", None)
    return Expectation(built, error, tree, requests)


def check_expectation(
    expect: Mapping[str, Any], context: Context | None = None
) -> tuple[Flaw, ...]:
    """Return everything that is wrong with `expect` as a case writes it, builders unexpanded.

    Lint calls this: mixed mappings, unknown words, malformed arguments of matchers and builders,
    and expectations that hold for every answer.
    """
    if context is None:
        context = Context(STAND_IN, clock_ms(None))
    flaws: list[Flaw] = []
    built: dict[str, Any] = {}
    for key, child in expect.items():
        try:
            built[key] = _build(child, context)
        except (SpecError, TypeError, KeyError, AttributeError, ValueError) as error:
            message = error.message if isinstance(error, SpecError) else repr(error)
            flaws.append(Flaw(key, f"cannot be built: {message}"))
    error, tree = built.pop("error", None), built.pop("tree", None)
    requests = built.pop("requests", None)
    if not expect:
        flaws.append(Flaw("", "expects nothing"))
    if error is not None:
        flaws.extend(_error_flaws(error))
        flaws.extend(
            Flaw(key, "cannot be expected together with an error: there is no result")
            for key in built
        )
    flaws.extend(_flaws(built, ""))
    flaws.extend(_flaws(requests, "requests"))
    if tree is not None:
        flaws.extend(_tree_flaws(tree))
    return tuple(flaws)


def case_check(ops: Mapping[str, Op]) -> Callable[[Case], Iterable[str]]:
    """Return a check of a case's expectation, in sentences, for `memassay.spec.lint.lint`."""

    def check(case: Case) -> Iterator[str]:
        for flaw in check_expectation(case.expect, Context(STAND_IN, clock_ms(case.clock))):
            yield f"expect: {flaw}"
        answers = ops[case.op].result_schema.get("properties")
        known = None if answers is None else {*answers, *MATCHERS, "error", "tree"}
        if known is not None and case.model is not None:
            known.add("requests")
        for key in case.expect:
            if known is not None and key not in known:
                yield f"expect: {key}: no result of {case.op} has that key"

    return check


def _build(value: Any, context: Context) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"literal"}:
            return Exactly(value["literal"])
        if is_builder(value):
            return build(value, context)
        return {key: _build(child, context) for key, child in value.items()}
    if isinstance(value, list):
        return [_build(child, context) for child in value]
    return value


def _flaws(expect: Any, at: str) -> Iterator[Flaw]:
    if isinstance(expect, list):
        for index, child in enumerate(expect):
            yield from _flaws(child, f"{at}[{index}]")
    elif isinstance(expect, dict) and as_bytes(expect) is None:
        if is_matcher(expect):
            yield from _matcher_flaws(expect, at)
            return
        mixed = sorted(expect.keys() & MATCHERS.keys())
        if mixed:
            others = ", ".join(sorted(expect.keys() - MATCHERS.keys()))
            yield Flaw(
                at,
                f"mixes the matcher {mixed[0]} with {others}; a matcher has only matchers beside "
                "it, and {literal: …} stands for a value that is none",
            )
        for key, child in expect.items():
            yield from _flaws(child, f"{at}.{key}" if at else key)


def _matcher_flaws(expect: Mapping[str, Any], at: str) -> Iterator[Flaw]:
    for name, argument in expect.items():
        here = f"{at}.{name}" if at else name
        flaw = MATCHERS[name].flaw(argument)
        if flaw is not None:
            yield Flaw(here, flaw)
        elif name in _HOLDS_EXPECTATIONS:
            yield from _flaws(argument, here)


def _error_flaws(error: Any) -> Iterator[Flaw]:
    if not isinstance(error, dict) or "code" not in error:
        yield Flaw("error", "is written `error: {code: …}`")
        return
    for key in error.keys() - {"code", "message"}:
        yield Flaw(f"error.{key}", "is unknown; an error has a code and a message")
    yield from _flaws(error, "error")


def _tree_flaws(tree: Any) -> Iterator[Flaw]:
    if not isinstance(tree, dict) or not tree:
        yield Flaw("tree", "maps paths to what is there afterwards")
        return
    for path, expect in tree.items():
        at = f"tree:{path}"
        if path == REST:
            if expect != UNTOUCHED:
                yield Flaw(at, "can only be `untouched`")
        elif path != "." and {"", ".", ".."} & set(path.split("/")):
            yield Flaw(at, "is no path in the tree: relative, `/` between, no `.` or `..` in it")
        elif isinstance(expect, dict) and "dir" in expect:
            if expect != {"dir": True}:
                yield Flaw(at, "a directory is written {dir: true}")
        elif isinstance(expect, dict) and "symlink" in expect:
            if expect.keys() != {"symlink"}:
                yield Flaw(at, "a symbolic link is written {symlink: TARGET}")
            yield from _flaws(expect["symlink"], f"{at}.symlink")
        elif not _describes_content(expect):
            yield Flaw(
                at,
                f"is {describe(expect)}; a file is a text, bytes or a matcher, else "
                "`untouched`, `absent`, {dir: true} or {symlink: TARGET}",
            )
        else:
            yield from _flaws(expect, at)


def _describes_content(expect: Any) -> bool:
    if isinstance(expect, Exactly):
        return _describes_content(expect.value)
    return isinstance(expect, str) or as_bytes(expect) is not None or is_matcher(expect)
