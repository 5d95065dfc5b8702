"""Put random session scripts to two implementations, and bring back a short one that parts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from memassay.adapter.messages import Errored
from memassay.fuzz.asking import ask
from memassay.fuzz.outcome import Disagreement, FuzzError, Outcome
from memassay.fuzz.session_actions import Difference, case_of, difference
from memassay.fuzz.session_machine import MAX_EVENTS, ScriptMachine
from memassay.fuzz.session_shrink import is_sound, shrink

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.adapter.asker import Asker
    from memassay.fuzz.outcome import Assignment
    from memassay.spec.models import Op

    Lists = list[list[Mapping[str, Any]]]


class Parted(Exception):  # noqa: N818 (it is what is looked for, not an error)
    """A script on which the two differ."""

    def __init__(self, script: Mapping[str, Any]) -> None:
        super().__init__("they differ")
        self.script = script


@define
class Pair:
    """Two implementations, asked side by side: what the second one does is what is expected."""

    op: Op
    port: Asker
    reference: Asker
    asked: int = 0
    skipped: int = 0

    def expected(self, script: Mapping[str, Any]) -> Lists:
        """Return what the reference does."""
        answer = ask(self.reference, self.op, script, trusted=True)
        if answer is None or isinstance(answer, Errored):
            raise FuzzError(f"the reference has no answer to a script: {answer}")
        return _lists(answer, script)

    def part(self, script: Mapping[str, Any], expected: Lists) -> Difference | Errored | None:
        """Return where the port departs from that, its error if it has one, or None."""
        self.asked += 1
        answer = ask(self.port, self.op, script)
        if answer is None:
            self.skipped += 1
            return None
        if isinstance(answer, Errored):
            return answer
        return difference(expected, _lists(answer, script))


def fuzz(assignment: Assignment, port: Asker, reference: Asker) -> Outcome:
    """Compare two implementations over random scripts; the second one decides what may come next.

    Raises `FuzzError` if one of them fails, or changes its mind.
    """
    pair = Pair(assignment.op, port, reference)

    class Compared(ScriptMachine):
        only_stated = True
        oracle = staticmethod(pair.expected)

        def on_end(self) -> None:
            if pair.part(self.args, self.lists) is not None:
                raise Parted(self.args)

    try:
        run_state_machine_as_test(
            seed(assignment.seed)(Compared),
            settings=settings(
                max_examples=assignment.examples,
                stateful_step_count=MAX_EVENTS,
                database=None,
                deadline=None,
                phases=(Phase.generate,),  # the shortening is our own
                report_multiple_bugs=False,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
                verbosity=Verbosity.quiet,
            ),
        )
    except Parted as parted:
        asked, skipped = pair.asked, pair.skipped
        return Outcome(asked, skipped, _shortest(pair, parted.script))
    except Flaky as error:
        raise FuzzError(CHANGED_ITS_MIND) from error
    return Outcome(pair.asked, pair.skipped)


CHANGED_ITS_MIND = "one script was answered differently when it was put again"


def _shortest(pair: Pair, script: Mapping[str, Any]) -> Disagreement:
    found = pair.part(script, pair.expected(script))
    if found is None:
        raise FuzzError(CHANGED_ITS_MIND)
    kind = _kind(script, found)
    if isinstance(found, Difference):
        script = {**script, "events": script["events"][: found.at + 1]}

    def still_parts(candidate: Mapping[str, Any]) -> bool:
        expected = pair.expected(candidate)
        if not is_sound(candidate, expected):
            return False
        return _kind(candidate, pair.part(candidate, expected)) == kind

    script = shrink(script, still_parts)
    found = pair.part(script, pair.expected(script))
    if _kind(script, found) != kind or found is None:
        raise FuzzError(CHANGED_ITS_MIND)
    return _disagreement(script, found)


def _kind(script: Mapping[str, Any], found: Difference | Errored | None) -> Any:
    """Return what must stay the same while a script becomes shorter."""
    if not isinstance(found, Difference):
        return found and found.code
    missing, surplus = ([one["type"] for one in part] for part in (found.missing, found.surplus))
    return script["events"][found.at]["type"], missing, surplus


def _lists(answer: Mapping[str, Any], script: Mapping[str, Any]) -> Lists:
    lists = answer["actions"]
    if len(lists) != len(script["events"]):
        counts = f"{len(lists)} lists of actions for {len(script['events'])} events"
        raise FuzzError(f"{counts}; there must be one each")
    return lists


def _disagreement(script: Mapping[str, Any], found: Difference | Errored) -> Disagreement:
    if isinstance(found, Errored):
        problem = f"the error {found.code}: {found.message}"
        return Disagreement(case_of(script, None), problem)
    event = script["events"][found.at]
    parts = [
        f"{word} {', '.join(action['type'] for action in actions)}"
        for word, actions in (("missing", found.missing), ("too much", found.surplus))
        if actions
    ]
    problem = f"at event {found.at + 1}, {event['type']}: {'; '.join(parts)}"
    return Disagreement(case_of(script, found), problem)
