"""Lines, and that the quick checks say exactly what the schemas say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memassay.adapter.messages import (
    Errored,
    Fault,
    FaultKind,
    Implementation,
    Request,
    Result,
    Skipped,
    Started,
)
from memassay.adapter.protocol import (
    STOP_LINE,
    MessageError,
    complaint,
    decode_answer,
    decode_started,
    encode,
    is_answer,
    is_run,
    is_started,
    parse_object,
    run_line,
    start_line,
)
from memassay.spec.schemas import validator

texts = st.text(st.characters(exclude_categories=()), max_size=8)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def nearly(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Objects of about the right shape: keys missing, keys too many, values of the wrong kind."""
    right = st.fixed_dictionaries(required, optional=optional)
    mutilated = st.builds(
        lambda message, drop, extra: {
            **{key: value for key, value in message.items() if key not in drop},
            **extra,
        },
        right,
        st.sets(st.sampled_from(sorted({**required, **optional})), max_size=1),
        st.dictionaries(st.sampled_from([*required, *optional, "more"]), values, max_size=1),
    )
    return right | mutilated | values


names = st.sampled_from(["", "x", "echo"])
integers = st.sampled_from([0, 1, 17, -3, 2**70, 1.0, 1.5, 1e300, True])
answers = nearly(
    {"id": integers},
    {
        "result": nearly({}, {"kept": values}),
        "skipped": nearly({"reason": names}, {"issue_url": st.none() | names}),
        "error": nearly({"code": names, "message": names}, {}),
    },
)
starteds = nearly(
    {
        "protocol": st.sampled_from([1, 1.0, True, 2, "1"]),
        "implementation": nearly(
            {"name": names},
            {
                "version": st.none() | names,
                "language": st.none() | names,
                "homepage": st.none() | names,
                "targets": st.lists(names, max_size=2) | values,
            },
        ),
        "ops": st.lists(names | values, max_size=3),
    },
    {},
)
runs = nearly(
    {"cmd": st.just("run"), "id": integers, "op": names, "args": nearly({}, {"text": values})}, {}
)


@given(answers.filter(lambda message: isinstance(message, dict)))
@example({"id": 1, "result": {}})
@example({"id": 1, "skipped": {"reason": "r", "issue_url": None}})
@example({"id": 1, "error": {"code": "c", "message": ""}})
def test_quick_check_of_answers_is_the_schema(message):
    assert is_answer(message) is validator("messages/answer").is_valid(message)


@given(starteds.filter(lambda message: isinstance(message, dict)))
@example({"protocol": 1, "implementation": {"name": "n"}, "ops": []})
@example({"protocol": 1, "implementation": {"name": "n"}, "ops": ["a", "a"]})
def test_quick_check_of_started_is_the_schema(message):
    assert is_started(message) is validator("messages/started").is_valid(message)


@given(runs.filter(lambda m: isinstance(m, dict) and m.keys() == {"cmd", "id", "op", "args"}))
def test_quick_check_of_run_is_the_schema(message):
    assert is_run(message) is validator("messages/run").is_valid(message)


@given((answers | starteds).filter(lambda message: isinstance(message, dict)))
def test_complaint_is_one_short_line_exactly_when_the_schema_refuses(message):
    for name in ("answer", "started"):
        problem = complaint(name, message)
        assert (problem is None) is validator(f"messages/{name}").is_valid(message)
        if problem is not None:
            assert problem.isprintable()
            assert len(problem) < 2500


@given(st.dictionaries(texts, values))
def test_what_is_encoded_is_one_line_of_ascii_and_comes_back(message):
    line = encode(message)
    assert line.isascii()
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    # two lone halves that meet are one character to JSON, as they are to JavaScript
    assert parse_object(line[:-1]) == json.loads(json.dumps(message))


def test_lone_surrogates_and_bytes_survive():
    assert encode({"text": "a\ud83d", "content": b"\xff\n"}) == (
        b'{"text":"a\\ud83d","content":{"$bytes":"/wo="}}\n'
    )
    assert parse_object(b'{"text":"a\\ud83d"}') == {"text": "a\ud83d"}


