"""Ask one implementation one question of an op, outside of any case, and take its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from memassay.adapter.messages import Errored, Fault, Result, Skipped
from memassay.fuzz.outcome import FuzzError
from memassay.judge.decide import result_complaint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.adapter.asker import Asker
    from memassay.adapter.messages import Answer
    from memassay.spec.models import Op


@frozen
class Question:
    """A question as a `memassay.adapter.messages.Task`: nothing has to be prepared."""

    op: str
    args: Mapping[str, Any]
    name: str = "fuzz"

    def prepare(self) -> Mapping[str, Any]:
        """Return the arguments, ready for the wire."""
        return self.args


def ask(
    asker: Asker, op: Op, args: Mapping[str, Any], *, trusted: bool = False
) -> Mapping[str, Any] | Errored | None:
    """Return the result, the implementation's own error, or None if it declines.

    Raises `FuzzError` if there is no answer, or one that the op's schema refuses; the schema is not
    asked about an implementation that is `trusted`.
    """
    answer = checked(op, asker.ask(Question(op.name, args)), trusted=trusted)
    return answer.value if isinstance(answer, Result) else answer


def checked(op: Op, answer: Answer, *, trusted: bool = False) -> Result | Errored | None:
    """Return an answer that can be compared, or None if the implementation declined.

    Raises `FuzzError` as `ask` does.
    """
    if isinstance(answer, Errored):
        return answer
    if isinstance(answer, Skipped):
        return None
    if isinstance(answer, Fault):
        tail = f"\n{answer.stderr}" if answer.stderr else ""
        raise FuzzError(f"{answer.message}{tail}")
    if not isinstance(answer, Result):
        raise FuzzError(answer.reason)
    complaint = None if trusted else result_complaint(op, answer.value)
    if complaint is not None:
        raise FuzzError(complaint)
    return answer
