"""Which copies of the index a conversation carries."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.caching import OPS

ASK = {"type": "request"}


def turns(index, *events, profile="claude-code"):
    return OPS["caching"]({"index": index, "events": list(events)}, profile)["turns"]


def edit(text):
    return {"type": "edit", "text": text}


@pytest.mark.parametrize("kind", ["compact", "clear", "switch_branch", "reload"])
def test_what_begins_anew_reads_anew(kind):
    assert turns("- one", ASK, edit("- two"), ASK, {"type": kind}, ASK) == [
        ["- one"],
        ["- one"],
        ["- two"],
    ]


def test_a_resume_adds_or_replaces():
    events = (ASK, edit("- two"), {"type": "resume"}, ASK)
    assert turns("- one", *events) == [["- one"], ["- one", "- two"]]
    assert turns("- one", *events, profile="pi-project-memory") == [["- one"], ["- two"]]


def test_a_copy_is_what_is_injected_with_its_warning():
    (copies,) = turns("- x\n" * 201, ASK)[0:1]
    assert copies[0].startswith("- x\n- x")
    assert "201 lines" in copies[0]


EVENTS = st.lists(
    st.one_of(
        st.just(ASK),
        st.builds(edit, st.sampled_from(["", "- one", "- two", "- three"])),
        st.sampled_from(
            [{"type": "compact"}, {"type": "resume"}, {"type": "write", "text": "- four"}]
        ),
    ),
    max_size=20,
)


@given(EVENTS)
def test_a_conversation_only_grows_until_it_begins_anew(events):
    before = []
    copies = iter(turns("- one", *events))
    for event in events:
        if event["type"] == "compact":
            before = []
        elif event["type"] == "request":
            now = next(copies)
            assert now[: len(before)] == before
            assert len(now) <= len(before) + events.count({"type": "resume"}) + 1
            assert all(one != other for one, other in pairwise(now))
            assert "" not in now
            before = now
