"""The verdict stream: JSON lines that hold everything a run found, and the only thing views read.

First a header, then one line a verdict in the spec's order, then the troubles with the adapter that
no verdict explains, then a footer with the sha256 of all lines before it. There is no time, no
chance and no path of a machine's temporary directory in it, so equal runs write equal streams. A
stream without a footer was cut off.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import attrs
from attrs import evolve, field, frozen

from memassay.adapter.messages import Trouble
from memassay.judge.packing import pack
from memassay.judge.verdict import Footer, Header, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TextIO

    from memassay.judge.verdict import Mismatch

    Entry = Header | Verdict | Trouble | Footer
    """What one line of a stream stands for."""

FORMAT = 1
"""The version of the stream's shape, in the header."""

_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode


@frozen
class Run:
    """A whole run, as its entries have it: verdicts by case id, in the order of the stream.

    `digest` is that of the lines before the footer. `footer_line` is the footer as it stood in a
    file; a run that was never written has none.
    """

    header: Header
    verdicts: Mapping[str, Verdict]
    troubles: tuple[Trouble, ...]
    footer: Footer | None
    digest: str
    footer_line: bytes | None = field(default=None, repr=False, eq=False)

    @property
    def truncated(self) -> bool:
        """Whether the stream was cut off: it has no footer."""
        return self.footer is None

    @property
    def complete(self) -> bool:
        """Whether the run came to its end."""
        return self.footer is not None and self.footer.complete

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Run:
        """Return the run that `entries`, a header first and a footer last, make up.

        Counts and digest of the footer are made anew. Raises `ValueError` if there is no header, or
        a case has two verdicts.
        """
        gathered = Gathered()
        for entry in entries:
            gathered.add(entry)
            if isinstance(entry, Footer):
                break
        return gathered.run()


class Seal:
    """What a footer says of the lines before it, taken in as they are written or read."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._counts = Counter[Outcome]()

    def add(self, entry: Entry, line: bytes) -> None:
        """Take one entry, and its line with its LF."""
        self._digest.update(line)
        if isinstance(entry, Verdict):
            self._counts[entry.outcome] += 1

    @property
    def digest(self) -> str:
        """The sha256 of the lines so far."""
        return f"sha256:{self._digest.hexdigest()}"

    @property
    def counts(self) -> dict[str, int]:
        """How many verdicts of each outcome there were, outcomes without any left out."""
        return {
            outcome.value: self._counts[outcome] for outcome in Outcome if self._counts[outcome]
        }

    def close(self, footer: Footer) -> Footer:
        """Return `footer` with the counts and the digest that it would have to have here."""
        return evolve(footer, counts=self.counts, digest=self.digest)


class Gathered:
    """A run in the making: its entries, taken in as they come."""

    def __init__(self) -> None:
        self._header: Header | None = None
        self._footer: Footer | None = None
        self._verdicts: dict[str, Verdict] = {}
        self._troubles: list[Trouble] = []
        self._seal = Seal()

    def add(self, entry: Entry) -> None:
        """Take one entry. Raises `ValueError` for a second verdict on a case."""
        if isinstance(entry, Footer):
            self._footer = self._seal.close(entry)
            return
        self._seal.add(entry, encode_line(entry))
        if isinstance(entry, Header):
            self._header = entry
        elif isinstance(entry, Trouble):
            self._troubles.append(entry)
        elif entry.case in self._verdicts:
            raise ValueError(f"case {entry.case} has two verdicts")
        else:
            self._verdicts[entry.case] = entry

    def run(self) -> Run:
        """Return the run so far. Raises `ValueError` if there is no header."""
        if self._header is None:
            raise ValueError("a run begins with a header")
        troubles = tuple(self._troubles)
        return Run(self._header, self._verdicts, troubles, self._footer, self._seal.digest)


def sealed(footer: Footer, entries: Iterable[Entry]) -> Footer:
    """Return `footer` with the counts and the digest of `entries`, all that come before it."""
    seal = Seal()
    for entry in entries:
        seal.add(entry, encode_line(entry))
    return seal.close(footer)


class StreamWriter:
    """Writes the entries of a run to a text file, a line each, flushed: what is written stays.

    What is written is ASCII; the file should be opened with LF as its `newline`.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._seal = Seal()

    def write(self, entry: Entry) -> None:
        """Write one entry. A footer gets the counts and the digest of what was written before."""
        line = encode_line(self._seal.close(entry) if isinstance(entry, Footer) else entry)
        self._seal.add(entry, line)
        self._file.write(line.decode("ascii"))
        self._file.flush()


def encode_line(entry: Entry) -> bytes:
    """Return the one line, with its LF, that stands for `entry`: keys in a fixed order."""
    if isinstance(entry, Verdict):
        value = _verdict(entry)
    elif isinstance(entry, Footer):
        value = {
            "kind": "footer",
            "complete": entry.complete,
            "counts": dict(entry.counts),
            "reason": entry.reason,
            "digest": entry.digest,
        }
    elif isinstance(entry, Trouble):
        value = _trouble(entry)
    else:
        value = {"kind": "header", "stream": FORMAT, **attrs.asdict(entry)}
    return _encode(value).encode("ascii") + b"\n"


def _verdict(verdict: Verdict) -> dict[str, Any]:
    value: dict[str, Any] = {
        "kind": "verdict",
        "case": verdict.case,
        "rule": verdict.rule,
        "chapter": verdict.chapter,
        "level": verdict.level,
        "outcome": verdict.outcome.value,
    }
    for name in ("result", "error", "tree", "requests"):
        part = getattr(verdict, name)
        if part is not None:
            value[name] = pack(part)
    if verdict.mismatches:
        value["mismatches"] = [_mismatch(mismatch) for mismatch in verdict.mismatches]
    for name in ("fault", "reason", "issue_url", "stderr"):
        part = getattr(verdict, name)
        if part is not None:
            value[name] = pack(part)
    if verdict.nulls:
        value["nulls"] = dict(verdict.nulls)
    return value


def _trouble(trouble: Trouble) -> dict[str, Any]:
    value = {
        "kind": "trouble",
        "fault": trouble.fault.kind.value,
        "reason": pack(trouble.fault.message),
    }
    if trouble.fault.stderr is not None:
        value["stderr"] = pack(trouble.fault.stderr)
    return {**value, "cases": list(trouble.cases)}


def _mismatch(mismatch: Mismatch) -> dict[str, Any]:
    value = {
        "at": mismatch.at,
        "problem": pack(mismatch.problem),
        "expected": pack(mismatch.expected),
        "got": pack(mismatch.got),
    }
    if mismatch.position is not None:
        value["position"] = attrs.asdict(mismatch.position)
    return value
