"""Wrong machines of recall, wrong tools and wrong caching: each must fail a case.

The machines of extraction and dream have theirs in `test_session_mistakes`.
"""

from collections import Counter

import pytest
from attrs import evolve

from memassay_reference import caching, session_recall, session_tools, shell_commands, tools
from memassay_reference.js_text import JS_WHITESPACE, length_units, trim
from memassay_reference.recall import window

from .mistakes import Questions, replaced

CHAPTERS = ("budget", "suppression", "prefetch", "tools", "caching")


@pytest.fixture(scope="module")
def put(tmp_path_factory):
    """Put the cases of a chapter, under two profiles, and return the ids of those that fail.

    The chapter is named by the prefix of its ids; without one all are put.
    """
    questions = Questions(tmp_path_factory)
    for profile in ("claude-code", "pi-project-memory"):
        questions.add(CHAPTERS, profile=profile)
    assert questions.failing() == []
    return questions.failing


def limits(**changed):
    """A mistake that has another number."""
    return replaced(session_recall, "constants", lambda known: lambda: {**known(), **changed})


def costs(count):
    """A mistake that counts something else of a file: a function of its raw content."""
    return replaced(session_recall, "cost", lambda cost: lambda text: (count(text), cost(text)[1]))


def has_any(blanks):
    return lambda text: any(char in blanks for char in text)


def as_text(content):
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else content


def shown(content):
    return session_recall.sanitise(window(content)[0])


def events(change):
    """A mistake that takes an event for another one."""

    def make(step):
        return lambda state, world, event: step(state, world, change(event))

    return replaced(session_recall, "step", make)


def starts_on_input(event):
    if event["type"] != "input":
        return event
    return {**event, "type": "queued_message", "id": "raw", "content": event["text"]}


def starts_on_appended(event):
    if event["type"] != "appended_message":
        return event
    return {**event, "type": "queued_message", "content": "the same message again"}


def hears_nobody_queued(event):
    return {**event, "type": "clock"} if event["type"] == "queued_message" else event


def takes_any_origin(event):
    return {key: part for key, part in event.items() if key != "origin"}


def takes_any_read(event):
    flaws = {"offset", "truncated", "failed", "image"}
    return {key: part for key, part in event.items() if key not in flaws}


def takes_any_reader(event):
    return {key: part for key, part in event.items() if key != "by"}


def never_waits(step):
    def impatient(state, world, event):
        state, actions = step(state, world, event)
        return evolve(state, waiting=None), [a for a in actions if a["type"] != "wait"]

    return impatient


def waits_for_ever(_):
    return lambda _state: None


def drops_what_is_late(step):
    def dropping(state, world, event):
        state, actions = step(state, world, event)
        return state, [action for action in actions if action["type"] != "steer"]

    return dropping


def resets_on_every_switch(rebuild):
    def reset(state, world, event):
        state, actions = rebuild(state, world, event)
        return evolve(state, active=()), actions

    return reset


def one_account_for_all(_):
    return lambda state, _world, _event: (state, [])


def handler(name, make):
    return lambda patch: patch.setitem(
        session_recall._HANDLERS, name, make(session_recall._HANDLERS[name])
    )


def checks_only_before_asking(recall):
    def unchecked(state, world, name, chosen):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session_recall, "constants", lambda: {"recall_budget_units": 10**9})
            return recall(state, world, name, chosen)

    return unchecked


def suppresses_for_ever(recall):
    def stubborn(state, world, name, chosen):
        read = {fact.file for fact in state.active if fact.kind == "read"}
        return recall(state, world, name, [file for file in chosen if file not in read])

    return stubborn


def forgets_reads_at_any_change(step):
    def forgetful(state, world, event):
        if event["type"] == "file_changed":
            kept = tuple(fact for fact in state.active if fact.kind != "read")
            state = evolve(state, active=kept)
        return step(state, world, event)

    return forgetful


def by_last_name(_):
    return lambda _memory_dir, _cwd, path: path.rpartition("/")[2]


def prefix_of_text(access):
    def careless(tool, path, *, cwd, memory_dir):
        allowed, absolute = access(tool, path, cwd=cwd, memory_dir=memory_dir)
        return (absolute or "").startswith(
            memory_dir
        ) if tool in tools.WRITERS else allowed, absolute

    return careless


def from_memory_dir(access):
    return lambda tool, path, *, cwd, memory_dir: access(  # noqa: ARG005 (the mistake)
        tool, path, cwd=memory_dir, memory_dir=memory_dir
    )


def any_tool(access):
    return lambda tool, path, *, cwd, memory_dir: access(
        tool if tool in tools.TOOLS else "read", path, cwd=cwd, memory_dir=memory_dir
    )


def baseline_kept(sets):
    def kept(**read):
        return sets(**read) or None

    return kept


def first_command_only(check):
    return lambda command: check(command.split(";")[0].split("&")[0].split("|")[0].split("\n")[0])


def at_every_turn(load):
    return lambda state, profile: load(evolve(state, stale=True, copies=()), profile)


def always_adds(load):
    def adding(state, profile):
        if state.stale and state.copies:
            fresh = load(evolve(state, copies=()), profile)
            return evolve(fresh, copies=state.copies + fresh.copies)
        return load(state, profile)

    return adding


