"""What an answer means for the request it names, or does not name."""

from __future__ import annotations

from memassay.adapter.ledger import Ledger
from memassay.adapter.messages import Fault, FaultKind, Result
from tests.adapter.harness import EchoTask

GOOD = Result({})
BAD = Fault(FaultKind.BAD_MESSAGE, "bad")


def ledger_of(count):
    ledger = Ledger()
    tasks = [EchoTask(f"case-{n}") for n in range(1, count + 1)]
    for number, task in enumerate(tasks, 1):
        ledger.put(number, task)
    return ledger, tasks


def test_answer_is_held_until_the_next_message():
    ledger, (one, two) = ledger_of(2)
    settled = []
    assert ledger.settle([(1, GOOD)], settled) is None
    assert settled == []
    assert list(ledger.open) == [2]
    assert ledger.settle([(2, GOOD)], settled) is None
    assert settled == [(one, GOOD)]
    assert ledger.release() == [(two, GOOD)]
    assert ledger.release() == []


def test_second_answer_at_once_turns_the_first_into_a_fault():
    ledger, (one, two) = ledger_of(2)
    settled = []
    assert ledger.settle([(1, GOOD), (1, GOOD), (1, GOOD), (2, GOOD), (1, GOOD)], settled) is None
    assert [(task, answer.kind) for task, answer in settled] == [(one, FaultKind.DUPLICATE)]
    assert ledger.release() == [(two, GOOD)]


def test_second_answer_after_another_breaks_the_connection_and_names_the_case():
    ledger, (one, _) = ledger_of(2)
    settled = []
    broken = ledger.settle([(1, GOOD), (2, GOOD), (1, GOOD)], settled)
    assert broken.kind is FaultKind.DUPLICATE
    assert "case-1" in broken.message
    assert settled == [(one, GOOD)]


def test_bad_answer_is_the_requests_own_and_what_follows_is_no_news():
    ledger, (one, two) = ledger_of(2)
    settled = []
    assert ledger.settle([(1, BAD), (1, GOOD), (2, GOOD), (1, GOOD)], settled) is None
    assert settled == [(one, BAD)]
    assert ledger.release() == [(two, GOOD)]


def test_answer_to_nobody_breaks_the_connection():
    ledger, _ = ledger_of(1)
    broken = ledger.settle([(9, GOOD)], [])
    assert broken.kind is FaultKind.WRONG_ID
    assert ledger.settle([(9, BAD)], []) is BAD
    assert list(ledger.open) == [1]


def test_fault_without_an_id_breaks_the_connection_and_ends_the_reading():
    ledger, _ = ledger_of(2)
    crash = Fault(FaultKind.CRASH, "gone")
    assert ledger.settle([(1, GOOD), (None, crash), (2, GOOD)], []) is crash
    assert list(ledger.open) == [2]
