"""Wrong machines of extraction, dream and background work: each must fail a case.

They are the mistakes that ports make over time, in the machines of a session. Those of recall,
tools and caching are in `test_session_recall_mistakes`.
"""

from collections import Counter

import pytest
from attrs import evolve

from memassay_reference import (
    background_request,
    background_work,
    dream,
    extraction,
    session_recall,
    session_world,
)
from memassay_reference.extraction import Effect, Phase, Signal

from .mistakes import Questions, replaced

CHAPTERS = ("extraction", "dream", "budget", "suppression", "prefetch")


@pytest.fixture(scope="module")
def put(tmp_path_factory):
    """Put every session case of the chapters and return the ids of those that fail."""
    questions = Questions(tmp_path_factory)
    questions.add(CHAPTERS, op="session")
    assert questions.failing() == []
    return questions.failing


def transition(phase, signal, change):
    return dict(extraction.TRANSITIONS) | {(phase, signal): change}


def joined_blocks(is_prose):
    def joined(message):
        content = message.event.get("content")
        if isinstance(content, list):
            text = " ".join(block.get("text", "") for block in content)
            message = evolve(message, event={**message.event, "content": text})
        return is_prose(message)

    return joined


def joined_messages(reason_to_skip):
    def joined(messages, world, mode):
        reason = reason_to_skip(messages, world, mode)
        texts = [m.event["content"] for m in messages if m.role == "user"]
        words = " ".join(text for text in texts if isinstance(text, str))
        enough = extraction.count_words(words) >= 3
        return None if reason == "too_few_words" and enough else reason

    return joined


def over_everything(_):
    def returns(state, world, event):
        ids = tuple(message.id for message in world.branch())
        return RETURN(evolve(state, snapshot=ids), world, event)

    return returns


RETURN = extraction._return


def with_wrapper(cost):
    return lambda content: (cost(content)[0] + len("<memory></memory>"), cost(content)[1])


def reset_on_every_turn(step):
    def reset(state, world, event):
        if event["type"] == "user_message":
            state = evolve(state, facts=(), active=())
        return step(state, world, event)

    return reset


def aborting_on_input(step):
    def aborting(state, world, event):
        state, actions = step(state, world, event)
        if event["type"] == "user_message" and state.phase is not Phase.IDLE:
            actions = [*actions, {"type": "abort", "task": "extraction"}]
        return state, actions

    return aborting


def without_compare(_):
    def returns(state, event):
        return DREAM_RETURN(evolve(state, mine_ms=state.attempt_ms), event)

    return returns


DREAM_RETURN = dream._return


def counting_all(_):
    return lambda world, _since_ms: CHANGED(world, None)


CHANGED = dream.changed_sessions


def one_at_a_time(step):
    def single(state, world, event):
        if event["type"] == "settled" and "extraction" in world.running:
            return state, []
        return step(state, world, event)

    return single


def impatient(step):
    def at_once(state, world, event):
        state, actions = step(state, world, event)
        if event["type"] == "shutdown":
            actions = [{"type": "abort", "task": task} for task in sorted(world.running)]
        return state, actions

    return at_once


def with_background_tools(patch):
    def everything(world, event):
        return APPEND(world, {**event, "by": "main"})

    patch.setitem(session_world._CHANGES, "tool_result", everything)


APPEND = session_world._append

MISTAKES = {
    "advances on an exception": (
        replaced(extraction, "RETURNS", lambda ways: ways | {"exception"}),
        "ext-cursor-exception-automatic-quiet",
    ),
    "advances on an abort": (
        replaced(extraction, "RETURNS", lambda ways: ways | {"aborted"}),
        "ext-cursor-aborted-manual-new",
    ),
    "stays on an API error": (
        replaced(extraction, "RETURNS", lambda ways: ways - {"api_error"}),
        "ext-cursor-api-error-automatic-quiet",
    ),
    "advances over what came during the run": (
        replaced(extraction, "_return", over_everything),
        "ext-cursor-normal-automatic-new",
    ),
    "forgets what came during a run": (
        replaced(
            extraction,
            "TRANSITIONS",
            lambda _: transition(Phase.TRAILING, Signal.RETURNED, (Phase.IDLE, Effect.ADVANCE)),
        ),
        "ext-trailing-one-for-two-turns",
    ),
    "cancels on new input": (
        replaced(extraction, "step", aborting_on_input),
        "ext-input-cancels-nothing",
    ),
    "merges words across blocks": (
        replaced(extraction, "is_prose", joined_blocks),
        "ext-two-blocks",
    ),
    "merges words across messages": (
        replaced(extraction, "reason_to_skip", joined_messages),
        "ext-two-short-messages",
    ),
    "splits at ASCII blanks": (
        replaced(extraction, "JS_WHITESPACE", lambda _: " \t\r\n\f\v"),
        "ext-ideographic-space",
    ),
    "compares path prefixes": (
        replaced(extraction, "is_inside", lambda _: str.startswith),
        "ext-write-beside",
    ),
    "takes the extractor's tools for the session's": (
        with_background_tools,
        "ext-own-tools-stay-out",
    ),
    "compares the model's name only": (
        replaced(
            background_request,
            "same_model",
            lambda _: lambda one, other: one["model"] == other["model"],
        ),
        "ext-other-api",
    ),
    "sends the whole history to another model": (
        replaced(background_request, "is_reusable", lambda _: lambda _world: True),
        "ext-independent-model",
    ),
    "rolls back on abort": (
        replaced(
            dream,
            "undoes",
            lambda _: lambda event: event["outcome"] in {"aborted", "exception"},
        ),
        "drm-ends-abort-fork",
    ),
    "rolls back over another process's time": (
        replaced(dream, "_return", without_compare),
        "drm-swap-loses",
    ),
    "counts sessions since ever": (
        replaced(dream, "changed_sessions", counting_all),
        "drm-old-sessions",
    ),
    "counts the sessions of other projects": (
        replaced(dream, "is_of_project", lambda _: lambda _header, _world: True),
        "drm-shared-other-root",
    ),
    "dreams only when nothing else runs": (
        replaced(dream, "step", one_at_a_time),
        "drm-both-from-one-turn",
    ),
    "aborts at once when the session ends": (
        replaced(background_work, "step", impatient),
        "drm-shutdown-waits",
    ),
    "counts the wrapper": (
        replaced(session_recall, "cost", with_wrapper),
        None,
    ),
    "resets on every turn": (
        replaced(session_recall, "step", reset_on_every_turn),
        None,
    ),
}
"""What each mistake breaks, and a case that must fail; None where another chapter's will."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_fails_a_case(put, mistake):
    break_it, witness = MISTAKES[mistake]
    with pytest.MonkeyPatch.context() as patch:
        break_it(patch)
        failed = put()
    assert failed
    assert witness is None or witness in failed


def test_the_mistakes_are_undone(put):
    assert put() == []


def test_no_case_is_the_only_thing_between_many_mistakes_and_a_pass():
    named = Counter(witness for _, witness in MISTAKES.values() if witness)
    assert max(named.values()) == 1
