import pytest

from memassay.judge.compare import compare
from memassay.report.failure import difference_rows
from memassay.report.parts import Line, parts, split
from memassay.report.rows import Role, Row
from memassay.report.sides import sides


@pytest.mark.parametrize(
    ("text", "column", "at"),
    [
        ('"abc"', 2, "b"),
        ('"ab"', 3, '"'),
        ('…"ab"', 2, "a"),
        ('"a⟨U+200B⟩b"', 2, "⟨U+200B⟩"),
        ('"😀⟨D83D⟩"', 3, "⟨D83D⟩"),
        ('"😀b"', 3, "b"),
        ('"q\u0303b"', 2, "b"),
        ('"aq\u0303b"', 2, "q\u0303"),
        ("00 FF 10 (3 bytes)", 3, "FF"),
        ("… 00 FF (9 bytes)", 2, "00"),
        ("0A (1 byte)", 3, "(1"),
        ('"a"', 9, ""),
        ("", 0, ""),
    ],
)
def test_the_sign_at_a_column_stands_apart(text, column, at):
    line = split(text, column)
    assert line.at == at
    assert line.text + line.at + line.after == text


@pytest.mark.parametrize(
    ("expected", "got", "marked"),
    [
        ("abcd", "abXd", ("c", "X")),
        ("abc", "ab", ("c", '"')),
        ("x" * 200 + "a", "x" * 200 + "\u200b", ("a", "⟨U+200B⟩")),
        ("😀" * 30 + "!", "😀" * 30 + "\ud83d", ("!", "⟨D83D⟩")),
        ("a \nb", "a\nb", ("␠", "␊")),
        ({"$bytes": "AAEC"}, {"$bytes": "AAH/"}, ("02", "FF")),
    ],
)
def test_both_sides_are_marked_where_they_part(expected, got, marked):
    (mismatch,) = compare(expected, got, "kept")
    rows = list(difference_rows(sides(mismatch)))
    assert [row.role for row in rows][-1] is Role.MARK
    found = parts(rows)
    assert [part.role for part in found] == [Role.DIFFERENCE, Role.EXPECTED, Role.GOT]
    assert tuple(part.lines[0].at for part in found[1:]) == marked
    texts = [f"{line.text}{line.at}{line.after}" for part in found for line in part.lines]
    assert texts == [row.text for row in rows if row.role is not Role.MARK]


def test_rows_without_a_label_go_with_the_one_above_only_if_they_say_the_same_kind_of_thing():
    rows = [
        Row(Role.INPUT, "input", "a"),
        Row(Role.INPUT, "", "b"),
        Row(Role.GOT, "got", "c"),
        Row(Role.NOTE, "", "… and 2 more differences"),
    ]
    assert [(part.label, part.lines) for part in parts(rows)] == [
        ("input", (Line("a"), Line("b"))),
        ("got", (Line("c"),)),
        ("", (Line("… and 2 more differences"),)),
    ]
