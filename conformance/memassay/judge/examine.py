"""A whole run: every case put to an adapter and judged, as a stream of entries.

The entries come in the spec's order, whatever order the answers come in: verdicts that are early
wait for those before them, and at most as many wait as requests can be open at once, or as pass
while one request hangs. So the same run gives the same stream.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from attrs import define, field

from memassay import __version__
from memassay.adapter.connect import digest
from memassay.adapter.driver import TIME_LIMIT_S, Driver
from memassay.adapter.steps import STEPS, in_steps
from memassay.judge.interrupts import uninterrupted
from memassay.judge.prerequisites import check_prerequisites
from memassay.judge.stream import Gathered, Seal, encode_line
from memassay.judge.task import CaseTask, recording_damage, unsupported
from memassay.judge.verdict import Footer, Header, Outcome, Verdict
from memassay.judge.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

    from memassay.adapter.connection import Connect
    from memassay.adapter.messages import Trouble
    from memassay.judge.stream import Entry, Run
    from memassay.spec.models import Case, Spec

_HANDOVER_S = 0.0005
INTERRUPTED = "interrupted"
"""The reason in the footer of a run that someone stopped."""


def examine(
    spec: Spec,
    cases: Iterable[Case],
    connect: Connect,
    *,
    profile: str,
    jobs: int = 1,
    time_limit_s: float = TIME_LIMIT_S,
    deviations: Mapping[str, str] | None = None,
    command: tuple[str, ...] = (),
    selection: Mapping[str, Iterable[str]] | None = None,
) -> Generator[Entry, None, None]:
    """Put `cases` (in the spec's order) to what `connect` connects to, and yield what comes of it.

    A header, a verdict for every case in the order given, the troubles that no verdict explains,
    and a footer. Cases of ops that the adapter does not list are `UNSUPPORTED` without being put.
    `deviations` (rule to reason), `command` and `selection` are only recorded.

    A `KeyboardInterrupt`, here or thrown in, ends the processes; what has been judged is still
    yielded, then a footer that says `interrupted`. See `follow`.

    Raises `MissingPrerequisiteError` or `StartError` before it yields anything, and `SpecError`
    for a case that cannot be made.
    """
    chosen = tuple(cases)
    if STEPS in spec.ops:
        connect = in_steps(connect)
    with (
        _quick_handover(),
        Workspace.create() as workspace,
        Driver(connect, profile=profile, jobs=jobs, time_limit_s=time_limit_s) as driver,
    ):
        owed = [case for case in chosen if case.op in driver.started.ops]
        check_prerequisites(owed, workspace.root)
        header = Header(
            client=spec.version,
            profile=profile,
            spec_digest=spec.digest,
            command=command,
            implementation=driver.started.implementation,
            ops=driver.started.ops,
            adapter_digest=digest(driver.started, command),
            selection={key: tuple(names) for key, names in (selection or {}).items()},
            cases=len(chosen),
            deviations=dict(deviations or {}),
            memassay=__version__,
        )
        yield from _Examination(spec, chosen, workspace, driver).entries(header)


@contextmanager
def _quick_handover() -> Iterator[None]:
    """Have Python's threads change places often, so that judging does not hold up the others.

    The adapter waits for them: for the next request, and for the answers of the played model.
    """
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_HANDOVER_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


@define
class _Examination:
    spec: Spec
    cases: tuple[Case, ...]
    workspace: Workspace
    driver: Driver
    _ready: dict[int, Verdict] = field(factory=dict, init=False)
    _next: int = field(default=0, init=False)
    _troubles: list[Trouble] = field(factory=list, init=False)

    def entries(self, header: Header) -> Iterator[Entry]:
        given: list[Entry] = []
        seal = Seal()
        reason = None
        try:
            for entry in self._run(header):
                with uninterrupted():
                    given.append(entry)
                    seal.add(entry, encode_line(entry))
                yield entry
        except KeyboardInterrupt:
            reason = INTERRUPTED
            self.driver.__exit__(None, None, None)
        for entry in (*self._early(), *self._unexplained(given)):
            seal.add(entry, encode_line(entry))
            yield entry
        yield seal.close(Footer(complete=reason is None, counts={}, digest="", reason=reason))

    def _tasks(self) -> Iterator[CaseTask]:
        """Yield the cases that are to be put; the driver draws them in threads of its own.

        So recordings are read beside the judging, and the verdict on a damaged one is left there.
        """
        ops = self.driver.started.ops
        for place, case in enumerate(self.cases):
            if case.op not in ops:
                continue
            damage = recording_damage(case)
            if damage is None:
                yield CaseTask(case, self.spec.ops[case.op], self.workspace)
            else:
                self._ready[place] = damage

    def _run(self, header: Header) -> Iterator[Entry]:
        """Yield the header and the verdicts that are due; those that are early stay in `_ready`."""
        yield header
        places = {case.id: index for index, case in enumerate(self.cases)}
        for case in self.cases:
            if case.op not in self.driver.started.ops:
                self._ready[places[case.id]] = unsupported(case)
        yield from self._due()
        for task, answer in self.driver.run(self._tasks(), self._troubles.append):
            if isinstance(task, CaseTask):
                self._ready[places[task.name]] = task.judge(answer)
                yield from self._due()
        yield from self._due()

    def _due(self) -> Iterator[Verdict]:
        while self._next in self._ready:
            self._next += 1
            yield self._ready.pop(self._next - 1)

    def _early(self) -> list[Verdict]:
        """Return the verdicts that wait for one that never came, in order."""
        return [self._ready[index] for index in sorted(self._ready)]

    def _unexplained(self, given: Iterable[Entry]) -> list[Trouble]:
        """Return the troubles whose requests all got a good answer when they were put again."""
        faulted = {
            entry.case
            for entry in (*given, *self._early())
            if isinstance(entry, Verdict) and entry.outcome is Outcome.FAULT
        }
        return [trouble for trouble in self._troubles if faulted.isdisjoint(trouble.cases)]


def follow(entries: Generator[Entry, None, None], *sinks: Callable[[Entry], None]) -> Run:
    """Give every entry to every sink (a `StreamWriter.write`, a progress bar), and return the run.

    No sink is interrupted by Ctrl-C. It is passed on to `entries` instead, which still yields what
    has been judged, and a footer that says `interrupted`; a second Ctrl-C is raised at once.
    """
    gathered = Gathered()
    interrupted = False
    resume = entries.__next__
    try:
        while True:
            try:
                entry = resume()
                resume = entries.__next__
                with uninterrupted():
                    gathered.add(entry)
                    for sink in sinks:
                        sink(entry)
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                resume = partial(entries.throw, KeyboardInterrupt())
    except StopIteration:
        return gathered.run()
    finally:
        entries.close()