@given(st.binary(max_size=40))
def test_any_bytes_are_an_object_or_garbage(line):
    number, answer = decode_answer(line)
    assert number is None
    assert isinstance(answer, Fault)
    assert answer.kind in {FaultKind.GARBAGE, FaultKind.BAD_MESSAGE}
    assert answer.message.isprintable()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "an empty line: ''"),
        (b"  \r", "an empty line: '  \\r'"),
        (b"\xef\xbb\xbf{}", "a line that is not JSON (Expecting value): '\\ufeff{}'"),
        (b'{"a":"\xed\xa0\xbd"}', "a line that is not UTF-8 (byte 6): "),
        (b'{"a":1e999}', "a line that is not JSON (the number '1e999' is too large): "),
        (b'{"a":Infinity}', "a line that is not JSON (Infinity is no JSON value): "),
        (b'{"a":1}{"b":2}', "a line that is not JSON (Extra data): "),
        (b'"text"', "a line of JSON that is not an object: '\"text\"'"),
        (b"null", "a line of JSON that is not an object: 'null'"),
        (b"[" * 100_000, "a line of JSON nested more than 100 deep: '[["),
        (b'{"a":' + b"[" * 100 + b"]" * 100 + b"}", "a line of JSON nested more than 100 deep: '{"),
        (b'{"a":' + b"9" * 5000 + b"}", "a line that is not JSON (Exceeds the limit"),
    ],
)
def test_garbage_is_told_by_its_kind(line, message):
    with pytest.raises(MessageError) as caught:
        parse_object(line)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 400


def test_line_may_end_as_on_windows():
    assert decode_answer(b'{"id": 3, "result": {}}\r') == (3, Result({}))


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ({"id": 3, "result": {"kept": ""}}, Result({"kept": ""})),
        ({"id": 3.0, "result": {}}, Result({})),
        ({"id": 3, "skipped": {"reason": "no git"}}, Skipped("no git")),
        ({"id": 3, "skipped": {"reason": "r", "issue_url": "u"}}, Skipped("r", "u")),
        ({"id": 3, "error": {"code": "c", "message": "m"}}, Errored("c", "m")),
    ],
)
def test_answers_are_read(message, answer):
    assert decode_answer(json.dumps(message).encode()) == (3, answer)


@pytest.mark.parametrize(
    ("message", "number", "problem"),
    [
        ({"result": {}}, None, "'id' is a required property"),
        ({"id": "3", "result": {}}, None, "id: is '3', not of type integer"),
        ({"id": True, "result": {}}, None, "id: is True, not of type integer"),
        ({"id": 3, "result": {}, "x": 1}, 3, "unknown key 'x'"),
        ({"id": 3, "x": 1, "y": 2}, 3, "unknown keys 'x', 'y'; needs exactly one of"),
        ({"id": 3}, 3, "needs exactly one of result, skipped, error; has none of them"),
        ({"id": 3, "result": [1]}, 3, "result: is [1], not of type object"),
        ({"id": 3, "skipped": {}}, 3, "skipped: 'reason' is a required property"),
        ({"id": 3, "skipped": {"reason": ""}}, 3, "skipped.reason: is empty"),
        ({"id": 3, "error": {"code": "c"}}, 3, "error: 'message' is a required property"),
        (
            {"id": 3, "error": {"code": 1, "message": "m", "stack": "s"}},
            3,
            "error: unknown key 'stack'; error.code: is 1, not of type string",
        ),
    ],
)
def test_bad_answers_are_faults_that_say_what_is_wrong(message, number, problem):
    found, fault = decode_answer(json.dumps(message).encode())
    assert found == number
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.BAD_MESSAGE
    assert fault.message.startswith(f"a bad answer: {problem}")


def test_started_is_read():
    about = {
        "protocol": 1,
        "implementation": {"name": "port", "version": "1.2", "targets": ["2.1.296"]},
        "ops": ["project_key", "sanitise"],
    }
    assert decode_started(json.dumps(about).encode()) == Started(
        Implementation("port", version="1.2", targets=("2.1.296",)), ("project_key", "sanitise")
    )


def test_what_the_runner_says_is_what_the_schemas_allow():
    request = Request(7, "sanitise", {"text": "x"})
    for name, line in (("start", start_line("p")), ("run", run_line(request)), ("stop", STOP_LINE)):
        assert validator(f"messages/{name}").is_valid(parse_object(line[:-1]))
    assert run_line(request) == b'{"cmd":"run","id":7,"op":"sanitise","args":{"text":"x"}}\n'


def test_examiner_does_not_send_what_its_own_schema_refuses():
    with pytest.raises(ValueError, match="memassay made a bad `run` message: op: is empty"):
        run_line(Request(7, "", {}))
    with pytest.raises(ValueError, match="memassay made a bad `start` message: profile: is empty"):
        start_line("")
