import pytest
from memassay_claude_code.errors import CannotWitnessError, ClientAskedError, WireChangedError
from memassay_claude_code.ops_saving import index_lint, topic_rewrite, topic_save

from .conftest import needs_fake_in_private_root

NOW_MS = 1_796_040_000_000
BY = {"session_id": "s-1", "now_ms": NOW_MS}
TOPIC = "---\nname: n\n---\nBody\n"
SIGNED = "---\nby: s-1\nat: 2026-11-30T12:00:00.000Z\nname: n\n---\nBody\n"


@pytest.mark.parametrize("file", ["a.md", "sub/deep/a.md", "MEMORY.md"])
@pytest.mark.parametrize("tool", ["write", "edit"])
def test_session_and_time_are_those_of_the_request(bench, file, tool):
    seen = topic_rewrite(bench(), {"file": file, "text": TOPIC, "tool": tool, **BY})
    assert seen == {"text": SIGNED, "rewritten": True}


def test_one_client_saves_many(bench):
    one = bench()
    texts = [TOPIC, "no header\n", TOPIC]
    seen = [topic_rewrite(one, {"file": "a.md", "text": text, **BY}) for text in texts]
    assert [answer["text"] for answer in seen] == [SIGNED, "no header\n", SIGNED]
    assert [answer["rewritten"] for answer in seen] == [True, False, True]


@needs_fake_in_private_root
@pytest.mark.parametrize("file", ["a.txt", "../a.md"])
def test_other_files(bench, file):
    seen = topic_rewrite(bench(private=True), {"file": file, "text": TOPIC, **BY})
    assert seen == {"text": TOPIC, "rewritten": False}


def test_a_shell(bench):
    seen = topic_rewrite(bench(), {"file": "a.md", "text": TOPIC, "tool": "shell", **BY})
    assert seen == {"text": TOPIC, "rewritten": False}


def test_memory_that_is_off(bench):
    seen = topic_rewrite(bench(), {"file": "a.md", "text": TOPIC, "enabled": False, **BY})
    assert seen == {"text": SIGNED, "rewritten": True}


def test_what_stands_in_the_text_is_not_replaced(bench):
    text = (
        "---\nid: 7c9e6679-7425-40de-944b-e07fc1f90ae7\nat: 2020-01-01T00:00:00.000Z\n---\nBody\n"
    )
    seen = topic_rewrite(bench(), {"file": "a.md", "text": text, **BY})
    assert seen["text"] == SIGNED.replace("name: n\n", text[4:-9])


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("two-sessions", "more than one"),
        ("other-time", "not that of the save"),
        ("lazy", "no file"),
    ],
)
def test_a_client_that_saves_otherwise(bench, mode, words):
    with pytest.raises(WireChangedError, match=words):
        topic_rewrite(bench(mode), {"file": "a.md", "text": TOPIC, **BY})


def test_a_client_that_refuses(bench):
    with pytest.raises(ClientAskedError, match="no permission"):
        topic_rewrite(bench("deny"), {"file": "a.md", "text": TOPIC, **BY})


@pytest.mark.parametrize(
    "how",
    [
        {"file": "a.md", "tool": "shell"},
        {"file": "a.txt"},
        {"file": "a.MD", "enabled": False},
        {"file": "a.md", "tool": "edit", "text": "\0"},
    ],
)
def test_a_client_that_refuses_what_is_unusual(bench, how):
    with pytest.raises(CannotWitnessError, match="does not let that tool write there"):
        topic_rewrite(bench("deny"), {"text": TOPIC, **how, **BY})


@pytest.mark.parametrize("text", ["a\r\nb\n", "zq8x-edited", "\ud83d"])
def test_what_an_edit_cannot_leave(bench, text):
    with pytest.raises(CannotWitnessError):
        topic_rewrite(bench(), {"file": "a.md", "text": text, "tool": "edit", **BY})


ESCAPED = r"\u0041 \\u0041 \n \ud83d\ude00"


@pytest.mark.parametrize("mode", ["plain", "reads-escapes"])
@pytest.mark.parametrize("tool", ["write", "edit"])
def test_escapes_are_left_as_they_stand_in_the_request(bench, mode, tool):
    seen = topic_rewrite(bench(mode), {"file": "a.md", "text": ESCAPED, "tool": tool, **BY})
    assert seen == {"text": ESCAPED, "rewritten": False}


def test_a_client_that_reads_escapes_in_a_way_unheard_of(bench):
    with pytest.raises(WireChangedError, match="u005cu0041 and left 'u0041'"):
        topic_rewrite(bench("drops-escapes"), {"file": "a.md", "text": ESCAPED, **BY})


@pytest.mark.parametrize("text", ["a \nb", "a\t\r\n", "\ufeff", "a\u3000"])
def test_what_a_write_cannot_leave_but_in_markdown(bench, text):
    with pytest.raises(CannotWitnessError, match="line ends"):
        topic_rewrite(bench(), {"file": "a.txt", "text": text, **BY})
    seen = topic_rewrite(bench(), {"file": "a.md", "text": text, **BY})
    assert seen == {"text": text, "rewritten": False}


OVER = {
    "level": "over",
    "measure": "lines",
    "shown": "201 lines",
    "limit": "200 lines",
    "target": "140 lines",
}


@pytest.mark.parametrize("tool", ["write", "edit"])
def test_feedback(bench, tool):
    one = bench()
    for count, expected in ((201, OVER), (200, None), (201, OVER)):
        assert index_lint(one, {"text": "- x\n" * count, "tool": tool}) == {"feedback": expected}


def test_no_feedback_on_a_topic(bench):
    assert index_lint(bench(), {"file": "a.md", "text": "- x\n" * 300}) == {"feedback": None}


def test_a_client_that_never_says_anything_is_no_witness(bench):
    with pytest.raises(WireChangedError, match="says nothing"):
        index_lint(bench("mute"), {"text": ""})


def test_topic_save(bench, nothing_left):
    memory = nothing_left / "case" / "m"
    memory.mkdir(parents=True)
    (memory / "b.md").write_text(TOPIC)
    before = (memory / "b.md").stat().st_mtime_ns
    args = {"memory_dir": str(memory), "file": str(memory / "a.md"), "text": TOPIC, **BY}
    assert topic_save(bench(), args) == {"saved": True}
    assert sorted(path.name for path in memory.iterdir()) == ["a.md", "b.md"]
    assert (memory / "a.md").read_text() == SIGNED
    assert (memory / "b.md").stat().st_mtime_ns == before


def test_topic_save_that_is_refused(bench, nothing_left):
    memory = nothing_left / "case" / "m"
    memory.mkdir(parents=True)
    args = {"memory_dir": str(memory), "file": str(memory / "a.md"), "text": TOPIC, **BY}
    assert topic_save(bench("deny"), args) == {"saved": False}
    assert list(memory.iterdir()) == []
