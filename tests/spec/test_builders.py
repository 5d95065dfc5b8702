import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec.builders import (
    DEFAULT_CLOCK,
    Context,
    build,
    build_mapping,
    clock_ms,
    duration_us,
    fill,
    is_builder,
)
from memassay.spec.errors import BuilderError

CONTEXT = Context("/tmp/memassay-1/7", clock_ms(DEFAULT_CLOCK))

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("abc"), inner),
)


@pytest.mark.parametrize(
    ("value", "built"),
    [
        ({"repeat": "ab", "times": 3}, "ababab"),
        ({"repeat": {"hex": "00"}, "times": 2}, b"\0\0"),
        ({"concat": ["a", {"repeat": "b", "times": 0}, "c"]}, "ac"),
        ({"concat": ["é", {"hex": "FF"}]}, b"\xc3\xa9\xff"),
        ({"concat": []}, ""),
        ({"lines": {"from": 8, "to": 10, "format": "- l{n:03}"}}, "- l008\n- l009\n- l010"),
        ({"lines": {"from": 1, "to": 2, "format": "{x}{n}", "separator": "\r\n"}}, "{x}1\r\n{x}2"),
        ({"lines": {"from": 2, "to": 1, "format": "x"}}, ""),
        ({"hex": "ff 0A"}, b"\xff\n"),
        ({"base64": "AAE="}, b"\0\1"),
        ({"utf16": "D83D 0061"}, "\ud83da"),
        ({"utf16": "D83D DE00"}, "😀"),
        ({"path": "work/p"}, "/tmp/memassay-1/7/work/p"),
        ({"path": "."}, "/tmp/memassay-1/7"),
        ({"slug_of": "work/my.p"}, "-tmp-memassay-1-7-work-my-p"),
        ({"clock_ms": "0"}, 1796040000000),
        ({"clock_ms": "-48h"}, 1796040000000 - 172_800_000),
        ({"clock_ms": "1d2h3m4s5ms"}, 1796040000000 + 93_784_005),
        ({"literal": {"repeat": "x", "times": 2}}, {"repeat": "x", "times": 2}),
        ([{"a": {"utf16": "0041"}}], [{"a": "A"}]),
        ({"repeat": "x", "times": 2, "more": 1}, {"repeat": "x", "times": 2, "more": 1}),
    ],
)
def test_builders_build(value, built):
    assert build(value, CONTEXT) == built


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ({"repeat": "x", "times": -1}, "whole number"),
        ({"repeat": "x", "times": True}, "whole number"),
        ({"repeat": "x" * 1000, "times": 10**9}, "more than"),
        ({"repeat": 5, "times": 1}, "text or bytes"),
        ({"concat": "ab"}, "list"),
        ({"lines": {"from": 1, "to": 2}}, "takes"),
        ({"lines": {"from": 1, "to": 2, "format": "x", "sep": ""}}, "takes"),
        ({"lines": {"from": 0, "to": 2**27, "format": "xx"}}, "more than"),
        ({"lines": {"from": 0, "to": 10**12, "format": ""}}, "more than"),
        ({"clock_ms": []}, "duration"),
        ({"clock_ms": False}, "duration"),
        ({"hex": "f"}, "hexadecimal"),
        ({"base64": "?"}, "base64"),
        ({"utf16": "12345"}, "code units"),
        ({"path": "../x"}, "no path in the tree"),
        ({"path": "/etc"}, "no path in the tree"),
        ({"path": "a//b"}, "no path in the tree"),
        ({"slug_of": "é"}, "ASCII"),
        ({"clock_ms": "soon"}, "duration"),
        ({"clock_ms": "1us"}, "whole milliseconds"),
    ],
)
def test_builders_that_do_not_fit_say_so(value, word):
    with pytest.raises(BuilderError, match=word):
        build(value, CONTEXT)


@given(
    st.lists(
        st.sampled_from(["{n}", "{n:3}", "{n:03}", "{", "}", "{{", "{0}", "{n:0}", "n", "%d"])
    ),
    st.integers(-5, 2000),
)
def test_only_placeholders_are_filled(pieces, number):
    template = "".join(pieces)
    wanted = re.sub(r"\{n(?::0(\d+))?\}", lambda m: f"{number:0{m[1] or 1}}", template)
    assert fill(template, number) == wanted


def test_args_and_expect_themselves_are_never_builders():
    assert build_mapping({"path": "/t/x"}, CONTEXT) == {"path": "/t/x"}
    assert build_mapping({"at": {"path": "x"}}, CONTEXT) == {"at": "/tmp/memassay-1/7/x"}


def test_a_portable_context_names_no_machine():
    portable = Context.portable(None)
    assert build({"path": "a"}, portable) == "<TREE>/a"
    assert build({"slug_of": "a/b"}, portable) == "<TREE-SLUG>-a-b"


@pytest.mark.parametrize("clock", ["yesterday", "2026-11-30T12:00:00"])
def test_clocks_are_iso_times_with_a_zone(clock):
    with pytest.raises(BuilderError, match="clock"):
        clock_ms(clock)


@given(JSON)
def test_plain_values_build_to_themselves(value):
    assert build(value, CONTEXT) == value
    assert not is_builder(value)


@given(st.binary())
def test_bytes_round_trip(data):
    assert build({"hex": data.hex()}, CONTEXT) == data
    assert build({"base64": base64.b64encode(data).decode()}, CONTEXT) == data


@given(st.text(st.characters()))
def test_text_round_trips_through_its_units(text):
    raw = text.encode("utf-16-be", "surrogatepass")
    assert build({"utf16": raw.hex(" ", 2)}, CONTEXT) == text


@given(st.integers(0, 10**15))
def test_durations_add_up(us):
    seconds, rest = divmod(us, 1_000_000)
    assert duration_us(f"{seconds}s{rest}us") == us
    assert duration_us(f"-{seconds}s{rest}us") == -us
