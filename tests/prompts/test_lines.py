import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.prompts.lines import code_spans, mark, marks, read_prompt, split, with_marks
from memassay.spec.errors import SpecError


def write(tmp_path, content):
    path = tmp_path / "prompt.md"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\nb\n", "a\nb"),
        (b"a\r\nb\r\n", "a\nb"),
        (b"a\nb", "a\nb"),
        (b"a\n\n", "a\n"),
        (b"\xef\xbb\xbfa", "a"),
        ("漢 😀 e\u0301".encode(), "漢 😀 e\u0301"),
        (b" a \n", " a "),
    ],
)
def test_line_ends_and_byte_order_mark_are_the_files_business(tmp_path, content, text):
    assert read_prompt(write(tmp_path, content)) == text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is empty"),
        (b" \n\t\n", "it is empty"),
        (b"a\nb\0c", ":2: holds a NUL"),
        (b"a\xff", "is not UTF-8: invalid start byte at byte 1"),
    ],
)
def test_what_is_no_prompt(tmp_path, content, said):
    with pytest.raises(SpecError) as caught:
        read_prompt(write(tmp_path, content))
    assert said in str(caught.value)


def test_the_largest_prompt(tmp_path):
    assert len(read_prompt(write(tmp_path, b"x" * (1 << 20)))) == 1 << 20
    with pytest.raises(SpecError, match="is larger than 1,048,576 bytes"):
        read_prompt(write(tmp_path, b"x" * ((1 << 20) + 1)))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SpecError, match="cannot be read: No such file"):
        read_prompt(tmp_path / "none.md")


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("# a\n## b\n###### c\n####### d\n#e\n#", [1, 2, 6, 0, 0, 1]),
        ("   # a\n    # b\n#\tc\n# ", [1, 0, 1, 1]),
        ("```\n# a\n```\n# b", [0, 0, 0, 1]),
        ("````\n```\n# a\n````\n# b", [0, 0, 0, 0, 1]),
        ("~~~\n# a\n```\n# b\n~~~\n# c", [0, 0, 0, 0, 0, 1]),
        ("```\n# a\n``` x\n# b", [0, 0, 0, 0]),
        ("```\n# never closed", [0, 0]),
        ("a\n===\n\\# b", [0, 0, 0]),
    ],
)
def test_levels_are_those_of_headings_outside_code(text, levels):
    assert [line.level for line in split(text)] == levels


def test_fences_themselves_are_no_code():
    lines = split("a\n```x\ncode\n```\nb")
    assert [line.fenced for line in lines] == [False, False, True, False, False]


def test_numbers_follow_the_file_over_values_of_several_lines():
    text = "a\nids: 1\n2\n3 end\nlast"
    lines = split(with_marks(text, {"ids": "1\n2\n3"}), {"ids": "1\n2\n3"})
    assert [line.number for line in lines] == [1, 2, 5]
    assert lines[1].text == f"ids: {mark('ids')} end"


def test_the_longer_of_two_values_counts():
    values = {"root": "/m", "memory_dir": "/m/memory"}
    marked = with_marks("/m/memory and /m", values)
    assert marks(marked) == ("memory_dir", "root")


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("a `b` c", ["b"]),
        ("``a`b`` `c`", ["a`b", "c"]),
        ("`a", []),
        ("`a ``b`` c", ["b"]),
        ("none", []),
    ],
)
def test_code_in_a_line(text, inside):
    (line,) = split(text)
    assert [text[start:end] for start, end in code_spans(line)] == inside


@given(st.text(alphabet="a`~# \n", max_size=60))
def test_splitting_loses_nothing(text):
    lines = split(text)
    assert "\n".join(line.text for line in lines) == text
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    for line in lines:
        spans = code_spans(line)
        assert all(start <= end for start, end in spans)
        assert spans == sorted(spans)
