"""A comparison told: in words for people, as JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memassay.prompts.check import Comparison, Difference, Span
    from memassay.prompts.substitutions import Term


def in_words(found: Comparison) -> Iterator[str]:
    """Yield the lines of a report: the verdict, what differs, what was replaced."""
    whose = f"{found.baseline.prompt} of {found.baseline.of}"
    if found.same:
        but = " but for what is declared" if found.used or found.declared.removed else ""
        yield f"same: {whose}, {_count(len(found.baseline.lines), 'line')}, word for word{but}"
    else:
        places = _count(len(found.differences), "place")
        yield f"not the same: {whose}, differs in {places}"
    for difference in found.differences:
        yield f"  {_place(difference)}"
        yield from (f"    {note}" for note in difference.notes)
    for source, times in found.used.items():
        yield f"  replaced: {_source(found, source)}, {_count(times, 'time')}"
    for one in found.declared.removed:
        yield f"  removed: baseline lines {one.first}-{one.last}, for {one.feature}"
        yield "    only a person can see whether they serve nothing else"
    if found.tool_sentence:
        yield "  appended: the sentence about the select_memories tool"
    for source in found.unused:
        yield f"  not needed here: {_source(found, source)}"


def _place(difference: Difference) -> str:
    if difference.port is None:
        return f"baseline {difference.baseline}: missing"
    if difference.baseline is None:
        return f"port {difference.port}: added"
    return f"baseline {difference.baseline}, port {difference.port}: not the same"


def _source(found: Comparison, source: Term | str) -> str:
    if isinstance(source, str):
        return f"dynamic value {source} ← {found.declared.dynamic[source]!r}"
    kind = source.kind.value if source.of is None else f"{source.of.value} name"
    return f"{kind} {source.baseline} → {source.port}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def as_json(found: Comparison) -> dict[str, Any]:
    """Return the report as a JSON value (schema `reports/prompts`)."""
    return {
        "prompt": found.baseline.prompt,
        "of": found.baseline.of,
        "same": found.same,
        "lines": {"baseline": len(found.baseline.lines), "port": found.port_lines},
        "differences": [
            {
                "baseline": _span(one.baseline),
                "port": _span(one.port),
                "notes": list(one.notes),
            }
            for one in found.differences
        ],
        "replaced": [_replacement(found, source, times) for source, times in found.used.items()],
        "removed": [
            {"lines": [one.first, one.last], "feature": one.feature}
            for one in found.declared.removed
        ],
        "tool_sentence": found.tool_sentence,
        "not_needed": [_replacement(found, source, 0) for source in found.unused],
    }


def _span(span: Span | None) -> list[int] | None:
    return None if span is None else [span.first, span.last]


def _replacement(found: Comparison, source: Term | str, times: int) -> dict[str, Any]:
    if isinstance(source, str):
        value = found.declared.dynamic[source]
        return {"kind": "dynamic", "baseline": source, "port": value, "times": times}
    return {
        "kind": source.kind.value,
        "baseline": source.baseline,
        "port": source.port,
        "times": times,
    }