def never_adds(load):
    return lambda state, profile: (
        evolve(state, stale=False) if state.copies else load(state, profile)
    )


MISTAKES = {
    "stops one unit late": (limits(recall_budget_units=61_441), "bud-61440"),
    "stops one unit early": (limits(recall_budget_units=61_439), "bud-61439"),
    "counts UTF-8 bytes": (costs(lambda text: len(shown(text).encode())), "bud-cjk"),
    "counts code points": (costs(lambda text: len(shown(text))), "bud-astral"),
    "counts before sanitising": (
        costs(lambda text: length_units(as_text(text))),
        "bud-control-characters",
    ),
    "leaves the note out": (costs(lambda text: length_units(shown(text))), "bud-note-counts"),
    "counts the wrapper": (costs(lambda text: length_units(shown(text)) + 17), "bud-ascii"),
    "counts the whole file": (
        costs(lambda text: length_units(session_recall.sanitise(as_text(text)))),
        "bud-only-what-is-shown",
    ),
    "checks the limit only before asking": (
        replaced(session_recall, "_recall", checks_only_before_asking),
        "bud-rest-of-a-choice",
    ),
    "suppresses nothing": (
        events(
            lambda event: {**event, "type": "clock"} if event["type"] == "tool_result" else event
        ),
        "sup-read-whole",
    ),
    "takes any read for a whole one": (events(takes_any_read), "sup-from-line-two"),
    "takes a background read for the agent's": (
        events(takes_any_reader),
        "sup-by-a-background-task",
    ),
    "suppresses by the last name": (
        replaced(session_recall, "relative_to", by_last_name),
        "sup-same-name-elsewhere",
    ),
    "suppresses for ever": (
        replaced(session_recall, "_recall", suppresses_for_ever),
        "sup-changed",
    ),
    "forgets reads at any change": (
        replaced(session_recall, "step", forgets_reads_at_any_change),
        "sup-another-changed",
    ),
    "keeps the account over a compaction": (
        handler("compacted", one_account_for_all),
        "sup-compacted-budget",
    ),
    "keeps one account for all branches": (
        handler("switch_branch", one_account_for_all),
        "sup-left-the-read",
    ),
    "resets on every switch": (
        handler("switch_branch", resets_on_every_switch),
        "sup-kept-the-read",
    ),
    "starts while the user types": (events(starts_on_input), "pre-input-is-not-final"),
    "starts twice for one message": (events(starts_on_appended), "pre-appended-is-the-same"),
    "ignores queued messages": (events(hears_nobody_queued), "pre-queued"),
    "starts for every message with the role user": (events(takes_any_origin), "pre-memory-command"),
    "does not trim": (
        replaced(session_recall, "has_inner_whitespace", lambda _: has_any(JS_WHITESPACE)),
        "pre-one-word-and-spaces",
    ),
    "knows only ASCII white space": (
        replaced(
            session_recall,
            "has_inner_whitespace",
            lambda _: lambda text: has_any(" \t\n\r")(trim(text)),
        ),
        "pre-chinese-with-ideographic-space",
    ),
    "does not wait": (replaced(session_recall, "step", never_waits), "pre-1999"),
    "waits for ever": (replaced(session_recall, "deadline", waits_for_ever), "pre-time-is-up"),
    "waits a millisecond less": (limits(prefetch_wait_ms=1999), "pre-2000"),
    "waits a millisecond more": (limits(prefetch_wait_ms=2001), "pre-2001"),
    "throws a late answer away": (
        replaced(session_recall, "step", drops_what_is_late),
        "pre-much-too-late",
    ),
    "compares prefixes of paths": (
        replaced(tools, "access", prefix_of_text),
        "bgt-sibling-with-same-beginning",
    ),
    "begins in the memory directory": (
        replaced(tools, "access", from_memory_dir),
        "bgt-bare-topic",
    ),
    "hands on every tool": (replaced(tools, "access", any_tool), "bgt-agent"),
    "keeps the baseline after a cut read": (
        replaced(session_tools, "sets_baseline", baseline_kept),
        "bgt-edit-after-page-and-cut",
    ),
    "looks at the first command only": (
        replaced(session_tools, "is_read_only", first_command_only),
        "bgt-bash-second-command",
    ),
    "lets find do what it likes": (
        replaced(shell_commands, "_CHANGING_OPTIONS", lambda _: {}),
        "bgt-bash-find-deletes",
    ),
    "reads the index at every turn": (replaced(caching, "load", at_every_turn), "cch-edit"),
    "keeps the index for the life of the process": (
        replaced(caching, "_ANEW", lambda _: frozenset()),
        "cch-compact",
    ),
    "adds a copy at every resume": (replaced(caching, "load", always_adds), "cch-resume-unchanged"),
    "adds none at a resume": (replaced(caching, "load", never_adds), "cch-resume-changed"),
}
"""What each mistake breaks, and a case that must fail."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_fails_a_case(put, mistake):
    break_it, witness = MISTAKES[mistake]
    with pytest.MonkeyPatch.context() as patch:
        break_it(patch)
        failed = put(witness.partition("-")[0])
    assert witness in failed


def test_the_mistakes_are_undone(put):
    assert put() == []


def test_no_case_is_the_only_thing_between_many_mistakes_and_a_pass():
    assert max(Counter(witness for _, witness in MISTAKES.values()).values()) == 1
