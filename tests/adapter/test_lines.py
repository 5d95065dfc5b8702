"""Cutting bytes into lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memassay.adapter.lines import LineBuffer


@given(st.lists(st.binary(max_size=6).map(lambda b: b.replace(b"x", b"\n")), max_size=12))
def test_lines_do_not_depend_on_how_the_bytes_were_cut(chunks):
    buffer = LineBuffer()
    lines = [line for chunk in chunks for line in buffer.feed(chunk)]
    assert [*lines, buffer.rest] == b"".join(chunks).split(b"\n")
    assert not buffer.overflowed


@given(st.lists(st.sampled_from([b"a", b"bb", b"\n", b"a\nb"]), max_size=20), st.integers(1, 4))
def test_limit_holds_for_each_line_and_never_more_is_kept(chunks, limit):
    buffer = LineBuffer(limit)
    lines = []
    for chunk in chunks:
        lines += buffer.feed(chunk)
        assert len(buffer.rest) <= limit
    whole = b"".join(chunks).split(b"\n")
    too_long = [n for n, line in enumerate(whole) if len(line) > limit]
    assert buffer.overflowed is bool(too_long)
    assert lines == whole[: too_long[0] if too_long else -1]
