"""The Python and Node kits, as copied and with an op added where they say."""

from __future__ import annotations

import base64
import sys

import pytest

from tests.adapters.conversation import ADAPTERS, conversation, needs_node

from .keys import KEYS

COMMANDS = {
    "python": (sys.executable, ADAPTERS / "kits" / "python" / "adapter.py"),
    "node": ("node", ADAPTERS / "kits" / "node" / "adapter.mjs"),
}

# Ops that a port author might add: source to put in the place that each kit marks for it.
ADDED = {
    "python": (
        "OPS = {\n",
        """
def size(args):
    return {"bytes": len(args["content"]), "nested": [type(v).__name__ for v in args["list"]]}
def broken(args):
    raise ValueError("no such thing")
def declined(args):
    raise Skip("not ours", "https://example.org/issues/1")
OPS = {"size": size, "broken": broken, "declined": declined,
""",
    ),
    "node": (
        "const OPS = {\n",
        """
const size = async ({ content, list }) => ({
  bytes: content.length, nested: list.map((v) => (Buffer.isBuffer(v) ? "bytes" : "str")),
});
const broken = () => { throw new RangeError("no such thing"); };
const declined = () => { throw new Skip("not ours", "https://example.org/issues/1"); };
const OPS = { size, broken, declined,
""",
    ),
}


@pytest.fixture(params=["python", pytest.param("node", marks=needs_node)])
def language(request):
    return request.param


@pytest.fixture
def kit(language):
    with conversation(*COMMANDS[language]) as talk:
        yield talk


@pytest.fixture
def extended(language, tmp_path):
    """A copy of the kit with three ops of its author's."""
    program, original = COMMANDS[language]
    place, code = ADDED[language]
    source = original.read_text(encoding="utf-8")
    assert source.count(place) == 1
    copy = tmp_path / original.name
    copy.write_text(source.replace(place, code), encoding="utf-8")
    with conversation(program, copy) as talk:
        yield talk


def test_as_copied_it_introduces_itself_and_owes_one_op(kit):
    started = kit.start()
    assert started["ops"] == ["project_key"]
    assert started["implementation"]["targets"] == ["2.1.296"]


def test_it_takes_any_profile(kit):
    assert kit.start(profile="picc-memory")["protocol"] == 1


@pytest.mark.parametrize("ascii_only", [True, False])
def test_its_example_is_right(kit, ascii_only):
    kit.start()
    got = {}
    for name, (path, _) in KEYS.items():
        if ascii_only or "\ud83d" not in path:  # half a pair has no UTF-8
            got[name] = kit.ask("project_key", ascii_only=ascii_only, path=path)
    assert got == {name: {"result": {"key": KEYS[name][1]}} for name in got}


def test_an_op_that_it_has_not_is_an_error(kit):
    kit.start()
    assert kit.ask("index_window", text="")["error"]["code"] == "unknown-op"


def test_requests_may_be_pipelined(kit):
    kit.start()
    paths = ["/" + "p" * (n % 7) for n in range(500)]
    lines = (
        b'{"cmd":"run","id":%d,"op":"project_key","args":{"path":"%s"}}\n' % (n, path.encode())
        for n, path in enumerate(paths, 1)
    )
    kit.write(b"".join(lines))
    answers = [kit.read("answer") for _ in paths]
    assert {answer["id"]: answer["result"]["key"] for answer in answers} == {
        n: path.replace("/", "-") for n, path in enumerate(paths, 1)
    }


def test_a_line_of_a_megabyte_is_one_line(kit):
    kit.start()
    # é as two bytes in a long line: some read ends between them
    key = kit.ask("project_key", ascii_only=False, path="é" * 2**20)["result"]["key"]
    assert key.startswith("-" * 200)


@pytest.mark.parametrize("stop", [True, False])
def test_it_ends_on_stop_and_on_a_closed_pipe(kit, stop):
    kit.start()
    assert kit.end(stop=stop) == (0, "")


def test_added_ops_are_listed(extended):
    assert extended.start()["ops"] == ["broken", "declined", "project_key", "size"]


def test_bytes_arrive_as_bytes_wherever_they_stand(extended):
    extended.start()
    wire = {"$bytes": base64.b64encode(b"\xff\x00\n").decode()}
    result = extended.ask("size", content=wire, list=["text", wire])["result"]
    assert result["bytes"] == 3
    assert result["nested"] == ["str", "bytes"]


def test_what_an_op_raises_is_the_answer_and_is_told_on_stderr(extended):
    extended.start()
    error = extended.ask("broken")["error"]
    assert error["code"] in ("ValueError", "RangeError")
    assert error["message"] == "no such thing"
    code, stderr = extended.end()
    assert code == 0
    assert "no such thing" in stderr


def test_an_op_may_decline(extended):
    extended.start()
    assert extended.ask("declined") == {
        "skipped": {"reason": "not ours", "issue_url": "https://example.org/issues/1"}
    }


@needs_node
@pytest.mark.parametrize(
    ("thrown", "code", "message"),
    [
        ("null", "Error", "null"),
        ('"just words"', "Error", "just words"),
        ("undefined", "Error", "undefined"),
        ('Object.assign(new Error("no"), { code: 7 })', "7", "no"),
        ("{ message: 5 }", "Error", "5"),
    ],
)
def test_node_answers_whatever_is_thrown(tmp_path, thrown, code, message):
    program, original = COMMANDS["node"]
    place = ADDED["node"][0]
    copy = tmp_path / original.name
    throwing = f"const thrower = () => {{ throw {thrown}; }};\n{place}  thrower,\n"
    copy.write_text(original.read_text(encoding="utf-8").replace(place, throwing), encoding="utf-8")
    with conversation(program, copy) as talk:
        talk.start()
        assert talk.ask("thrower") == {"error": {"code": code, "message": message}}
        assert "result" in talk.ask("project_key", path="/a")
