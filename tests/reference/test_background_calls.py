"""Background tasks over HTTP: what their requests are made of, and the tools they run."""

import pytest

from memassay.replay.playback import playback_of
from memassay.replay.server import API_KEY, ModelServer
from memassay.spec import constants
from memassay_reference.background_calls import OPS, request
from memassay_reference.background_tools import DECLARATIONS, Tools

MESSAGES = [
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": "y"}]},
    {"role": "user", "content": "two"},
]


@pytest.fixture
def args(tmp_path):
    for name in ("w", "m"):
        (tmp_path / name).mkdir()
    return {
        "task": "extraction",
        "model": "main",
        "parent": {
            "model": "main",
            "system": "parent",
            "messages": MESSAGES,
            "tools": [{"name": "x"}],
        },
        "cursor": 2,
        "memory_prompt": "rules",
        "cwd": str(tmp_path / "w"),
        "memory_dir": str(tmp_path / "m"),
    }


@pytest.fixture
def tools(args):
    return Tools(args["cwd"], args["memory_dir"])


def run(args, *replies):
    with ModelServer(playback_of({"replies": list(replies)})) as server:
        given = {**args, "base_url": server.url, "api_key": API_KEY}
        return OPS["background_run"](given, "claude-code"), server.requests()


def texts(body):
    return [block["text"] for block in body["system"]], [
        block["text"] for block in body["messages"][-1]["content"]
    ]


def test_a_prefix_keeps_everything_of_the_parent(args):
    body = request(args)
    assert body["messages"][:-1] == MESSAGES
    assert body["tools"] == [{"name": "x"}]
    system, asked = texts(body)
    assert system == ["parent"]
    assert asked[0] == "rules"
    assert len(asked) == 3


@pytest.mark.parametrize(
    "change", [{"model": "small"}, {"snapshot": False}, {"recent_messages": 9}]
)
def test_an_independent_request_has_what_is_new(args, change):
    body = request({**args, **change})
    assert body["messages"][:-1] == MESSAGES[2:]
    assert body["tools"] == list(DECLARATIONS)
    system, asked = texts(body)
    assert system[:2] == ["parent", "rules"]
    assert len(asked) == 1


@pytest.mark.parametrize("most", [0, 1, 2, 3, 4])
def test_recent_messages(args, most):
    body = request({**args, "cursor": 0, "recent_messages": most})
    assert body["messages"][:-1] == MESSAGES[max(0, 3 - most) :]


def test_rules_that_are_there_are_not_added(args):
    parent = {**args["parent"], "system": "parent and rules"}
    system, asked = texts(request({**args, "parent": parent}))
    assert system == ["parent and rules"]
    assert len(asked) == 2


def test_another_model_sees_no_proofs(args):
    body = request({**args, "model": "small", "cursor": 0})
    assert body["messages"][1] == {"role": "assistant", "content": []}


def test_an_empty_system_prompt_is_left_out(args):
    parent = {**args["parent"], "system": ""}
    assert request({**args, "parent": parent})["system"] == []


def test_the_loop_ends_with_the_turns(args):
    find = {"calls": [{"name": "find", "input": {"pattern": "*"}}]}
    result, requests = run({**args, "max_turns": 2}, find, find, find)
    assert (result["outcome"], result["turns"], len(requests)) == ("max_turns", 2, 2)


def test_writing(args, tmp_path):
    write = {"name": "write", "input": {"path": "../m/sub/a.md", "content": "a\r\n"}}
    result, _ = run(args, {"calls": [write]}, {"text": "done"})
    assert result == {"outcome": "normal", "turns": 2, "changed": ["sub/a.md"]}
    assert (tmp_path / "m/sub/a.md").read_bytes() == b"a\r\n"


def test_what_was_changed_before_an_abort_is_known(args, tmp_path):
    write = {"name": "write", "input": {"path": "../m/a.md", "content": "a"}}
    late = {"text": "done", "delay_ms": 30_000}
    result, _ = run({**args, "abort_after_ms": 3_000}, {"calls": [write]}, late)
    assert result == {"outcome": "aborted", "turns": 2, "changed": ["a.md"]}
    assert (tmp_path / "m/a.md").read_text() == "a"


def call(tools, name, **given):
    block = tools.result({"id": "t", "name": name, "input": given})
    return block["content"], block.get("is_error", False)


def test_a_file_must_be_read_before_it_is_changed(tools, tmp_path):
    file = tmp_path / "m/a.md"
    file.write_text("old text")
    edits = [{"oldText": "old", "newText": "new"}]
    assert call(tools, "write", path=str(file), content="x")[1]
    assert call(tools, "edit", path=str(file), edits=edits)[1]
    assert call(tools, "read", path=str(file)) == ("old text", False)
    assert call(tools, "edit", path=str(file), edits=edits) == ("done", False)
    assert file.read_text() == "new text"
    assert tools.changed_files() == ["a.md"]


def test_a_read_that_was_cut_gives_no_leave(tools, tmp_path):
    file = tmp_path / "m/a.md"
    file.write_text("line\n" * 3000)
    call(tools, "read", path=str(file))
    assert call(tools, "write", path=str(file), content="x")[1]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("write", {"path": "a.md", "content": "x"}),
        ("write", {"path": "../m/../w/a.md", "content": "x"}),
        ("bash", {"command": "touch a.md"}),
        ("deploy", {}),
        ("read", {"path": "../m/none.md"}),
        ("read", {"path": 7}),
        ("grep", {"pattern": "("}),
        ("write", {"path": "../m/a.md"}),
        ("find", {"pattern": ""}),
        ("find", {"pattern": "/etc/*"}),
    ],
)
def test_what_goes_wrong_is_told_to_the_model(tools, tmp_path, name, given):
    said, wrong = call(tools, name, **given)
    assert wrong
    assert said
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["m", "w"]


def test_a_link_out_of_the_memory_directory_is_no_way_out(tools, tmp_path):
    (tmp_path / "m/out").symlink_to(tmp_path / "w")
    assert call(tools, "write", path="../m/out/a.md", content="x")[1]
    assert list((tmp_path / "w").iterdir()) == []


def test_searching(tools, tmp_path):
    (tmp_path / "m/a.md").write_text("one\ntwo\n")
    assert call(tools, "grep", pattern="tw", path="../m")[0].endswith("a.md:2:two")
    assert call(tools, "find", pattern="*.md", path="../m")[0].endswith("a.md")
    assert call(tools, "bash", command="cat ../m/a.md") == ("one\ntwo\n", False)


def test_a_read_shows_no_more_bytes_than_its_window_has(tools, tmp_path):
    (tmp_path / "m/a.md").write_text("漢" * 30_000)
    assert len(call(tools, "read", path="../m/a.md")[0]) == constants()["read_max_bytes"] // 3 + 1
