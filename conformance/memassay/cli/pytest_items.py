"""The items of `pytest --memassay`: collected from the spec, put to one adapter kept alive."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from memassay.adapter.asker import Asker
from memassay.adapter.connect import connect_command
from memassay.adapter.errors import StartError
from memassay.adapter.steps import in_steps
from memassay.judge.deviations import read_deviations, reasons
from memassay.judge.prerequisites import MissingPrerequisiteError, check_prerequisites
from memassay.judge.task import CaseTask, unsupported
from memassay.judge.verdict import Outcome
from memassay.judge.workspace import Workspace
from memassay.report.failure import reason, reproduce, rows, sentence
from memassay.report.rows import plain
from memassay.spec.errors import SpecError
from memassay.spec.loader import load_spec
from memassay.spec.models import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memassay.judge.verdict import Verdict
    from memassay.spec.models import Case, Spec

NAME = "memassay-examination"
"""The name under which the part of the plugin that does something is registered."""

_CASE_ID = re.compile(r"\d+\.\d+\.\d+(::|$)")


def join(config: pytest.Config) -> None:
    """Register the examination that `config` asks for.

    Raises `pytest.UsageError` for options that cannot be meant.
    """
    _take_node_ids(config)
    try:
        examination = Examination.asked(config)
    except SpecError as error:
        raise pytest.UsageError(f"--memassay: {error}") from None
    config.pluginmanager.register(examination, NAME)


def _take_node_ids(config: pytest.Config) -> None:
    """Move arguments that name our cases out of pytest's way: there are no such files.

    They go into an option, since options are what pytest-xdist hands to its workers.
    """
    ours = [arg for arg in config.args if _CASE_ID.match(arg) and not Path(arg).exists()]
    if ours:
        config.args[:] = [arg for arg in config.args if arg not in ours]
        config.option.memassay_ids = ours


class Examination:
    """One run's share of pytest: what is collected, the adapter, and what became of deviations."""

    def __init__(
        self,
        spec: Spec,
        cases: Sequence[Case],
        command: Sequence[str],
        *,
        profile: str,
        deviations: Mapping[str, str],
        strict: bool,
        time_limit_s: float,
    ) -> None:
        self.spec = spec
        self.cases = cases
        self.command = tuple(command)
        self.profile = profile
        self.deviations = deviations
        self.strict = strict
        self.time_limit_s = time_limit_s
        self._open = ExitStack()
        self._workspace: Workspace
        self._asker: Asker
        self._outcomes: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._stale: list[str] = []

    @classmethod
    def asked(cls, config: pytest.Config) -> Self:
        """Return the examination that the options ask for. Raises `SpecError`, `UsageError`."""

        def option(name: str) -> Any:
            return config.getoption(f"memassay{name}")

        root = option("_spec_root")
        spec = load_spec(root=None if root is None else Path(root))
        try:
            command = shlex.split(option(""))
        except ValueError as error:
            raise pytest.UsageError(f"--memassay: the command cannot be split: {error}") from None
        if not command:
            raise pytest.UsageError("--memassay: the command is empty")
        if not option("_time_limit") > 0:
            raise pytest.UsageError("--memassay: the time limit is to be more than 0 seconds")
        file = option("_deviations")
        declared = () if file is None else read_deviations(Path(file), spec)
        profile = option("_profile")
        return cls(
            spec,
            _narrowed(
                spec,
                spec.select(profile=profile, chapters=option("_chapter")),
                getattr(config.option, "memassay_ids", ()),
            ),
            command,
            profile=profile,
            deviations=reasons(declared),
            strict=option("_strict"),
            time_limit_s=option("_time_limit"),
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add the cases to what was collected, before others select from it."""
        name = self.spec.version
        version = Version.from_parent(
            session, name=name, nodeid=name, examination=self, cases=self.cases
        )
        items.extend(_items(version))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember what became of the cases of declared rules."""
        parts = report.nodeid.split("::")
        if report.when == "call" and parts[0] == self.spec.version and len(parts) > 3:  # noqa: PLR2004 (version, chapter, rule, case)
            xfailed = hasattr(report, "wasxfail")
            self._outcomes[parts[2]][parts[3]] = "xfailed" if xfailed else report.outcome

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the adapter; a declaration that no longer holds fails a run that was fine."""
        self._open.close()
        if hasattr(session.config, "workerinput"):
            return  # the controller hears of every item, a worker only of its own
        self._stale = [rule for rule in self.deviations if self._is_stale(rule)]
        if self._stale and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name the declarations that no longer hold."""
        if self._stale:
            terminalreporter.section("memassay: stale deviations", red=True)
            for rule in self._stale:
                terminalreporter.line(
                    f"{rule} is declared as a deviation, but all of its cases pass: "
                    "delete the declaration"
                )

    def start(self) -> None:
        """Start the adapter.

        Raises `StartError`, or `MissingPrerequisiteError` if this machine cannot put the cases.
        """
        self._workspace = self._open.enter_context(Workspace.create())
        self._asker = self._open.enter_context(
            Asker(
                in_steps(connect_command(self.command)),
                profile=self.profile,
                time_limit_s=self.time_limit_s,
            )
        )
        ops = self._asker.started.ops
        check_prerequisites([case for case in self.cases if case.op in ops], self._workspace.root)

    def ask(self, case: Case) -> Verdict:
        """Return the verdict on one case."""
        if case.op not in self._asker.started.ops:
            return unsupported(case)
        task = CaseTask(case, self.spec.ops[case.op], self._workspace)
        return task.judge(self._asker.ask(task))

    def excuse(self, case: Case) -> str | None:
        """Return why a failure of `case` is no failure of the run, or None if it is one."""
        if case.rule in self.deviations:
            return f"declared deviation: {self.deviations[case.rule]}"
        if case.level is Level.MUST or (case.level is Level.SHOULD and self.strict):
            return None
        return f"{case.rule} is a {case.level}: {sentence(self.spec.rules[case.rule])}"

    def failure(self, verdict: Verdict) -> str:
        """Return everything there is to say about a case that did not pass."""
        rule = self.spec.rules[verdict.rule]
        case = self.spec.cases[verdict.case]
        again = reproduce(verdict.case, self.command, self.profile)
        return "\n".join(
            (
                f"{rule.id} {rule.level}: {sentence(rule)}",
                f"{case.id}: {reason(case)}",
                "",
                plain(rows(verdict, self.spec, again)),
            )
        )

    def _is_stale(self, rule: str) -> bool:
        """Return whether every case of a declared rule was put, and passed."""
        seen = self._outcomes.get(rule, {})
        owed = [case.id for case in self.spec.rules[rule].cases if case.binds(self.profile)]
        return bool(owed) and all(seen.get(case_id) == "passed" for case_id in owed)


def _narrowed(spec: Spec, cases: Sequence[Case], ids: Iterable[str]) -> Sequence[Case]:
    """Return the cases at or below the node ids that were asked for; all if none was."""
    wanted = [tuple(node_id.split("::")) for node_id in ids]
    if not wanted:
        return cases
    found = [
        case
        for case in cases
        for place in [(spec.version, case.chapter, case.rule, case.id)]
        if any(place[: len(parts)] == parts for parts in wanted)
    ]
    if not found:
        raise pytest.UsageError(f"--memassay: there is no case {', '.join(ids)}")
    return found


def _items(collector: pytest.Collector) -> Iterator[pytest.Item]:
    """Collect below `collector` as pytest does, so that what goes wrong is reported its way."""
    hook = collector.ihook
    hook.pytest_collectstart(collector=collector)
    report = hook.pytest_make_collect_report(collector=collector)
    # pytest itself takes this away, too: reports travel between processes, calls cannot.
    report.__dict__.pop("call", None)
    if report.passed:
        for node in report.result:
            if isinstance(node, pytest.Item):
                hook.pytest_itemcollected(item=node)
                yield node
            else:
                yield from _items(node)
    hook.pytest_collectreport(report=report)


class _Part(pytest.Collector):
    """A part of the spec with the cases that are wanted of it."""

    def __init__(self, *, examination: Examination, cases: Sequence[Case], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.examination = examination
        self.cases = cases

    def parts(self, kind: type[_Part], field: str) -> Iterator[_Part]:
        """Yield a part of `kind` for each value that `field` has among the cases."""
        groups: dict[str, list[Case]] = {}
        for case in self.cases:
            groups.setdefault(getattr(case, field), []).append(case)
        for name, cases in groups.items():
            yield kind.from_parent(self, name=name, examination=self.examination, cases=cases)


class Version(_Part):
    """A client version."""

    def collect(self) -> Iterator[pytest.Collector]:
        """Yield the chapters; if anything is to be run, see first that the adapter starts."""
        if not self.config.getoption("collectonly"):
            try:
                self.examination.start()
            except (StartError, MissingPrerequisiteError) as error:
                raise self.CollectError(str(error)) from None
        yield from self.parts(Chapter, "chapter")


class Chapter(_Part):
    """A chapter."""

    def collect(self) -> Iterator[pytest.Collector]:
        """Yield the rules."""
        yield from self.parts(Rule, "rule")


class Rule(_Part):
    """A rule."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the cases."""
        for case in self.cases:
            yield CaseItem.from_parent(self, name=case.id, examination=self.examination, case=case)


class NonconformingError(Exception):
    """A case did not pass; the text is all there is to say."""


class CaseItem(pytest.Item):
    """A case."""

    def __init__(self, *, examination: Examination, case: Case, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.examination = examination
        self.case = case
        self.add_marker("memassay")

    def runtest(self) -> None:
        """Put the case and judge the answer."""
        verdict = self.examination.ask(self.case)
        if verdict.outcome is Outcome.UNSUPPORTED:
            pytest.skip(f"the adapter does not list the op {self.case.op}")
        if verdict.outcome is Outcome.SKIPPED:
            issue = f" ({verdict.issue_url})" if verdict.issue_url else ""
            pytest.skip(f"the adapter skipped it: {verdict.reason}{issue}")
        if verdict.outcome is Outcome.FAIL:
            excuse = self.examination.excuse(self.case)
            if excuse is not None:
                pytest.xfail(excuse)
        if verdict.outcome is not Outcome.PASS:
            raise NonconformingError(self.examination.failure(verdict))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the failure as every view of memassay has it; our own faults as pytest does."""
        if isinstance(excinfo.value, (NonconformingError, SpecError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the case stands in the spec."""
        where = self.case.where
        line = None if where.line is None else where.line - 1
        return where.path or self.path, line, self.case.id
