"""Reading a verdict stream back, with file and line for everything that is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from attrs import frozen

from memassay.adapter.messages import Fault, FaultKind, Implementation, Trouble
from memassay.judge.packing import unpack
from memassay.judge.stream import FORMAT, Run, Seal
from memassay.judge.verdict import Footer, Header, Mismatch, Outcome, Position, Verdict
from memassay.spec.schemas import validator
from memassay.spec.wire import MOST_DEEP, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memassay.judge.stream import Entry

_MOST_DEEP = 2 * MOST_DEEP + 50  # an answer may stand in a line with a sign around each part
_KINDS = ("header", "verdict", "trouble", "footer")


@frozen
class StreamError(Exception):
    """A file is no verdict stream, or a damaged one; `line` is 1-based."""

    message: str
    name: str
    line: int | None = None
    hint: str | None = None

    def __str__(self) -> str:
        """Render in one or two lines: file and line, what is wrong, and what to do."""
        place = self.name if self.line is None else f"{self.name}:{self.line}"
        text = f"{place}: {self.message}"
        return f"{text}\n  {self.hint}" if self.hint else text


def read_stream(source: Path | str | IO[bytes] | IO[str]) -> Run:
    """Return the run that a file, or an open file, holds.

    A last line without LF was cut off and does not count, and a stream without footer is a run
    that is `truncated`. Raises `StreamError` for everything else that `StreamWriter` cannot have
    written.
    """
    if isinstance(source, (str, Path)):
        try:
            with Path(source).open("rb") as file:
                return _read(file, str(source))
        except OSError as error:
            raise StreamError(f"cannot be read: {error.strerror}", str(source)) from None
    return _read(source, str(getattr(source, "name", "the stream")))


def _read(lines: Iterable[bytes] | Iterable[str], name: str) -> Run:
    seal = Seal()
    header: Header | None = None
    footer: tuple[Footer, bytes] | None = None
    verdicts: dict[str, Verdict] = {}
    troubles: list[Trouble] = []
    for number, raw in enumerate(lines, 1):
        line = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
        if footer is not None:
            raise StreamError("goes on after its footer", name, number, "one file holds one stream")
        if not line.endswith(b"\n"):
            break  # cut off in the middle of a line
        entry = _Line(name, number, line).entry(first=header is None)
        if isinstance(entry, Footer):
            footer = (entry, line)
            continue
        seal.add(entry, line)
        if isinstance(entry, Header):
            header = entry
        elif isinstance(entry, Trouble):
            troubles.append(entry)
        elif entry.case in verdicts:
            raise StreamError(f"case {entry.case} has a second verdict", name, number)
        else:
            verdicts[entry.case] = entry
    if header is None:
        raise StreamError("is no verdict stream: it has not one whole line", name)
    end, line = footer or (None, None)
    return Run(header, verdicts, tuple(troubles), end, seal.digest, line)


@frozen
class _Line:
    name: str
    number: int
    text: bytes

    def entry(self, *, first: bool) -> Entry:
        """Return what the line stands for; `first` is whether a header is due."""
        value = self._value(first=first)
        kind = value.get("kind")
        if first and value.get("stream", FORMAT) != FORMAT:
            raise self._error(
                f"is a stream of format {value['stream']}; this memassay reads format {FORMAT}",
                "use the memassay that wrote it",
            )
        if kind not in _KINDS or (kind == "header") != first:
            raise self._no_stream() if first else self._error(f"no {kind!r} belongs here")
        for problem in validator(f"stream/{kind}").iter_errors(value):
            place = problem.json_path.removeprefix("$").lstrip(".") or kind
            raise self._error(f"{place}: {problem.message[:200]}")
        try:
            return _BUILDERS[kind](value)
        except ValueError as error:
            raise self._error(str(error)) from None

    def _value(self, *, first: bool) -> dict[str, Any]:
        try:
            value = parse_json(self.text.decode("utf-8"), _MOST_DEEP)
        except ValueError as error:
            if first:
                raise self._no_stream() from None
            why = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise self._error(f"is not JSON ({why})", "the file is damaged") from None
        if not isinstance(value, dict):
            raise self._no_stream() if first else self._error("is no JSON object")
        return value

    def _error(self, message: str, hint: str | None = None) -> StreamError:
        return StreamError(message, self.name, self.number, hint)

    def _no_stream(self) -> StreamError:
        return self._error(
            "is no verdict stream: its first line is no header",
            "`memassay run --out FILE` writes one",
        )


def _header(value: Mapping[str, Any]) -> Header:
    return Header(
        client=value["client"],
        profile=value["profile"],
        spec_digest=value["spec_digest"],
        command=tuple(value["command"]),
        implementation=Implementation(
            **{**value["implementation"], "targets": tuple(value["implementation"]["targets"])}
        ),
        ops=tuple(value["ops"]),
        adapter_digest=value["adapter_digest"],
        selection={key: tuple(names) for key, names in value["selection"].items()},
        cases=value["cases"],
        deviations=value["deviations"],
        memassay=value["memassay"],
    )


def _verdict(value: Mapping[str, Any]) -> Verdict:
    parts = {
        name: unpack(value[name])
        for name in (
            "result",
            "error",
            "tree",
            "requests",
            "reason",
            "issue_url",
            "stderr",
            "nulls",
        )
        if name in value
    }
    return Verdict(
        case=value["case"],
        rule=value["rule"],
        chapter=value["chapter"],
        level=value["level"],
        outcome=Outcome(value["outcome"]),
        mismatches=tuple(map(_mismatch, value.get("mismatches", ()))),
        fault=FaultKind(value["fault"]) if "fault" in value else None,
        **parts,
    )


def _mismatch(value: Mapping[str, Any]) -> Mismatch:
    return Mismatch(
        at=value["at"],
        problem=unpack(value["problem"]),
        expected=unpack(value["expected"]),
        got=unpack(value["got"]),
        position=Position(**value["position"]) if "position" in value else None,
    )


def _trouble(value: Mapping[str, Any]) -> Trouble:
    stderr = unpack(value["stderr"]) if "stderr" in value else None
    fault = Fault(FaultKind(value["fault"]), unpack(value["reason"]), stderr)
    return Trouble(fault, tuple(value["cases"]))


def _footer(value: Mapping[str, Any]) -> Footer:
    return Footer(value["complete"], value["counts"], value["digest"], value["reason"])


_BUILDERS: Mapping[str, Callable[[Mapping[str, Any]], Entry]] = {
    "header": _header,
    "verdict": _verdict,
    "trouble": _trouble,
    "footer": _footer,
}
