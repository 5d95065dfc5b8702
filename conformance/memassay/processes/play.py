"""Play a scenario: start the processes, ask them in turn or at once, kill them, compare."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from memassay.adapter.messages import Errored, Fault, Request, Result, Skipped
from memassay.judge.compare import compare
from memassay.judge.decide import result_complaint
from memassay.judge.expectation import build_expectation
from memassay.spec.builders import Context, build_mapping, clock_ms
from memassay.spec.trees import make_tree
from memassay.spec.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.adapter.connection import Connect, Connection
    from memassay.adapter.messages import Answer
    from memassay.judge.workspace import Workspace
    from memassay.processes.scenario import Scenario, Step
    from memassay.spec.models import Op


@frozen
class Played:
    """What became of a scenario.

    `problem` says what is not as expected, or None; `skipped` why it was not played to the end;
    `fault` whether the adapter, not the implementation, failed, and `stderr` what it wrote then.
    """

    scenario: Scenario
    problem: str | None = None
    skipped: str | None = None
    fault: bool = False
    stderr: str | None = None


@frozen
class _Stop(Exception):  # noqa: N818 (it ends a scenario, and is no error)
    message: str
    skipped: bool = False
    fault: bool = False
    stderr: str | None = None


def play(
    scenario: Scenario,
    connect: Connect,
    ops: Mapping[str, Op],
    workspace: Workspace,
    *,
    profile: str,
    time_limit_s: float = 10.0,
) -> Played:
    """Start the scenario's processes, all at once, and take its steps.

    Raises `StartError` if a process does not start.
    """
    root = workspace.fresh(scenario.id)
    context = Context(root, clock_ms(None))
    make_tree(scenario.tree, context)
    connections: dict[str, Connection] = {}
    try:
        for name in scenario.processes:
            connections[name] = connect(profile)
            missing = scenario.ops - {*connections[name].started.ops}
            if missing:
                return Played(scenario, skipped=f"the adapter has no op {min(missing)}")
        for number, step in enumerate(scenario.steps, 1):
            _take(number, step, connections, ops, context=context, time_limit_s=time_limit_s)
    except _Stop as stop:
        if stop.skipped:
            return Played(scenario, skipped=stop.message)
        return Played(scenario, problem=stop.message, fault=stop.fault, stderr=stop.stderr)
    finally:
        for connection in connections.values():
            connection.abort()
        workspace.discard(scenario.id)
    return Played(scenario)


def _take(
    number: int,
    step: Step,
    connections: Mapping[str, Connection],
    ops: Mapping[str, Op],
    *,
    context: Context,
    time_limit_s: float,
) -> None:
    if step.op is None:
        connections[step.processes[0]].abort()
        return
    args = to_wire(build_mapping(step.args, context))
    for name in step.processes:  # all are sent before any is answered, so they really race
        connections[name].send(Request(number, step.op, args))
    answers = [
        _result(number, name, ops[step.op], _receive(connections[name], time_limit_s))
        for name in step.processes
    ]
    expect = dict(build_expectation(step.expect, context).result)
    together = len(step.processes) > 1
    for mismatch in compare(expect, answers if together else answers[0], "results" * together):
        who = " and ".join(step.processes)
        place = f"{mismatch.at} " if mismatch.at else ""
        raise _Stop(f"step {number} ({step.op} in {who}): {place}{mismatch.problem}")


def _receive(connection: Connection, time_limit_s: float) -> Answer:
    deadline = time.monotonic() + time_limit_s
    while (left := deadline - time.monotonic()) > 0:
        for _, answer in connection.receive(left):
            return _with_stderr(answer, connection)
    return _with_stderr(connection.silence(time_limit_s), connection)


def _with_stderr(answer: Answer, connection: Connection) -> Answer:
    if isinstance(answer, Fault) and answer.stderr is None:
        return evolve(answer, stderr=connection.stderr_tail())
    return answer


def _result(number: int, name: str, op: Op, answer: Answer) -> Any:
    where = f"step {number} ({op.name} in {name})"
    if isinstance(answer, Skipped):
        raise _Stop(answer.reason, skipped=True)
    if isinstance(answer, Errored):
        raise _Stop(f"{where}: the error {answer.code}: {answer.message}")
    if isinstance(answer, Fault):
        raise _Stop(f"{where}: {answer.message}", fault=True, stderr=answer.stderr)
    if not isinstance(answer, Result):
        raise _Stop(answer.reason, skipped=True)
    complaint = result_complaint(op, answer.value)
    if complaint is not None:
        raise _Stop(f"{where}: {complaint}", fault=True)
    return answer.value
