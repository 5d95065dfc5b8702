"""One case on its way: its directory and arguments before, its verdict after."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from attrs import define, field

from memassay.adapter.messages import Errored, Fault, FaultKind, Result, Skipped, Unsupported
from memassay.judge.afterwards import observe, unmade
from memassay.judge.decide import Record, decide, expected, has_directory
from memassay.judge.nulls import null_verdicts
from memassay.judge.places import hide, hide_url
from memassay.judge.verdict import Outcome, Verdict
from memassay.spec.builders import Context, build_mapping, clock_ms
from memassay.spec.errors import SpecError
from memassay.spec.trees import Snapshot, make_tree, snapshot
from memassay.spec.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.adapter.messages import Answer
    from memassay.judge.workspace import Workspace
    from memassay.replay.server import ModelServer
    from memassay.spec.models import Case, Op

_LOOKS = 3
_PAUSE_S = 0.05


@define
class CaseTask:
    """A case that can be put to an adapter and judged: a `memassay.adapter.messages.Task`.

    Its directory, and the server that plays its model, live from `prepare` to `judge` (or until
    `discard`, or the workspace's end).
    """

    case: Case
    operation: Op
    workspace: Workspace
    _root: str | None = field(default=None, init=False)
    _before: Snapshot | None = field(default=None, init=False)
    _initial_tree: dict[str, Any] | None = field(default=None, init=False)
    _server: ModelServer | None = field(default=None, init=False)

    @property
    def op(self) -> str:
        """The op it asks for."""
        return self.case.op

    @property
    def name(self) -> str:
        """The case id."""
        return self.case.id

    def prepare(self) -> Mapping[str, Any]:
        """Make the case's directory anew and return the arguments for the wire.

        Raises `SpecError`, with the case's place, for a case that cannot be made: the fault is the
        spec's, or the machine's, and the message says what is in the way.
        """
        case = self.case
        context = Context(self.workspace.path_of(case.id), clock_ms(case.clock))
        try:
            if has_directory(case, self.operation):
                self._root = self.workspace.fresh(case.id)
                make_tree(case.tree or {}, context)
                self._remember(self._root)
            return {**to_wire(build_mapping(case.args, context)), **self._play(context)}
        except SpecError as error:
            raise SpecError(error.message, case.where, error.hint) from None
        except OSError as error:
            what = "the place of the case" if error.filename is None else error.filename
            raise SpecError(
                f"cannot be put: {what}: {error.strerror}", case.where, "is the disk full?"
            ) from None

    def judge(self, answer: Answer) -> Verdict:
        """Return the verdict on what came back; the directory is not needed any more."""
        try:
            if isinstance(answer, Skipped):
                return self._verdict(
                    Outcome.SKIPPED, reason=answer.reason, issue_url=answer.issue_url
                )
            if isinstance(answer, Fault):
                return self._fault(answer.kind, answer.message, answer.stderr)
            if isinstance(answer, Unsupported):
                return unsupported(self.case, answer.reason)
            return self._judge(answer)
        finally:
            self.discard()

    def discard(self) -> None:
        """Have the directory removed, if there is one."""
        self._stop_playing()
        if self._root is not None:
            self.workspace.discard(self.case.id)
        self._root = self._before = self._initial_tree = None

    def _play(self, context: Context) -> dict[str, str]:
        """Start the model of the case; return the arguments that lead to it."""
        if self.case.model is None:
            return {}
        from memassay.replay.playback import playback_of  # noqa: PLC0415 (few cases play a model)
        from memassay.replay.server import API_KEY, ModelServer  # noqa: PLC0415 (as above)

        self._stop_playing()
        self._server = ModelServer(playback_of(build_mapping(self.case.model, context)))
        return {"base_url": self._server.url, "api_key": API_KEY}

    def _stop_playing(self) -> None:
        if self._server is not None:
            self.workspace.sweep(self._server.close)
            self._server = None

    def _remember(self, root: str) -> None:
        if "tree" not in self.case.expect:
            return
        wanted = expected(self.case).tree or {}
        before = snapshot(root)
        forgotten = unmade(wanted, before)
        if forgotten is not None:
            raise SpecError(f"is to leave {forgotten} untouched, but its tree does not make it")
        self._before = before
        self._initial_tree = observe(wanted, before, before, root)

    def _judge(self, answer: Result | Errored) -> Verdict:
        try:
            tree = self._look()
        except OSError as error:
            message = f"the directory was still changing after the answer: {error.strerror}"
            return self._fault(FaultKind.BAD_MESSAGE, message)
        record = Record(
            result=self._hide(answer.value) if isinstance(answer, Result) else None,
            error=self._error(answer) if isinstance(answer, Errored) else None,
            tree=hide(tree, self._root),
            requests=None if self._server is None else self._hide(self._server.requests()),
        )
        decision = decide(self.case, self.operation, record)
        nulls = null_verdicts(self.case, self.operation, hide(self._initial_tree, self._root))
        return self._verdict(
            decision.outcome,
            result=record.result,
            error=record.error,
            tree=record.tree,
            requests=record.requests,
            mismatches=decision.mismatches,
            fault=decision.fault,
            reason=decision.reason,
            nulls={name: passed is True for name, passed in nulls.items()},
        )

    def _look(self) -> dict[str, Any] | None:
        """Return the record of the directory as it is now, if the case expects anything of it."""
        if self._root is None or self._before is None:
            return None
        wanted = expected(self.case).tree or {}
        for _ in range(_LOOKS - 1):
            try:
                return observe(wanted, self._before, snapshot(self._root), self._root)
            except OSError:  # an entry went away between being listed and being read
                time.sleep(_PAUSE_S)
        return observe(wanted, self._before, snapshot(self._root), self._root)

    def _error(self, answer: Errored) -> dict[str, str]:
        return self._hide({"code": answer.code, "message": answer.message})

    def _hide(self, value: Any) -> Any:
        """Return a value without the places that are this run's own: the tree, the model's port."""
        value = hide(value, self._root)
        return value if self._server is None else hide_url(value, self._server.url)

    def _fault(self, kind: FaultKind, message: str, stderr: str | None = None) -> Verdict:
        return self._verdict(
            Outcome.FAULT,
            fault=kind,
            reason=self._hide(message),
            stderr=self._hide(stderr),
        )

    def _verdict(self, outcome: Outcome, **parts: Any) -> Verdict:
        return _verdict(self.case, outcome, **parts)


def unsupported(case: Case, reason: str | None = None) -> Verdict:
    """Return the verdict on a case whose op the adapter does not have."""
    return _verdict(case, Outcome.UNSUPPORTED, reason=reason)


def recording_damage(case: Case) -> Verdict | None:
    """Return the verdict on a case whose recording cannot be played, or None if it can.

    The adapter is not to blame and the other cases are not affected: the run goes on.
    """
    if case.model is None or "cassette" not in case.model:
        return None
    from memassay.replay.cassette import CassetteError, stored  # noqa: PLC0415 (few cases play one)

    try:
        stored(case.model["cassette"])
    except CassetteError as error:
        return _verdict(case, Outcome.FAULT, fault=FaultKind.CASSETTE, reason=str(error))
    return None


def _verdict(case: Case, outcome: Outcome, **parts: Any) -> Verdict:
    return Verdict(
        case=case.id,
        rule=case.rule,
        chapter=case.chapter,
        level=case.level.value,
        outcome=outcome,
        **parts,
    )
