"""The matchers of `spec/README.md`: what each demands, and whether it is well written.

A matcher is a name, a check of its argument (for lint) and a check of a value (for verdicts). Both
return what is wrong as the rest of a sentence, or None.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from memassay.judge.texts import length_units, line_count
from memassay.judge.values import MISSING, Exactly, as_bytes, brief, describe, kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


class Meets(Protocol):
    """The comparison that matchers with expectations inside call back."""

    def __call__(self, expect: Any, got: Any) -> str | None:
        """Return the first problem of `got` under `expect`, or None if it meets it."""
        ...


@frozen
class Matcher:
    """One matcher.

    `flaw(argument)` says why the argument is none (lint; expectations inside are checked by the
    caller); `problem(argument, got, meets)` says how a value fails it.
    """

    name: str
    flaw: Callable[[Any], str | None]
    problem: Callable[[Any, Any, Meets], str | None]


def is_matcher(expect: Any) -> bool:
    """Return whether `expect` is a mapping made only of matcher names."""
    return isinstance(expect, dict) and bool(expect) and expect.keys() <= MATCHERS.keys()


def _contains_flaw(argument: Any) -> str | None:
    if argument == "" or (isinstance(argument, list) and (not argument or "" in argument)):
        return "says nothing: an empty text is in every text, an empty list asks for no item"
    return None


def _contains(argument: Any, got: Any, meets: Meets) -> str | None:
    wanted = argument if isinstance(argument, list) else [argument]
    if isinstance(got, list):
        for item in wanted:
            if all(meets(item, candidate) is not None for candidate in got):
                return f"has no item that meets {brief(item)}; it is {brief(got)}"
        return None
    if not isinstance(got, str):
        return f"is {kind(got)}, expected text or a list that contains {describe(argument)}"
    for item in wanted:
        text = item.value if isinstance(item, Exactly) else item
        if not isinstance(text, str):
            return f"is text, which cannot contain {describe(item)}"
        if text not in got:
            return f"does not contain {describe(text)}; it is {describe(got)}"
    return None


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _matches_flaw(argument: Any) -> str | None:
    if not isinstance(argument, str):
        return f"takes a regular expression, not {describe(argument)}"
    try:
        _pattern(argument)
    except re.error as error:
        return f"has no valid regular expression: {error}"
    return None


def _matches(argument: Any, got: Any, _: Meets) -> str | None:
    if not isinstance(got, str):
        return f"is {kind(got)}, expected text that matches {describe(argument)}"
    if _pattern(argument).search(got) is None:
        return f"does not match {describe(argument)}; it is {describe(got)}"
    return None


def _range_flaw(argument: Any) -> str | None:
    ends = argument if isinstance(argument, dict) else {"min": argument}
    if not ends or not ends.keys() <= {"min", "max"}:
        return "takes a whole number, or {min, max}"
    for end in ends.values():
        if type(end) is not int or end < 0:
            return f"counts in whole numbers from 0 on, not {describe(end)}"
    if ends.get("min", 0) > ends.get("max", ends.get("min", 0)):
        return "has a min above its max"
    return None


def _out_of_range(argument: Any, count: int, unit: str) -> str | None:
    if not isinstance(argument, dict):
        return None if count == argument else f"has {count:,} {unit}, expected {argument:,}"
    least, most = argument.get("min"), argument.get("max")
    if least is not None and count < least:
        return f"has {count:,} {unit}, expected at least {least:,}"
    if most is not None and count > most:
        return f"has {count:,} {unit}, expected at most {most:,}"
    return None


def _measure(unit: str, measure: Callable[[str], int]) -> Callable[[Any, Any, Meets], str | None]:
    def problem(argument: Any, got: Any, _: Meets) -> str | None:
        if not isinstance(got, str):
            return f"is {kind(got)}, expected text"
        return _out_of_range(argument, measure(got), unit)

    return problem


def _count(argument: Any, got: Any, _: Meets) -> str | None:
    if not isinstance(got, list):
        return f"is {kind(got)}, expected a list"
    return _out_of_range(argument, len(got), "items")


def _sha256_flaw(argument: Any) -> str | None:
    if not isinstance(argument, str) or not _SHA256.fullmatch(argument):
        return f"takes 64 hexadecimal digits, not {describe(argument)}"
    return None


def _sha256(argument: Any, got: Any, _: Meets) -> str | None:
    data = as_bytes(got)
    if isinstance(got, str):
        try:
            data = got.encode()
        except UnicodeEncodeError:
            return "holds half of a surrogate pair, so it has no UTF-8 and no digest"
    if data is None:
        return f"is {kind(got)}, expected text or bytes"
    digest = hashlib.sha256(data).hexdigest()
    if digest != argument.lower():
        return f"has the sha256 {digest}, expected {argument.lower()}; it is {describe(got)}"
    return None


def _any_of_flaw(argument: Any) -> str | None:
    if not isinstance(argument, list) or not argument:
        return "takes a list of expectations"
    return None


def _any_of(argument: Any, got: Any, meets: Meets) -> str | None:
    problems = []
    for expect in argument:
        problem = meets(expect, got)
        if problem is None:
            return None
        problems.append(problem)
    shown = "; ".join(f"({number}) {problem}" for number, problem in enumerate(problems[:4], 1))
    more = f"; and {len(problems) - 4} more" if len(problems) > 4 else ""  # noqa: PLR2004 (as above)
    return f"meets none of {len(problems)} expectations: {shown}{more}"


def _items_flaw(argument: Any) -> str | None:
    if not isinstance(argument, list) or not argument:
        return "takes a list of expectations"
    return None


def _in_order(argument: list[Any], got: Any, meets: Meets) -> str | None:
    if not isinstance(got, list):
        return f"is {kind(got)}, expected a list"
    items = iter(got)
    # Taking the first item that will do never spoils a later one, so no second try is needed.
    for number, expect in enumerate(argument):
        if all(meets(expect, item) is not None for item in items):
            before = f" after what met the {number} before it" if number else ""
            return f"has no item that meets {brief(expect)}{before}; it is {brief(got)}"
    return None


def _any_order(argument: list[Any], got: Any, meets: Meets) -> str | None:
    if not isinstance(got, list):
        return f"is {kind(got)}, expected a list"
    fits = [
        [index for index, item in enumerate(got) if meets(expect, item) is None]
        for expect in argument
    ]
    taken: dict[int, int] = {}
    for number, expect in enumerate(argument):
        if not _take(number, fits, taken, set()):
            return f"has no item of its own that meets {brief(expect)}; it is {brief(got)}"
    surplus = [item for index, item in enumerate(got) if index not in taken]
    if surplus:
        return f"has {brief(surplus[0])}, which nothing expects; it is {brief(got)}"
    return None


def _take(number: int, fits: list[list[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Give expectation `number` an item of its own, moving others to their next one if need be."""
    for index in fits[number]:
        if index not in tried:
            tried.add(index)
            if index not in taken or _take(taken[index], fits, taken, tried):
                taken[index] = number
                return True
    return False


