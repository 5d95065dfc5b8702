import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.report.notation import expect_lines, notate, tree_lines


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a\n", '"a␊"'),
        ({"repeat": "a", "times": 15000}, '"a" × 15,000'),
        ({"repeat": {"concat": ["a", "b"]}, "times": 2}, '("a" + "b") × 2'),
        ({"concat": ["-", {"repeat": "😀", "times": 3}]}, '"-" + "😀" × 3'),
        ({"concat": []}, '""'),
        (
            {"lines": {"from": 1, "to": 200, "format": "- l{n}"}},
            'lines "- l{n}" for n = 1 to 200',
        ),
        (
            {"lines": {"from": 1, "to": 2, "format": "{n}", "separator": "\r\n"}},
            'lines "{n}" with "␍␊" between for n = 1 to 2',
        ),
        ({"hex": "FF 0a"}, "2 bytes: FF 0A"),
        ({"base64": "/wo="}, "2 bytes: FF 0A"),
        ({"utf16": "D83D 0061"}, "UTF-16 units D83D 0061"),
        ({"path": "work/p"}, "<TREE>/work/p"),
        ({"path": "."}, "<TREE>"),
        ({"slug_of": "work/p"}, "slug of <TREE>/work/p"),
        ({"clock_ms": "-48h"}, "the case clock − 48h"),
        ({"clock_ms": "5ms"}, "the case clock + 5ms"),
        ({"clock_ms": "0"}, "the case clock"),
        ({"literal": {"repeat": "a"}}, '{repeat: "a"}'),
        ({"user": {"dir": {"path": "d"}}}, "{user: {dir: <TREE>/d}}"),
        ([{"path": "d"}, 1], "[<TREE>/d, 1]"),
        # what no builder would take is shown as it stands
        ({"hex": "no hex"}, '{hex: "no hex"}'),
        ({"repeat": "a", "times": "many"}, '{repeat: "a", times: "many"}'),
    ],
)
def test_notate(value, shown):
    assert notate(value) == shown


BUILDER_KEYS = st.sampled_from(
    ["repeat", "times", "concat", "lines", "hex", "base64", "utf16", "path", "clock_ms", "literal"]
)
VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(BUILDER_KEYS, inner, max_size=2),
    max_leaves=8,
)


@given(VALUES)
def test_notate_never_fails(value):
    assert "\n" not in notate(value)


@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=3))
def test_expect_lines_never_fails(expect):
    assert all("\n" not in line for line in expect_lines(expect))


def test_tree_lines():
    tree = {
        "a.md": "alpha",
        "b.md": {"hex": "FF"},
        "c.md": {"file": "c", "age": "48h", "mode": "0600"},
        "d": {"dir": True},
        "l": {"symlink": "a.md"},
        "m": {"symlink": {"path": "d"}},
        "p": {"fifo": True},
        "many": {"files": {"from": 0, "to": 9, "name": "t{n:02}", "text": "x", "age_step": "1s"}},
        "r": {"git": "repository", "separate_git_dir": "store"},
        "w": {"git": "worktree", "of": "r", "branch": "b"},
        "s": {"git": "submodule", "of": "r", "from": "o"},
        "new": {"move": "old"},
        "gone": {"remove": True},
        "odd": {"unheard": 1},
    }
    assert list(tree_lines(tree)) == [
        'a.md: "alpha"',
        "b.md: 1 byte: FF",
        'c.md: "c" · 48h old · mode 0600',
        "d/",
        "l → a.md",
        "m → <TREE>/d",
        "p: a named pipe",
        'many/t00 … t09: 10 files of "x", each 1s older',
        "r/ is a git repository, its git directory in store",
        "w/ is a git worktree of r on branch b",
        "s/ is a git submodule of r from o",
        "new is old renamed",
        "gone is removed again",
        "odd: {unheard: 1}",
    ]


def test_expectations_in_words():
    expect = {
        "kept": {"repeat": "a", "times": 3},
        "warning": {"contains": ["a", "b"], "length_utf16": {"max": 9}},
        "days": {"any_of": [1, {"absent": True}]},
        "tree": {"MEMORY.md": "text", "old.md": "absent", "*": "untouched"},
    }
    assert list(expect_lines(expect)) == [
        'kept: "a" × 3',
        'warning: contains ["a", "b"] and length utf16 {max: 9}',
        "days: any of [1, {absent: true}]",
        'afterwards MEMORY.md: "text"',
        "afterwards old.md: absent",
        "afterwards everything else: untouched",
    ]
