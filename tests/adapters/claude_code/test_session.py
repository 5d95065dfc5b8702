import json

import pytest
from memassay_claude_code.client import Visit
from memassay_claude_code.errors import (
    ClientAskedError,
    ClientExitedError,
    ClientHungError,
    WireChangedError,
)
from memassay_claude_code.messages_api import InTurn, Say, ToolCall, UseTools
from memassay_claude_code.observe import index_body, tool_results
from memassay_claude_code.sandbox import Sandbox
from memassay_claude_code.session import Conversation, one_turn


@pytest.fixture
def box():
    with Sandbox() as sandbox:
        (sandbox.root / "memory").mkdir()
        yield sandbox


def visit(box):
    settings = json.dumps({"autoMemoryDirectory": f"{box.root}/memory"})
    return Visit(cwd=str(box.work), home=str(box.home), flags=("--settings", settings))


def once(options, box, script=None):
    return one_turn(
        options.client,
        visit(box),
        box,
        time_limit_s=options.time_limit_s,
        private=options.private,
        script=script,
    )


@pytest.fixture
def talk(box):
    """Return a function that starts a conversation about the index in the box."""
    talks = []

    def start(options):
        talks.append(
            Conversation(
                options.client,
                visit(box),
                box,
                time_limit_s=options.time_limit_s,
                private=options.private,
            )
        )
        return talks[-1]

    yield start
    for one in talks:
        one.close()


def write_index(box, text):
    (box.root / "memory" / "MEMORY.md").write_text(text)


def test_one_turn_gives_the_requests_of_the_conversation_only(options, box):
    write_index(box, "- a\n")
    requests = once(options(), box)
    assert [index_body(request.body) for request in requests] == ["- a"]


def test_one_turn_with_tools(options, box):
    write_index(box, "- a\n")
    path = f"{box.root}/memory/MEMORY.md"
    calls = [
        UseTools((ToolCall("t1", "Read", {"file_path": path}),)),
        UseTools((ToolCall("t2", "Read", {"file_path": "/none"}),)),
        Say("enough"),
    ]
    requests = once(options(), box, InTurn(calls))
    assert len(requests) == 3
    assert tool_results(requests[-1].body) == {"t1": "1\t- a\n2\t", "t2": "not there"}


def test_a_client_that_exits_is_quoted(options, box):
    with pytest.raises(ClientExitedError, match="status 3: fake: no such luck"):
        once(options("exit"), box)


def test_a_client_that_hangs(options, box):
    with pytest.raises(ClientHungError):
        once(options("hang", time_limit_s=0.5), box)


@pytest.mark.parametrize("mode", ["silent", "other-wire"])
def test_a_client_whose_requests_are_not_known(options, box, mode):
    with pytest.raises(WireChangedError):
        once(options(mode), box)


def test_a_client_that_leaves_a_process_behind_still_answers(options, box):
    assert len(once(options("leave-child"), box)) == 1


def test_many_turns_read_the_index_anew_after_clear(options, box, talk):
    write_index(box, "- one\n")
    conversation = talk(options())
    seen = [index_body(conversation.turn()[0].body)]
    write_index(box, "- two\n")
    conversation.clear()
    seen.append(index_body(conversation.turn()[0].body))
    assert seen == ["- one", "- two"]


def test_a_conversation_with_a_client_that_asks(options, talk):
    with pytest.raises(ClientAskedError, match="can_use_tool"):
        talk(options("ask")).turn()


def test_a_conversation_with_a_client_that_does_not_speak_json(options, talk):
    with pytest.raises(WireChangedError, match="no JSON"):
        talk(options("garble")).turn()


def test_a_conversation_with_a_client_that_exits(options, talk):
    with pytest.raises(ClientExitedError, match="no such luck"):
        talk(options("exit")).turn()


def test_a_conversation_with_a_client_that_hangs(options, talk):
    with pytest.raises(ClientHungError):
        talk(options("hang", time_limit_s=0.5)).turn()