def _lacks(argument: Any, got: Any, meets: Meets) -> str | None:
    unwanted = argument if isinstance(argument, list) else [argument]
    if not isinstance(got, (list, str)):
        return f"is {kind(got)}, expected text or a list that lacks {brief(argument)}"
    for item in unwanted:
        if isinstance(got, list):
            found = any(meets(item, candidate) is None for candidate in got)
        else:
            found = _contains(item, got, meets) is None
        if found:
            return f"has {brief(item)}, which it must not; it is {brief(got)}"
    return None


def _absent_flaw(argument: Any) -> str | None:
    return None if argument is True else "is only ever written `absent: true`"


def _absent(_argument: Any, got: Any, _: Meets) -> str | None:
    if got is None or got is MISSING:
        return None
    return f"is {describe(got)}, expected it to be missing or null"


MATCHERS: Mapping[str, Matcher] = {
    matcher.name: matcher
    for matcher in (
        Matcher("contains", _contains_flaw, _contains),
        Matcher("matches", _matches_flaw, _matches),
        Matcher("length_utf16", _range_flaw, _measure("UTF-16 units", length_units)),
        Matcher("line_count", _range_flaw, _measure("lines", line_count)),
        Matcher("count", _range_flaw, _count),
        Matcher("sha256", _sha256_flaw, _sha256),
        Matcher("any_of", _any_of_flaw, _any_of),
        Matcher("in_order", _items_flaw, _in_order),
        Matcher("any_order", _items_flaw, _any_order),
        Matcher("lacks", _contains_flaw, _lacks),
        Matcher("absent", _absent_flaw, _absent),
    )
}
"""Every matcher by name."""
