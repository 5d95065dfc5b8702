"""Writing YAML: what is quoted, how, and that all of it reads back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.yaml_scalars import block, quote, scalar
from memassay_reference.yaml_values import number_text, object_of, read_yaml


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a b",
        "é漢😀",
        "2026-01-01",
        "12:30",
        "http://a/b",
        "tRue",
        "1.2.3",
        "0x",
        "+",
        "..",
        "a-",
    ],
)
def test_plain(text):
    assert scalar(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yes",
        "N",
        "~",
        "1",
        "0o8",
        "1-2",
        ".",
        "-a",
        "a ",
        "a:",
        "a: b",
        "it's",
        "a,b",
        "...",
        "#",
    ],
)
def test_quoted(text):
    assert scalar(text) == f'"{text}"'


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("\t\n\r\0", '"\\t\\n\\r\\0"'),
        ("\x01\x7f", '"\\x01\\x7f"'),
        ("\x85\xa0\u2028\u2029", '"\\N\\_\\L\\P"'),
        ('"\\', '"\\"\\\\"'),
        ("/é\u200b", '"/é\u200b"'),
    ],
)
def test_escapes(text, written):
    assert quote(text) == written


def test_block_style():
    value = {"a": {"b": [1.0, ["x", {"c": None, "d": []}]]}, "e": {}, "yes": True}
    assert block(value) == (
        'a:\n  b:\n    - 1\n    - - x\n      - c: null\n        d: []\ne: {}\n"yes": true\n'
    )


def test_shared_collections():
    shared = {"p": [1.0]}
    assert block({"a b": shared, "c": [shared, shared["p"]], "c2": shared["p"]}) == (
        "a b:\n  &value0\n  p:\n    &p\n    - 1\nc:\n  - *value0\n  - *p\nc2:\n  *p\n"
    )


# Not the noncharacters that stand for others while YAML is read.
CHARACTERS = st.characters(
    exclude_categories=["Cs"], exclude_characters="\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4"
)
TEXTS = st.one_of(
    st.text(CHARACTERS),
    st.text(st.sampled_from("019.eE+-xoXO_:~ \t#&*!|>%@`[]{},?'\"\\ynNA\n\r\x85\xa0\u2028")),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner).map(object_of),
    max_leaves=12,
)


@given(TEXTS)
def test_a_text_reads_back(text):
    assert read_yaml(f"k: {scalar(text)}\n") == {"k": text}


@given(TEXTS)
def test_a_text_reads_back_as_a_key(text):
    assert read_yaml(f"{scalar(text)}: 1\n") == {text: 1.0}


@given(st.dictionaries(TEXTS, VALUES, min_size=1).map(object_of))
def test_a_mapping_reads_back_in_its_order(entries):
    again = read_yaml(block(entries))
    assert again == entries
    assert list(again) == list(entries)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back(number):
    assert float(number_text(number)) == number
