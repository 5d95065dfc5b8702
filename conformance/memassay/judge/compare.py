"""Comparing an answer with an expectation: equal parts say nothing, every other part says how.

Both sides are built values: JSON, in which bytes are `bytes` or `{"$bytes": base64}`. A plain
mapping is met by the keys it lists, a list by length and order, a mapping made only of matcher
names by all of its matchers, and `Exactly` by nothing but the same value.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from memassay.judge.matchers import MATCHERS, is_matcher
from memassay.judge.texts import difference, first_difference
from memassay.judge.values import (
    MISSING,
    Exactly,
    as_bytes,
    as_json,
    describe,
    kind,
    same,
)
from memassay.judge.verdict import Mismatch

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_MISMATCHES = 20
"""How many differences of one case are told; the first ones are the telling ones."""

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def compare(expect: Any, got: Any, at: str = "") -> tuple[Mismatch, ...]:
    """Return how `got` departs from `expect`: nothing if it meets it.

    `at` is where `got` stands; it begins the `at` of every mismatch. The expectation must be one
    that `check_expectation` has no complaint about.
    """
    return tuple(islice(_differences(expect, got, at, exact=False), MOST_MISMATCHES))


def _first_problem(expect: Any, got: Any) -> str | None:
    for mismatch in _differences(expect, got, "", exact=False):
        return f"{mismatch.at} {mismatch.problem}".lstrip()
    return None


def _differences(expect: Any, got: Any, at: str, *, exact: bool) -> Iterator[Mismatch]:
    if isinstance(expect, Exactly):
        yield from _differences(expect.value, got, at, exact=True)
        return
    data = as_bytes(expect)
    if data is not None:
        yield from _bytes_differences(data, got, at)
    elif not exact and is_matcher(expect):
        yield from _matcher_problems(expect, got, at)
    elif isinstance(expect, dict):
        yield from _mapping_differences(expect, got, at, exact=exact)
    elif isinstance(expect, (list, tuple)):
        yield from _list_differences(expect, got, at, exact=exact)
    elif isinstance(expect, str):
        yield from _text_differences(expect, got, at)
    elif got is MISSING or not same(expect, got):
        yield _mismatch(at, f"is {describe(got)}, expected {describe(expect)}", expect, got)


def _matcher_problems(expect: dict[str, Any], got: Any, at: str) -> Iterator[Mismatch]:
    for name, argument in expect.items():
        problem = MATCHERS[name].problem(argument, got, _first_problem)
        if problem is not None:
            yield _mismatch(at, problem, {name: argument}, got)


def _mapping_differences(
    expect: dict[str, Any], got: Any, at: str, *, exact: bool
) -> Iterator[Mismatch]:
    if not isinstance(got, dict) or as_bytes(got) is not None:
        yield _mismatch(at, f"is {describe(got)}, expected {describe(expect)}", expect, got)
        return
    for key, child in expect.items():
        yield from _differences(child, got.get(key, MISSING), _under(at, key), exact=exact)
    if exact:
        for key in sorted(got.keys() - expect.keys()):
            yield _mismatch(_under(at, key), "is there, expected no such key", None, got[key])


def _list_differences(
    expect: list[Any] | tuple[Any, ...], got: Any, at: str, *, exact: bool
) -> Iterator[Mismatch]:
    if not isinstance(got, list):
        yield _mismatch(at, f"is {describe(got)}, expected {describe(expect)}", expect, got)
        return
    items = enumerate(zip(expect, got, strict=False))
    if len(got) == len(expect):
        for index, (child, item) in items:
            yield from _differences(child, item, f"{at}[{index}]", exact=exact)
        return
    # After a missing or an added item every later pair differs, which would tell nothing: the
    # first one is where to look.
    parts = (
        index
        for index, (child, item) in items
        if next(_differences(child, item, "", exact=exact), None) is not None
    )
    first = next(parts, min(len(expect), len(got)))
    yield _mismatch(
        at,
        f"has {_items(len(got))}, expected {len(expect):,}; the first that differs is [{first}]",
        expect,
        got,
    )


def _text_differences(expect: str, got: Any, at: str) -> Iterator[Mismatch]:
    if not isinstance(got, str):
        yield _mismatch(
            at, f"is {describe(got)}, expected the text {describe(expect)}", expect, got
        )
    elif got != expect:
        problem, place = difference(expect, got)
        yield Mismatch(at, problem, expect, got, place)


def _bytes_differences(expect: bytes, got: Any, at: str) -> Iterator[Mismatch]:
    data = as_bytes(got)
    if data is None:
        yield _mismatch(at, f"is {kind(got)}, expected {describe(expect)}", expect, got)
    elif data != expect:
        index = first_difference(expect, data)
        problem = (
            f"differs from byte {index:,} on: expected {_hex(expect, index)} of "
            f"{describe(expect)}, got {_hex(data, index)} of {describe(data)}"
        )
        yield _mismatch(at, problem, expect, got)


def _hex(data: bytes, index: int) -> str:
    return data[index : index + 8].hex(" ").upper() or "the end"


def _items(number: int) -> str:
    return f"{number:,} item" if number == 1 else f"{number:,} items"


def _mismatch(at: str, problem: str, expect: Any, got: Any) -> Mismatch:
    return Mismatch(at, problem, as_json(expect), as_json(got))


def _under(at: str, key: str) -> str:
    if not _PLAIN_KEY.fullmatch(key):
        return f'{at}["{key}"]'
    return f"{at}.{key}" if at else key
