import pytest

from memassay.prompts.lines import Line
from memassay.prompts.names import NameOf, name_places, places


def line(text, *, fenced=False):
    return Line(1, text, 0, fenced)


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("read", "read already reader thread read", [0, 27]),
        ("read", "read_file read-file read2 .read", [10, 27]),
        ("the agent", "the agents, the agent's, the agent", [12, 25]),
        ("AGENTS.md", "AGENTS.md, MY_AGENTS.md AGENTSxmd", [0]),
        ("edits[]", "edits[] edits[]x xedits[]", [0, 8]),
        ("read", "漢read漢", [1]),
    ],
)
def test_terms_are_whole_words(term, text, found):
    assert list(places(term, text)) == found


def test_the_name_of_a_tool_may_stand_anywhere():
    assert list(name_places(NameOf.TOOL, "Read", line("Read `Read`"))) == [0, 6]


@pytest.mark.parametrize("kind", [NameOf.PARAMETER, NameOf.FIELD])
def test_an_ordinary_word_is_a_name_only_in_code(kind):
    assert list(name_places(kind, "type", line("a type, `type: x`"))) == [9]
    assert list(name_places(kind, "type", line("type: x"))) == []
    assert list(name_places(kind, "type", line("type: x", fenced=True))) == [0]


@pytest.mark.parametrize("name", ["file_path", "filePath", "edits[]"])
def test_what_looks_like_a_name_is_one_everywhere(name):
    assert list(name_places(NameOf.PARAMETER, name, line(f"the {name} here"))) == [4]


def test_a_port_name_counts_where_the_baseline_name_would():
    assert list(name_places(NameOf.FIELD, "type", line("kind `kind`"), "kind")) == [6]
    assert list(name_places(NameOf.PARAMETER, "file_path", line("path `path`"), "path")) == [0, 6]
