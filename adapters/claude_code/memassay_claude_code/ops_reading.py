# Paths are texts here: what a case wrote must not be normalised.
# ruff: noqa: PTH110, PTH113, PTH112, PTH116, PTH118
"""Ops about the age of a memory: staleness, staleness_read.

The client's clock is the real one. So a file is given its age just before the model is played to
read it, and the answer counts only if the days are the same however long the client took.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memassay_claude_code.bench import DISABLED, pointed_at
from memassay_claude_code.client import Visit
from memassay_claude_code.errors import (
    CannotWitnessError,
    ClientAskedError,
    TimeNotHeldError,
    WireChangedError,
)
from memassay_claude_code.footprint import Footprint, case_roots
from memassay_claude_code.messages_api import Say, ToolCall, UseTools
from memassay_claude_code.observe import failed_tools, reading, tool_results
from memassay_claude_code.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay_claude_code.bench import Bench, Desk
    from memassay_claude_code.messages_api import ModelRequest, Reply
    from memassay_claude_code.observe import Reading

    Args = Mapping[str, Any]
    Answer = dict[str, Any]

_WIDE_TIMES = "/dev/shm"  # noqa: S108 (a tmpfs: it holds the times that a disk cannot)
_CALL = "toolu_memassay"
_US_PER_MS = 1000
_NS_PER_US = 1000
_NS_PER_MS = 1_000_000
_NS_PER_DAY = 86_400_000 * _NS_PER_MS


@dataclass
class _ReadAged:
    """The script of a model that reads one file, which gets its age (in ns) just before."""

    path: str
    age_ns: int
    read_input: Mapping[str, Any]
    aged_at_ns: int = 0
    asked: bool = False
    problem: CannotWitnessError | None = None

    def reply(self, request: ModelRequest) -> Reply:  # noqa: ARG002 (the protocol's)
        """Call Read once."""
        if self.asked:
            return Say()
        self.asked = True
        self.aged_at_ns = time.time_ns()
        try:
            if os.path.exists(self.path):
                _set_mtime(self.path, self.aged_at_ns - self.age_ns)
        except CannotWitnessError as problem:
            self.problem = problem  # we stand in the server's thread: `result` tells it
            return Say()
        return UseTools((ToolCall(_CALL, "Read", self.read_input),))

    def give_back(self, mtime_ns: int) -> None:
        """Give the file its old time, unless it has another than the one it got here (STL-3)."""
        aged_ns = self.aged_at_ns - self.age_ns
        if os.path.exists(self.path) and os.stat(self.path).st_mtime_ns == aged_ns:
            os.utime(self.path, ns=(mtime_ns, mtime_ns))

    def result(self, requests: list[ModelRequest]) -> Reading:
        """Return what the reading showed.

        Raises `CannotWitnessError` if a day ended between the ageing and the answer.
        """
        if self.problem is not None:
            raise self.problem
        for request in requests:
            result = tool_results(request.body).get(_CALL)
            if result is None:
                continue
            if _CALL in failed_tools(request.body) and os.path.isfile(self.path):
                raise ClientAskedError(f"Read was refused: {result[:120]!r}")
            latest_ns = self.age_ns + request.received_ns - self.aged_at_ns
            if self.age_ns // _NS_PER_DAY != latest_ns // _NS_PER_DAY:
                raise CannotWitnessError(
                    "the age is so near to a day's end that the client's real clock passes it"
                )
            return reading(result)
        raise WireChangedError("the client did not send the result of a Read")


def staleness(bench: Bench, args: Args) -> Answer:
    """Show the days that a reminder names for a memory of that age (STL-1)."""
    age_ns = args["now_ms"] * _NS_PER_MS - round(args["mtime_ms"] * _US_PER_MS) * _NS_PER_US

    def work(desk: Desk) -> Reading:
        # A name never read before: a second Read of one file is answered without its content.
        path = desk.memory_dir / f"aged{desk.turns}.md"
        path.write_text("- a memory\n")
        script = _ReadAged(str(path), age_ns, {"file_path": str(path)})
        try:
            return script.result(desk.look(b"- an index\n", script))
        finally:
            path.unlink(missing_ok=True)

    try:
        return {"days": bench.at_desk(work).days}
    except TimeNotHeldError:
        if not os.path.isdir(_WIDE_TIMES):
            raise
        return {"days": bench.at_new_desk(work, _WIDE_TIMES).days}


def staleness_read(bench: Bench, args: Args) -> Answer:
    """Show the reminder that a Read of a real file brings, and where it stands (STL-2)."""
    directory, enabled = args["memory_dir"], args.get("enabled", True)
    path = os.path.join(directory, args["file"])
    read_input = {"file_path": path}
    read_input.update({key: args[key] for key in ("offset", "limit") if args.get(key) is not None})
    roots = case_roots([directory, path])
    footprint = Footprint(roots)
    # What is not there has no age; any will do.
    mtime_ns = os.stat(path).st_mtime_ns if os.path.exists(path) else time.time_ns()
    script = _ReadAged(path, args["now_ms"] * _NS_PER_MS - mtime_ns, read_input)
    with Sandbox() as sandbox:
        visit = Visit(
            cwd=str(sandbox.work),
            home=str(sandbox.home),
            env={} if enabled else DISABLED,
            flags=(*pointed_at(directory), "--allowedTools", "Read"),
            binds=roots,
        )
        try:
            seen = script.result(bench.look_once(visit, sandbox, script))
        finally:
            script.give_back(mtime_ns)
            # A session's start may backfill an index (BKF-1); a Read does not ask for that.
            footprint.erase()
    return {"days": seen.days, "before_content": seen.before_content}


def _set_mtime(path: str, mtime_ns: int) -> None:
    """Set a file's time. Raises `CannotWitnessError` if the file system cannot hold it."""
    try:
        os.utime(path, ns=(mtime_ns, mtime_ns))
        held = os.stat(path).st_mtime_ns
    except (OSError, OverflowError):
        held = None
    if held is None or held // _NS_PER_MS != mtime_ns // _NS_PER_MS:
        raise TimeNotHeldError("the file system cannot hold the time that this age needs")
