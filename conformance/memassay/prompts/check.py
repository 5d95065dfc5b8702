"""Whether a port's prompt is the baseline's, but for what PRM-1 and PRM-2 permit.

The verdict is sound: "same" means that undoing declared, permitted replacements gives every line of
the baseline, in order, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from itertools import islice
from typing import TYPE_CHECKING

from attrs import frozen

from memassay.prompts.lines import Line, split, with_marks
from memassay.prompts.substitutions import NOTHING, Declared, Term
from memassay.prompts.unmapping import candidate_limit, candidates, find_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memassay.prompts.fingerprint import Fingerprint, PrintedLine

SELECTOR = "selector"

TOOL_SENTENCE = (
    "Call the select_memories tool exactly once with the JSON object you would otherwise return."
)
"""What may follow the selector's prompt if its answer is a tool call (PRM-1a, SEL-6; seed 000)."""

_SEPARATORS = ("\n\n", "\n", " ")
_MAX_ALIGNED = 100_000
"""Lines of one side times lines of the other up to which what differs is aligned line by line."""


@frozen
class Span:
    """Lines `first` to `last` of a file, 1-based."""

    first: int
    last: int

    def __str__(self) -> str:
        """Render as `line 3` or `lines 3-5`."""
        return (
            f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"
        )


@frozen
class Difference:
    """Lines that differ: one side is None where the other has nothing to stand against.

    `notes` say what is known beyond the numbers.
    """

    baseline: Span | None
    port: Span | None
    notes: tuple[str, ...] = ()


@frozen
class Comparison:
    """What a check found. `used` counts the places at which each replacement was undone."""

    baseline: Fingerprint
    declared: Declared
    port_lines: int
    differences: tuple[Difference, ...]
    used: Mapping[Term | str, int]
    tool_sentence: bool

    @property
    def same(self) -> bool:
        """Whether the port's prompt is the baseline's."""
        return not self.differences

    @property
    def unused(self) -> tuple[Term | str, ...]:
        """The declared replacements and dynamic values that were not needed."""
        everything = (*self.declared.terms, *self.declared.dynamic)
        return tuple(source for source in everything if source not in self.used)


@frozen
class _Read:
    """A line of the port: what was undone for each hash of the baseline that it can have."""

    line: Line
    undone: Mapping[str, tuple[Term | str, ...]]
    cut_short: int  # places on the line, if there were too many to try every choice; else 0


def check(baseline: Fingerprint, text: str, declared: Declared = NOTHING) -> Comparison:
    """Compare a port's prompt, as `read_prompt` gives it, with a baseline."""
    body = _without_tool_sentence(text) if baseline.prompt == SELECTOR else None
    if body is None:
        return _compare(baseline, text, declared, tool_sentence=False)
    found = _compare(baseline, body, declared, tool_sentence=True)
    if found.same:
        return found
    whole = _compare(baseline, text, declared, tool_sentence=False)
    return whole if whole.same else found


def _without_tool_sentence(text: str) -> str | None:
    if text.endswith(TOOL_SENTENCE):
        body = text.removesuffix(TOOL_SENTENCE)
        for separator in _SEPARATORS:
            if body.endswith(separator):
                return body.removesuffix(separator)
    return None


def _compare(
    baseline: Fingerprint, text: str, declared: Declared, *, tool_sentence: bool
) -> Comparison:
    wanted = [
        (number, line)
        for number, line in enumerate(baseline.lines, 1)
        if not any(one.first <= number <= one.last for one in declared.removed)
    ]
    if any(one.last == len(baseline.lines) for one in declared.removed):
        # The blank lines before a last section have nothing left to set apart.
        blank = baseline.hash("")
        while wanted and wanted[-1][1].hash == blank:
            wanted.pop()
        text = text.rstrip("\n")
    hashes = {line.hash for _, line in wanted}
    blocks = {name: value for name, value in declared.dynamic.items() if "\n" in value}
    lines = split(with_marks(text, blocks), blocks)
    reads = [_read(line, baseline, hashes, declared) for line in lines]
    differences: list[Difference] = []
    used: Counter[Term | str] = Counter()
    for kind, (b1, b2), (p1, p2) in _align(wanted, reads):
        if kind == "equal":
            for (_, line), read in zip(wanted[b1:b2], reads[p1:p2], strict=True):
                used.update(read.undone[line.hash])
                used.update(name for name in line.dynamic if name in blocks)
        else:
            differences.append(_difference(wanted[b1:b2], reads[p1:p2], declared))
    return Comparison(baseline, declared, len(lines), tuple(differences), used, tool_sentence)


def _read(line: Line, baseline: Fingerprint, hashes: set[str], declared: Declared) -> _Read:
    places = find_places(line, declared)
    limit = candidate_limit(line)
    undone: dict[str, tuple[Term | str, ...]] = {}
    tried = 0
    for candidate in islice(candidates(line, places), limit):
        tried += 1
        found = baseline.hash(candidate.text)
        if found in hashes:
            undone.setdefault(found, candidate.undone)
    return _Read(line, undone, len(places) if tried == limit else 0)


def _align(
    wanted: Sequence[tuple[int, PrintedLine]], reads: Sequence[_Read]
) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Yield runs of lines that are equal, and what differs between them, as half-open ranges."""
    shorter = min(len(wanted), len(reads))
    head = 0
    while head < shorter and wanted[head][1].hash in reads[head].undone:
        head += 1
    tail = 0
    while tail < shorter - head and wanted[-1 - tail][1].hash in reads[-1 - tail].undone:
        tail += 1
    b2, p2 = len(wanted) - tail, len(reads) - tail
    if head:
        yield "equal", (0, head), (0, head)
    if (b2 - head) * (p2 - head) > _MAX_ALIGNED:
        yield "replace", (head, b2), (head, p2)
    else:
        ours = [line.hash for _, line in wanted[head:b2]]
        theirs = [next(iter(read.undone), f"line {read.line.number}") for read in reads[head:p2]]
        matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
        for kind, i1, i2, j1, j2 in matcher.get_opcodes():
            yield kind, (head + i1, head + i2), (head + j1, head + j2)
    if tail:
        yield "equal", (b2, len(wanted)), (p2, len(reads))


def _difference(
    ours: Sequence[tuple[int, PrintedLine]], theirs: Sequence[_Read], declared: Declared
) -> Difference:
    notes: list[str] = []
    if len(ours) == len(theirs):
        for (number, line), read in zip(ours, theirs, strict=True):
            if line.level != read.line.level:
                there, here = _named(line.level), _named(read.line.level)
                notes.append(f"baseline line {number} is {there}, here stands {here}")
    missing = {name: None for _, line in ours for name in line.dynamic}
    for name in missing:
        if name not in declared.dynamic:
            notes.append(f"{name} is filled in there, and nothing says what stands for it")
        else:
            notes.append(f"{name} is filled in there")
    for read in theirs:
        if TOOL_SENTENCE in read.line.text:
            notes.append("the tool sentence may stand once, at the end of the selector's prompt")
        if read.cut_short and not read.undone:
            notes.append(
                f"port line {read.line.number} has {read.cut_short} places for replacements, "
                "too many to try every choice"
            )
    return Difference(
        Span(ours[0][0], ours[-1][0]) if ours else None,
        Span(theirs[0].line.number, theirs[-1].line.number) if theirs else None,
        tuple(notes),
    )


def _named(level: int) -> str:
    return f"a heading of level {level}" if level else "no heading"
