import hashlib
import io
import json

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from memassay.judge.reading import read_stream
from memassay.judge.stream import Run, StreamWriter, encode_line
from memassay.judge.verdict import Footer, Mismatch, Outcome, Position
from memassay.spec.schemas import validator
from tests.judge import mini
from tests.judge.runs import TROUBLE, footer, header, real_run, run_of, verdict
from tests.judge.strategies import verdicts


def written(entries):
    out = io.StringIO()
    writer = StreamWriter(out)
    for entry in entries:
        writer.write(entry)
    return out.getvalue()


@settings(max_examples=25)
@given(st.lists(verdicts(), max_size=2))
def test_what_was_written_is_read(drawn):
    own = [evolve(one, case=f"x-{number}") for number, one in enumerate(drawn)]
    entries = [header(), *own, TROUBLE, footer()]
    text = written(entries)
    assert text.isascii()
    assert text.count("\n") == len(entries)
    run = read_stream(io.BytesIO(text.encode()))
    assert run == Run.of(entries)
    assert list(run.verdicts.values()) == own
    assert run.troubles == (TROUBLE,)


@settings(max_examples=40)
@given(verdicts())
def test_every_line_is_as_its_schema_says(drawn):
    for entry in (header(), drawn, TROUBLE):
        value = json.loads(encode_line(entry))
        validator(f"stream/{value['kind']}").validate(value)


def test_keys_come_in_a_fixed_order_and_what_is_not_there_is_left_out():
    failed = verdict(
        mini.CASES[0],
        Outcome.FAIL,
        result={"z": 1, "a": 2},
        mismatches=(Mismatch("text", "is wrong", None, "x", Position(1, 1, 2)),),
        nulls={"nothing": True},
    )
    assert encode_line(failed) == (
        b'{"kind":"verdict","case":"sh-ascii","rule":"SH-1","chapter":"shout","level":"MUST",'
        b'"outcome":"fail","result":{"z":1,"a":2},"mismatches":[{"at":"text","problem":"is wrong",'
        b'"expected":null,"got":"x","position":{"units":1,"line":1,"column":2}}],'
        b'"nulls":{"nothing":true}}\n'
    )
    assert encode_line(verdict(mini.CASES[0])) == (
        b'{"kind":"verdict","case":"sh-ascii","rule":"SH-1","chapter":"shout","level":"MUST",'
        b'"outcome":"pass"}\n'
    )


def test_the_footer_seals_all_lines_before_it():
    failed = verdict(mini.CASES[2], Outcome.FAIL)
    text = written([header(), verdict(mini.CASES[0]), failed, footer()])
    *before, last = text.encode().splitlines(keepends=True)
    assert json.loads(last) == {
        "kind": "footer",
        "complete": True,
        "counts": {"pass": 1, "fail": 1},
        "reason": None,
        "digest": "sha256:" + hashlib.sha256(b"".join(before)).hexdigest(),
    }


def test_every_line_is_out_as_soon_as_it_is_written(tmp_path):
    path = tmp_path / "out.jsonl"
    with path.open("w", encoding="ascii", newline="\n") as file:
        writer = StreamWriter(file)
        writer.write(header())
        assert path.read_bytes() == encode_line(header())


def test_equal_runs_write_equal_streams():
    assert real_run()[1] == real_run()[1]


def test_a_run_in_memory_is_the_run_in_the_file():
    run, text = real_run()
    assert read_stream(io.StringIO(text)) == run
    assert run.complete
    assert not run.truncated
    assert isinstance(run.footer, Footer)


def test_a_run_without_footer_is_truncated_and_one_interrupted_is_not_complete():
    assert run_of({}, end=False).truncated
    interrupted = run_of({"no-keep": None}, reason="interrupted")
    assert not interrupted.truncated
    assert not interrupted.complete


def test_a_run_needs_a_header_and_one_verdict_a_case():
    with pytest.raises(ValueError, match="begins with a header"):
        Run.of([footer()])
    with pytest.raises(ValueError, match="case sh-ascii has two verdicts"):
        Run.of([header(), verdict(mini.CASES[0]), verdict(mini.CASES[0])])


def test_numbers_that_json_does_not_have_are_never_written():
    with pytest.raises(ValueError, match="JSON"):
        encode_line(verdict(mini.CASES[0], result={"x": float("nan")}))
