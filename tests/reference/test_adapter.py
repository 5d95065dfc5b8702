"""The reference behind the protocol: messages in and out, and what no op can do."""

import io
import json

import pytest

from memassay_reference.adapter import answer, decode, load_ops, serve

START = {"cmd": "start", "protocol": 1}


def exchange(*messages):
    """The answers to messages, each a mapping or a line of bytes."""
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]
    out = io.StringIO()
    serve(lines, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def run(op, **args):
    return {"cmd": "run", "id": 1, "op": op, "args": args}


def test_it_says_who_it_is_and_what_it_can_do():
    (started,) = exchange(START)
    assert started["protocol"] == 1
    assert started["implementation"]["name"] == "memassay-reference"
    assert started["ops"] == sorted(load_ops())


def test_it_answers_until_it_is_told_to_stop():
    key = run("project_key", path="/a")
    answers = exchange(START, key, {"cmd": "stop"}, key)
    assert answers[1:] == [{"id": 1, "result": {"key": "-a"}}]


def test_the_profile_is_the_one_of_the_start():
    kinds = ({"type": "request"}, {"type": "edit", "text": "- b"}, {"type": "resume"})
    asked = run("caching", index="- a", events=[*kinds, {"type": "request"}])
    copies = {
        profile: exchange({**START, "profile": profile}, asked)[1]["result"]["turns"][-1]
        for profile in ("claude-code", "pi-project-memory")
    }
    assert copies == {"claude-code": ["- a", "- b"], "pi-project-memory": ["- b"]}


def test_lines_are_utf_8_whatever_the_locale():
    line = '{"cmd":"run","id":7,"op":"project_key","args":{"path":"/\u2028漢\u0085"}}'
    assert exchange(line.encode("utf-8"))[0] == {"id": 7, "result": {"key": "----"}}


def test_bytes_are_decoded_at_any_depth():
    assert decode({"a": [{"$bytes": "/w=="}], "$bytes": "x"}) == {"a": [b"\xff"], "$bytes": "x"}


FAR_AWAY = {"path": "a", "type": None, "mtime_ms": 10**17, "description": None}
NOWHERE = {"type": "switch_branch", "to": "x", "at_ms": 0}


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("project_key", {}),
        ("project_key", {"path": 7}),
        ("topics_header", {"content": {"$bytes": "A"}, "mtime_ms": 0}),
        ("topics_manifest", {"topics": [FAR_AWAY]}),
        ("session", {"config": {}, "files": [], "events": [NOWHERE]}),
    ],
)
def test_what_an_op_cannot_take_is_an_answer_and_no_crash(op, args):
    body = answer(load_ops(), op, args, "claude-code")
    assert body["error"]["code"] == "bad-arguments"
    assert body["error"]["message"].startswith(f"{op}: ")


def test_a_directory_that_is_none_is_an_answer(tmp_path):
    asked = {"memory_dir": str(tmp_path / "none"), "lock": "dream.lock", "do": "acquire"}
    assert answer(load_ops(), "lock", asked, "claude-code")["error"]["code"] == "os-error"


def test_an_unknown_op():
    assert answer({}, "nap", {}, "claude-code")["error"]["code"] == "unknown-op"
