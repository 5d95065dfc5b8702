import io
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.adapter.messages import FaultKind
from memassay.judge.reading import StreamError, read_stream
from memassay.judge.verdict import Outcome
from memassay.spec.schemas import schema
from tests.judge.runs import real_run

RUN, TEXT = real_run()
LINES = TEXT.encode().splitlines(keepends=True)


def read(*lines):
    return read_stream(io.BytesIO(b"".join(lines)))


def complaint(*lines):
    with pytest.raises(StreamError) as caught:
        read(*lines)
    return str(caught.value)


def edited(line, **changes):
    return json.dumps({**json.loads(line), **changes}).encode() + b"\n"


def test_a_path_and_an_open_file_are_read_alike(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(LINES))
    assert read_stream(path) == read_stream(str(path)) == read(*LINES) == RUN
    with path.open(encoding="utf-8") as file:
        assert read_stream(file) == RUN


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_stream_that_was_cut_off_keeps_its_whole_lines(cut):
    run = read_stream(io.BytesIO(b"".join(LINES)[:-cut]))
    assert run.truncated
    assert run.footer is None
    assert run.verdicts == RUN.verdicts
    shorter = read(*LINES[:3], LINES[3][:-cut])
    assert shorter.truncated
    assert [*shorter.verdicts] == [*RUN.verdicts][:2]


@pytest.mark.parametrize(
    "first",
    [b"", b'{"kind":"header"', b"hello\n", b"[]\n", b"\xff\xfe\n", b"{}\n", b"\n", LINES[1]],
)
def test_what_is_no_stream_is_said_to_be_none(first):
    assert "is no verdict stream" in complaint(first)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(StreamError) as caught:
        read_stream(tmp_path / "none")
    assert str(caught.value) == f"{tmp_path}/none: cannot be read: No such file or directory"
    with pytest.raises(StreamError, match="Is a directory"):
        read_stream(tmp_path)


def test_errors_name_file_and_line(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(LINES[0] + LINES[1] + b"oops\n" + LINES[2])
    with pytest.raises(StreamError) as caught:
        read_stream(path)
    assert str(caught.value) == (f"{path}:3: is not JSON (Expecting value)\n  the file is damaged")


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ((LINES[0], LINES[1], LINES[1]), ":3: case sh-ascii has a second verdict"),
        ((*LINES, LINES[1]), "goes on after its footer"),
        ((*LINES, *LINES), "goes on after its footer"),
        ((LINES[0], LINES[0]), ":2: no 'header' belongs here"),
        ((LINES[0], b'{"kind":"remark"}\n'), ":2: no 'remark' belongs here"),
        ((LINES[0], b"[]\n"), ":2: is no JSON object"),
        ((LINES[0], b"\xff\n"), ":2: is not JSON"),
        ((LINES[0], b'{"kind":NaN}\n'), ":2: is not JSON (NaN is no JSON value)"),
        ((LINES[0], b'{"kind":1e999}\n'), ":2: is not JSON (the number '1e999' is too large)"),
        ((LINES[0], b"[" * 900 + b"]" * 900 + b"\n"), ":2: is not JSON (it is nested more than"),
        ((LINES[0], edited(LINES[1], outcome="maybe")), ":2: outcome: 'maybe' is not one of"),
        ((LINES[0], edited(LINES[1], outcome="not-run")), ":2: outcome: 'not-run' is not one of"),
        ((LINES[0], edited(LINES[1], odd=1)), ":2: verdict: Additional properties"),
        ((LINES[0], edited(LINES[1], reason={"$zlib": "!"})), ":2: a packed text is damaged"),
        ((edited(LINES[0], stream=2),), "is a stream of format 2; this memassay reads format 1"),
        ((edited(LINES[0], cases=-1),), ":1: cases: -1 is less than the minimum"),
        ((LINES[0], edited(LINES[-1], digest="x")), ":2: digest: 'x' does not match"),
    ],
)
def test_damage_is_told_with_its_line(lines, problem):
    assert problem in complaint(*lines)


def test_the_schema_knows_every_outcome_and_kind_of_fault():
    properties = schema("stream/verdict")["properties"]
    assert properties["fault"]["enum"] == [kind.value for kind in FaultKind]
    assert properties["outcome"]["enum"] == [o.value for o in Outcome if o is not Outcome.NOT_RUN]
    names = schema("stream/footer")["properties"]["counts"]["propertyNames"]["enum"]
    assert names == properties["outcome"]["enum"]


@given(st.binary(max_size=200))
def test_nothing_else_is_ever_raised(data):
    for junk in (data, LINES[0] + data, LINES[0] + data + b"\n" + LINES[1]):
        with suppress(StreamError):
            read_stream(io.BytesIO(junk))


@given(
    st.dictionaries(
        st.sampled_from(sorted(json.loads(LINES[1]) | {"error": 0, "tree": 0, "mismatches": 0})),
        st.none() | st.integers() | st.text() | st.lists(st.integers()) | st.just({"$zlib": "x"}),
    )
)
def test_no_line_of_the_right_kind_breaks_the_reader(changes):
    line = edited(LINES[1], **{**changes, "kind": "verdict"})
    with suppress(StreamError):
        assert len(read(LINES[0], line).verdicts) == 1


def test_a_long_text_comes_back_whole():
    def shout(op, args, profile):  # noqa: ARG001 (the shape of an implementation)
        return {"result": {"text": "😀" * 30_000 + "\ud83d"}} if op == "shout" else {"result": {}}

    run, text = real_run(shout)
    assert "$zlib" in text
    assert len(text) < 30_000
    again = read_stream(io.StringIO(text))
    assert again == run
    assert again.verdicts["sh-ascii"].result == {"text": "😀" * 30_000 + "\ud83d"}


def test_the_name_of_an_open_file_is_its_name():
    file = io.BytesIO(b"oops\n")
    file.name = Path("somewhere")
    with pytest.raises(StreamError) as caught:
        read_stream(file)
    assert str(caught.value).startswith("somewhere:1: ")
