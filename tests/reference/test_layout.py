"""The data model: names, links, and what a header's keys mean."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference import layout


@pytest.mark.parametrize("name", ["a.md", "memory.md", "Memory.md", "MEMORY.md.md", ".md"])
def test_a_markdown_file_is_a_topic(name):
    assert layout.is_topic_name(name)


@pytest.mark.parametrize("name", ["MEMORY.md", "a.MD", "a.txt", "md", "a.md.bak", ""])
def test_the_index_and_other_files_are_no_topics(name):
    assert not layout.is_topic_name(name)


def test_a_links_title_is_the_stem_and_its_target_the_path():
    assert layout.link("a.md") == "- [a](a.md)"
    assert layout.link("sub/deep/a.md.md") == "- [a.md](sub/deep/a.md.md)"


@pytest.mark.parametrize("known", layout.TYPES)
def test_a_known_type_is_found_in_both_places(known):
    assert layout.topic_type({"metadata": {"type": known}}) == known
    assert layout.topic_type({"type": known}) == known


def test_an_explicit_type_wins_even_if_it_is_unknown():
    assert layout.topic_type({"type": "user", "metadata": {"type": "project"}}) == "project"
    assert layout.topic_type({"type": "user", "metadata": {"type": "banana"}}) is None


def test_metadata_without_a_type_hides_nothing():
    assert layout.topic_type({"type": "user", "metadata": {"node_type": "memory"}}) == "user"
    assert layout.topic_type({"type": "user", "metadata": None}) == "user"


@pytest.mark.parametrize("value", [None, "", {"a": "b"}])
def test_what_is_no_text_is_no_description(value):
    assert layout.description({"description": value}) is None


def test_modified_is_read_to_the_millisecond():
    assert layout.modified_ms({"modified": "1970-01-01T00:00:00.001Z"}) == 1
    assert layout.modified_ms({"metadata": {"modified": "1969-12-31T23:59:59.999Z"}}) == -1
    assert layout.modified_ms({"metadata": {"modified": "1970-01-01T01:00:00+01:00"}}) == 0


@pytest.mark.parametrize(
    "value",
    [None, "", "yesterday", "2026-13-45T99:00:00.000Z", "0000-01-01T00:00:00Z", "2026-01-01T00:00"],
)
def test_what_is_no_time_is_no_modified(value):
    assert layout.modified_ms({"metadata": {"modified": value}}) is None


@given(st.text())
def test_no_text_breaks_the_reading_of_times(value):
    found = layout.modified_ms({"modified": value})
    assert found is None or re.match(r"\d{4}-", value)
