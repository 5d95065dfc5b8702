"""Put many random questions of one op to two implementations, and bring back where they differ.

The questions are drawn first and put together, so that an implementation may answer several at
once; only what parts the two is then asked again, one piece less each time.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from attrs import frozen
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

from memassay.adapter.messages import Errored, Result
from memassay.fuzz.asking import checked
from memassay.fuzz.outcome import Disagreement, FuzzError, Outcome
from memassay.fuzz.strategies import STRATEGIES, Drawn
from memassay.judge.task import CaseTask
from memassay.judge.values import same
from memassay.judge.workspace import Workspace
from memassay.spec.models import Case, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memassay.adapter.asker import Asker
    from memassay.adapter.messages import Answer
    from memassay.fuzz.outcome import Assignment
    from memassay.spec.models import Op

MAX_SHRINKS = 400
"""How many shorter questions are tried at most."""
_MAX_LITERAL_UNITS = 400
_SHORT_DIGEST = 8


@frozen
class Parted:
    """One question that two implementations answer differently."""

    drawn: Drawn
    wanted: Result | Errored
    got: Result | Errored


def fuzz(assignment: Assignment, port: Asker, reference: Asker) -> Outcome:
    """Compare two implementations over random questions; the second one is taken to be right.

    Raises `FuzzError` if one of them has no answer to a question, or changes its mind.
    """
    with Workspace.create() as workspace:
        pair = _Pair(assignment.op, workspace, reference)
        questions = draw_many(assignment)
        found, skipped = pair.part_many(questions, port)
        if not found:
            return Outcome(len(questions), skipped)
        first = min(found, key=lambda parted: _weight(parted.drawn))
        shortest, tried = pair.shrink(first, port)
    return Outcome(
        len(questions) + tried,
        skipped,
        Disagreement(case_of(assignment.op, shortest), _told(shortest)),
    )


def draw_many(assignment: Assignment) -> list[Drawn]:
    """Return different questions, the same for the same seed."""
    found: dict[str, Drawn] = {}

    @seed(assignment.seed)
    @settings(
        max_examples=assignment.examples,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        verbosity=Verbosity.quiet,
    )
    @given(STRATEGIES[assignment.op.name]())
    def collect(drawn: Drawn) -> None:
        found.setdefault(json.dumps([drawn.args, drawn.tree]), drawn)

    collect()
    return list(found.values())


@frozen
class _Pair:
    op: Op
    workspace: Workspace
    reference: Asker

    def part_many(self, questions: Sequence[Drawn], port: Asker) -> tuple[list[Parted], int]:
        """Return the questions on which the two differ, and how many the port declined."""
        found: list[Parted] = []
        skipped = 0
        tasks = {f"fuzz-{number}": drawn for number, drawn in enumerate(questions)}
        with port.driver() as driver:
            for task, answer in driver.run(self._tasks(tasks), lambda _: None):
                assert isinstance(task, CaseTask)  # noqa: S101 (they are those of `_tasks`)
                task.discard()
                got = checked(self.op, answer)
                if got is None:
                    skipped += 1
                    continue
                parted = self._compare(tasks[task.name], got)
                if parted is not None:
                    found.append(parted)
        return found, skipped

    def shrink(self, parted: Parted, port: Asker) -> tuple[Parted, int]:
        """Return a question from which no piece can be left out, and how many were tried."""
        tried = 0
        progress = True
        while progress:
            progress = False
            for shorter in shorter_ones(parted.drawn):
                if tried >= MAX_SHRINKS:
                    return parted, tried
                tried += 1
                found = self._part(shorter, port)
                if found is not None and type(found.got) is type(parted.got):
                    parted, progress = found, True
                    break
        found = self._part(parted.drawn, port)
        if found is None:
            raise FuzzError("one question was answered differently when it was put again")
        return found, tried + 1

    def _part(self, drawn: Drawn, port: Asker) -> Parted | None:
        got = checked(self.op, self._ask(drawn, port))
        return None if got is None else self._compare(drawn, got)

    def _compare(self, drawn: Drawn, got: Result | Errored) -> Parted | None:
        wanted = self._ask(drawn, self.reference)
        if not isinstance(wanted, (Result, Errored)):
            raise FuzzError(f"the reference has no answer: {wanted}")
        if isinstance(wanted, Errored) or isinstance(got, Errored):
            codes = (getattr(wanted, "code", None), getattr(got, "code", None))
            return None if codes[0] == codes[1] else Parted(drawn, wanted, got)
        return None if same(wanted.value, got.value) else Parted(drawn, wanted, got)

    def _ask(self, drawn: Drawn, asker: Asker) -> Answer:
        task = self._task("fuzz", drawn)
        try:
            return asker.ask(task)
        finally:
            task.discard()

    def _tasks(self, questions: Mapping[str, Drawn]) -> Iterator[CaseTask]:
        return (self._task(name, drawn) for name, drawn in questions.items())

    def _task(self, name: str, drawn: Drawn) -> CaseTask:
        case = Case(
            id=name,
            op=self.op.name,
            args=drawn.args,
            expect={},
            why="",
            chapter=self.op.chapter,
            rule="",
            level=Level.MUST,
            tree=drawn.tree,
        )
        return CaseTask(case, self.op, self.workspace)


def shorter_ones(drawn: Drawn) -> Iterator[Drawn]:
    """Yield questions with one piece less: a file, a part, half of a repetition, a character."""
    if drawn.tree is not None:
        for path, node in drawn.tree.items():
            rest = {key: value for key, value in drawn.tree.items() if key != path}
            if node != {"dir": True}:
                yield Drawn(drawn.args, rest)
            for less in _less(node):
                yield Drawn(drawn.args, {**drawn.tree, path: less})
        return
    for name, value in drawn.args.items():
        for less in _less(value):
            if less not in ("", {"concat": [""]}):
                yield Drawn({**drawn.args, name: less}, drawn.tree)


def _less(value: Any) -> Iterator[Any]:
    """Yield values like `value` that are smaller."""
    if isinstance(value, str):
        yield from _less_text(value)
    elif isinstance(value, dict):
        for key, smaller in _SMALLER.items():
            if key in value:
                yield from smaller(value)


def _less_text(text: str) -> Iterator[str]:
    for size in (len(text) // 2, 1):
        if 0 < size < len(text):
            for at in range(0, len(text), size):
                yield text[:at] + text[at + size :]


def _less_concat(value: dict[str, Any]) -> Iterator[Any]:
    parts = value["concat"]
    for at, part in enumerate(parts):
        if len(parts) > 1:
            yield {"concat": [*parts[:at], *parts[at + 1 :]]}
        for less in _less(part):
            yield {"concat": [*parts[:at], less, *parts[at + 1 :]]}


def _less_repeat(value: dict[str, Any]) -> Iterator[Any]:
    for times in dict.fromkeys((1, value["times"] // 2, value["times"] - 1)):
        if 0 < times < value["times"]:
            yield {**value, "times": times}


def _less_file(value: dict[str, Any]) -> Iterator[Any]:
    for less in _less(value["file"]):
        yield {**value, "file": less}


def _less_files(value: dict[str, Any]) -> Iterator[Any]:
    family = value["files"]
    for last in dict.fromkeys((family["from"], family["to"] // 2, family["to"] - 1)):
        if family["from"] <= last < family["to"]:
            yield {"files": {**family, "to": last}}


_SMALLER = {
    "concat": _less_concat,
    "repeat": _less_repeat,
    "file": _less_file,
    "files": _less_files,
}


def _weight(drawn: Drawn) -> int:
    return len(json.dumps([drawn.args, drawn.tree]))


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
    if not isinstance(value, str):
        return value
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


def _told(parted: Parted) -> str:
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
