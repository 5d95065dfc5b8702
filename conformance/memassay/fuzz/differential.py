"""Put many random questions of one op to two implementations, and bring back where they differ.

The questions are drawn first and put together, so that an implementation may answer several at
once; only what parts the two is then asked again, one piece less each time.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

from memassay.adapter.messages import Errored, Result
from memassay.fuzz.asking import checked
from memassay.fuzz.outcome import Disagreement, FuzzError, Outcome
from memassay.fuzz.shorter import shorter_ones
from memassay.fuzz.strategies import STRATEGIES
from memassay.fuzz.written import Parted, case_of, told
from memassay.judge.places import hide
from memassay.judge.task import CaseTask
from memassay.judge.values import same
from memassay.judge.workspace import Workspace
from memassay.spec.errors import SpecError
from memassay.spec.models import Case, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memassay.adapter.asker import Asker
    from memassay.adapter.messages import Answer
    from memassay.fuzz.drawn import Drawn
    from memassay.fuzz.outcome import Assignment
    from memassay.spec.models import Op

MAX_SHRINKS = 400
"""How many shorter questions are tried at most."""
_ONE = "fuzz"
"""The name of a question that is put alone; its directory has it."""


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
        Disagreement(case_of(assignment.op, shortest), told(shortest)),
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
                got = self._at_home(checked(self.op, answer), task.name)
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
            for shorter in shorter_ones(parted.drawn, self.op.args_schema.get("required", ())):
                if tried >= MAX_SHRINKS:
                    return parted, tried
                tried += 1
                found = self._part(shorter, port)
                if found is not None and _kinds(found) == _kinds(parted):
                    parted, progress = found, True
                    break
        found = self._part(parted.drawn, port)
        if found is None:
            raise FuzzError("one question was answered differently when it was put again")
        return found, tried + 1

    def _part(self, drawn: Drawn, port: Asker) -> Parted | None:
        try:
            got = self._at_home(checked(self.op, self._ask(drawn, port)), _ONE)
        except SpecError:  # without that piece the tree cannot be made
            return None
        return None if got is None else self._compare(drawn, got)

    def _compare(self, drawn: Drawn, got: Result | Errored) -> Parted | None:
        wanted = self._at_home(self._ask(drawn, self.reference), _ONE)
        if not isinstance(wanted, (Result, Errored)):
            raise FuzzError(f"the reference has no answer: {wanted}")
        if isinstance(wanted, Errored) or isinstance(got, Errored):
            codes = (getattr(wanted, "code", None), getattr(got, "code", None))
            return None if codes[0] == codes[1] else Parted(drawn, wanted, got)
        return None if same(wanted.value, got.value) else Parted(drawn, wanted, got)

    def _ask(self, drawn: Drawn, asker: Asker) -> Answer:
        task = self._task(_ONE, drawn)
        try:
            return asker.ask(task)
        finally:
            task.discard()

    def _at_home(self, answer: Answer | None, name: str) -> Any:
        """Return an answer with signs where the paths of this question's directory are."""
        if not isinstance(answer, Result):
            return answer
        return evolve(answer, value=hide(answer.value, self.workspace.path_of(name)))

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


def _kinds(parted: Parted) -> tuple[type, type]:
    return type(parted.wanted), type(parted.got)


def _weight(drawn: Drawn) -> int:
    return len(json.dumps([drawn.args, drawn.tree]))
