from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from memassay.prompts.lines import Line, mark
from memassay.prompts.names import NameOf
from memassay.prompts.substitutions import Declared, Kind, Term
from memassay.prompts.unmapping import (
    MAX_CANDIDATES,
    candidate_limit,
    candidates,
    find_places,
)

READ = Term(Kind.NAME, "Read", "read", 1, of=NameOf.TOOL)
FILE = Term(Kind.INSTRUCTION_FILE, "CLAUDE.md", "AGENTS.md", 2)
AGENT = Term(Kind.PRODUCT, "Claude Code", "the agent", 3)


def line(text):
    return Line(1, text, 0, fenced=False)


def texts(text, *terms, **dynamic):
    one = line(text)
    return [found.text for found in candidates(one, find_places(one, Declared(terms, (), dynamic)))]


def test_the_line_as_it_stands_and_then_everything_undone():
    assert texts("read AGENTS.md", READ, FILE)[:2] == ["read AGENTS.md", "Read CLAUDE.md"]


def test_each_place_both_ways():
    assert sorted(texts("read, read", READ)) == [
        "Read, Read",
        "Read, read",
        "read, Read",
        "read, read",
    ]


def test_a_line_without_places_is_itself_only():
    assert texts("already AGENTS.mdx", READ, FILE, AGENT) == ["already AGENTS.mdx"]


def test_one_port_name_for_two_of_the_baseline():
    other = Term(Kind.NAME, "LS", "read", 4, of=NameOf.TOOL)
    assert sorted(texts("read", READ, other)) == ["LS", "Read", "read"]


def test_places_that_overlap_are_never_undone_together():
    path = "/the agent/AGENTS.md"
    found = texts(f"in {path}", FILE, AGENT, memory_dir=path)
    assert f"in {mark('memory_dir')}" in found
    assert "in /Claude Code/CLAUDE.md" in found
    assert all(text.count("\0") in (0, 2) for text in found)


def test_dynamic_values_of_several_lines_are_not_looked_for_in_one():
    assert texts("a b", ids="a\nb") == ["a b"]


def test_how_many_are_tried_depends_on_the_length():
    assert candidate_limit(line("x" * 4000)) == MAX_CANDIDATES
    assert candidate_limit(line("x" * 40_000)) < MAX_CANDIDATES
    assert candidate_limit(line("x" * 40_000_000)) == 2


def test_twenty_thousand_places_are_no_trouble_for_the_first_candidates():
    one = line("read " * 20_000)
    found = find_places(one, Declared((READ,)))
    assert len(found) == 20_000
    first = list(islice(candidates(one, found), candidate_limit(one)))
    assert [candidate.text for candidate in first[:2]] == [one.text, "Read " * 20_000]
    assert len(first[1].undone) == 20_000


@given(st.lists(st.sampled_from(["read", "AGENTS.md", "the agent", "keep", "漢", "`"]), max_size=7))
def test_candidates_are_all_ways_and_no_way_twice(words):
    terms = {"read": "Read", "AGENTS.md": "CLAUDE.md", "the agent": "Claude Code"}
    wanted = {""}
    for index, word in enumerate(words):
        gap = " " if index else ""
        ways = {word, terms.get(word, word)}
        wanted = {f"{before}{gap}{way}" for before in wanted for way in ways}
    found = texts(" ".join(words), READ, FILE, AGENT)
    assert len(found) == len(set(found))
    assert set(found) == wanted
