import io
import json
import signal
import subprocess
import sys
import time

import pytest
from memassay_claude_code.serve import Ask, Inbox, answer, decode, serve

from tests.adapters import conversation as talking

from .conftest import ADAPTER, FAKE_VERSION


def command(client, *flags):
    return [sys.executable, "-m", "memassay_claude_code", "--client", client, *flags]


@pytest.fixture(autouse=True)
def _on_the_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ADAPTER))


PLAIN = "--no-private-root"


def test_a_run_over_the_pipe(fake):
    with talking.conversation(*command(fake(), PLAIN)) as adapter:
        started = adapter.start()
        assert started["implementation"]["version"] == FAKE_VERSION
        assert "sanitise" in started["ops"]
        assert adapter.ask("index_window", text="- a") == {
            "result": {"kept": "- a", "warning": None}
        }
        assert adapter.ask("sanitise", text="\ud83d") == {
            "skipped": {"reason": "half a surrogate pair cannot stand in a file"}
        }
        assert adapter.ask("index_window")["error"]["code"] == "bad-arguments"
        assert adapter.ask("recall_window", content="x")["error"]["code"] == "unknown-op"
        assert adapter.end()[0] == 0


def test_an_end_without_stop(fake):
    with talking.conversation(*command(fake(), PLAIN)) as adapter:
        adapter.start()
        assert adapter.end(stop=False)[0] == 0


@pytest.mark.parametrize(
    ("mode", "named"),
    [
        ("not-the-client", "not-the-client"),
        ("exit", "client-exited"),
        ("hang", "client-hung"),
        ("ask", "client-asked"),
        ("silent", "wire-changed"),
        ("other-wire", "wire-changed"),
        ("garble", "wire-changed"),
        ("forgetful", "wire-changed"),
    ],
)
def test_a_client_that_cannot_testify_ends_the_run_by_name(fake, mode, named):
    line = json.dumps({"cmd": "start", "protocol": 1, "profile": "claude-code"}).encode() + b"\n"
    # Only what waits for the limit gets a short one: a loaded machine starts the others late.
    limit_s = "2" if mode == "hang" else "60"
    code, out, err = talking.finish(command(fake(mode), PLAIN, "--time-limit", limit_s), line)
    assert (code, out) == (4, b"")
    assert f"memassay_claude_code: {named}: " in err
    assert "Traceback" not in err


def test_check(fake):
    code, out, _ = talking.finish(command(fake(), PLAIN, "--check"))
    assert code == 0
    assert FAKE_VERSION in out.decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_nothing_behind(fake, number, nothing_left):
    process = subprocess.Popen(
        [str(part) for part in command(fake("die-later"), PLAIN)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    start = {"cmd": "start", "protocol": 1}
    process.stdin.write(json.dumps(start).encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    for n in range(8):
        ask = {"cmd": "run", "id": n + 1, "op": "index_window", "args": {"text": f"- {n}"}}
        process.stdin.write(json.dumps(ask).encode() + b"\n")
    process.stdin.flush()
    time.sleep(0.2)
    process.send_signal(number)
    process.communicate(timeout=talking.TIME_LIMIT_S)
    assert process.returncode == 128 + number
    assert [path.name for path in nothing_left.iterdir()] == []


def test_answers_do_not_wait_for_each_other_and_none_is_lost(options):
    asks = [
        {"cmd": "run", "id": n, "op": op, "args": {"text": f"- {n}"}}
        for n, op in enumerate(["sanitise", "index_window"] * 6, 1)
    ]
    out = io.StringIO()
    serve(
        options,
        [json.dumps(line) for line in ({"cmd": "start"}, *asks, {"cmd": "stop"})],
        out,
    )
    answers = [json.loads(line) for line in out.getvalue().splitlines()][1:]
    assert sorted(one["id"] for one in answers) == [ask["id"] for ask in asks]
    for one in answers:
        expected = f"- {one['id']}"
        result = one["result"]
        assert expected in (result.get("text"), result.get("kept"))


def test_a_form_that_is_not_known_is_no_answer_of_the_client(bench, capsys):
    asks = [Ask(1, "index_lint", {"text": "- a"}), Ask(2, "sanitise", {"text": "x"})]
    mute = bench("mute")
    answers = [reply for one in asks for reply in answer(mute, [one])]
    assert answers[0]["skipped"]["reason"].startswith("wire-changed: the client says nothing")
    assert answers[1] == {"id": 2, "result": {"text": "x"}}
    assert "case 1 (index_lint): wire-changed" in capsys.readouterr().err


def ask(number, op="sanitise", text="x"):
    return Ask(number, op, {"text": text})


def test_the_inbox_hands_out_what_may_share_a_look():
    inbox = Inbox()
    for item in (ask(1), ask(2, "index_window"), ask(3), ask(4, text="x" * 21_990), ask(5)):
        inbox.put(item)
    inbox.close()
    taken = []
    while items := inbox.take(batched=True):
        taken.append([item.id for item in items])
    assert taken == [[1, 3, 5], [2], [4]]


def test_the_inbox_hands_out_one_at_a_time_when_isolated():
    inbox = Inbox()
    for item in (ask(1), ask(2)):
        inbox.put(item)
    assert [item.id for item in inbox.take(batched=False)] == [1]
    inbox.abandon()
    assert inbox.take(batched=False) == []


def test_decode():
    assert decode({"a": [{"$bytes": "AP8="}], "$bytes": "x"}) == {"a": [b"\0\xff"], "$bytes": "x"}
