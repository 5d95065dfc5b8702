from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec.documents import parse_document, read_document
from memassay.spec.errors import SpecError

PATH = Path("some.yaml")


def test_values_are_plain_json():
    document = parse_document('a: [1, 2.5, true, null, no, "x", on]\nb:\n  c: |\n    text\n', PATH)
    assert document.value == {"a": [1, 2.5, True, None, "no", "x", "on"], "b": {"c": "text\n"}}
    assert [type(v) for v in document.value["a"]] == [int, float, bool, type(None), str, str, str]


def test_every_value_remembers_its_line():
    document = parse_document("a:\n  - x: 1\n  - x: 2\n    y: [3,\n      4]\n", PATH)
    assert document.line(["a", 1, "x"]) == 3
    assert document.line(["a", 1, "y", 1]) == 5
    assert document.line(["a", 1, "y", 7, "nothing"]) == 4, "falls back to what is known"


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("a: 1\na: 2\n", 2, "duplicate"),
        ("a: 1\nb: [\n", 3, "expected"),
        ("a: 1\nb: 2026-01-01\n", 2, "date"),
        ("a: 1\n2: x\n", 1, "not text"),
        ("a: .nan\n", 1, "no JSON value"),
        ("a: *nowhere\n", 1, "undefined alias"),
    ],
)
def test_errors_name_the_line(text, line, word):
    with pytest.raises(SpecError) as caught:
        parse_document(text, PATH)
    assert caught.value.where.line == line
    assert word in str(caught.value)


def test_an_anchor_means_one_thing():
    with pytest.raises(SpecError, match=r"some\.yaml: found duplicate anchor 'x'"):
        parse_document("a: &x 1\nb: *x\nc: &x 2\n", PATH)


def test_unreadable_files_are_named(tmp_path):
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe9")
    with pytest.raises(SpecError, match=r"latin\.yaml: is not UTF-8"):
        read_document(tmp_path / "latin.yaml")
    with pytest.raises(SpecError, match=r"gone\.yaml: cannot be read: No such file"):
        read_document(tmp_path / "gone.yaml")


YAMLISH = st.lists(
    st.sampled_from(
        ["a", ": ", "\n", "- ", "  ", "[", "]", "{", "}", "&x ", "*x", "!t ", '"', "'", "|", ">",
         "#", ",", "1", "? ", "%", "@", "---", "...", "\t", "\\", "é", "<<: "]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@given(YAMLISH | st.text(max_size=60))
def test_mangled_yaml_is_an_error_of_ours_or_a_value(text):
    with suppress(SpecError):  # any other exception is the defect
        parse_document(text, PATH)
