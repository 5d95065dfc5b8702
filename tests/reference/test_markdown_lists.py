"""What a list swallows."""

import pytest

from memassay_reference.markdown_lists import list_end, list_items


@pytest.mark.parametrize(
    ("taken", "rest"),
    [
        ("- a", ""),
        ("- a\n- b", "\n"),
        ("- a\n\n- b", "\n\nc"),
        ("- a\nlazy", "\n\nb"),
        ("- a\n  more\n\n  still", "\n\nb"),
        ("- a", "\n\n b"),
        ("- a\n\n  b", ""),
        ("-   a\n\n    b", "\n\n   c"),
        ("-\ta\n\n  b", ""),
        ("1. a\n2. b", "\n3) c"),
        ("- a", "\n* b"),
        ("- a\n - b\n  - c\n   - d", ""),
        ("- a", "\n# h"),
        ("- a", "\n```\nx"),
        ("- a", "\n<div>"),
        ("- a", "\n<!-- c -->"),
        ("- a\n  <!-- c -->", ""),
        ("- a", "\n***"),
        ("- a\n</div>", ""),
        ("-\n  a", ""),
        ("-", "\n\n  a"),
        ("- a\n\u00a0\n- b", "\u00a0\n"),
    ],
)
def test_a_list_ends(taken, rest):
    assert list_end(taken + rest, 0) == len(taken)
    assert list_end(f"x\n{taken}{rest}", 2) == len(taken) + 2


@pytest.mark.parametrize(
    "text", ["", "a", "- ", "-a", "1.a", "1234567890. a", "    - a", "---", "٣. a"]
)
def test_no_list_begins(text):
    assert list_end(text, 0) == -1


def test_items_come_without_marker_and_indentation():
    assert list_items("- a\n  b\nlazy\n\n  c\n- d\n") == ["a\nb\nlazy\n\nc", "d"]
    assert list_items("1.  a\n    b\n2)") == ["a\nb"]
    assert list_items("- \t@a") == ["\t@a"]
    assert list_items("no list") == []
