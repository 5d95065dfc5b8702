import hashlib
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.judge.compare import compare
from memassay.judge.matchers import MATCHERS, is_matcher
from memassay.judge.values import MISSING, Exactly


def holds(expect, got):
    return not compare(expect, got)


def test_only_mappings_of_nothing_but_matcher_names_are_matchers():
    assert is_matcher({"contains": "x"})
    assert is_matcher({"contains": "x", "length_utf16": 3})
    assert not is_matcher({})
    assert not is_matcher({"contains": "x", "kept": 1})
    assert not is_matcher("contains")


@pytest.mark.parametrize(
    ("argument", "got", "expected"),
    [
        ("b", "abc", True),
        (["a", "c"], "abc", True),
        (["a", "d"], "abc", False),
        ("B", "abc", False),
        ("1", 1, False),
        ("a", None, False),
        ("x", ["w", "x"], True),
        ("x", ["xx"], False),
        (["x", "y"], ["y", "x"], True),
        (["x", "y"], ["x"], False),
        (1, [True], False),
        ({"file": "a.md"}, [{"file": "b.md"}, {"file": "a.md", "type": None}], True),
        ({"matches": "^a"}, ["ba", "ab"], True),
        ({"matches": "^a"}, ["ba"], False),
        (Exactly("b"), "abc", True),
        ({"matches": "b"}, "abc", False),
    ],
)
def test_contains(argument, got, expected):
    assert holds({"contains": argument}, got) is expected


@pytest.mark.parametrize(
    ("pattern", "got", "expected"),
    [
        ("^a.c$", "abc", True),
        ("b", "abc", True),
        ("a.b", "a\nb", False),
        ("(?s)a.b", "a\nb", True),
        ("1", 1, False),
        ("😀", "x😀", True),
    ],
)
def test_matches_searches_without_dotall(pattern, got, expected):
    assert holds({"matches": pattern}, got) is expected


@pytest.mark.parametrize(
    ("name", "argument", "got", "expected"),
    [
        ("length_utf16", 2, "😀", True),
        ("length_utf16", 1, "😀", False),
        ("length_utf16", {"min": 3}, "abc", True),
        ("length_utf16", {"min": 4}, "abc", False),
        ("length_utf16", {"max": 3}, "abc", True),
        ("length_utf16", {"max": 2}, "abc", False),
        ("length_utf16", {"min": 1, "max": 5}, "abc", True),
        ("length_utf16", 3, [1, 2, 3], False),
        ("line_count", 2, "a\nb\n", True),
        ("line_count", 3, "a\nb\n", False),
        ("line_count", 0, "", True),
        ("count", 2, [1, 2], True),
        ("count", 2, "ab", False),
        ("count", {"min": 3}, [1, 2], False),
    ],
)
def test_sizes(name, argument, got, expected):
    assert holds({name: argument}, got) is expected


def test_sha256_takes_texts_as_utf8_and_bytes_as_they_are():
    digest = hashlib.sha256("é".encode()).hexdigest()
    assert holds({"sha256": digest}, "é")
    assert holds({"sha256": digest.upper()}, b"\xc3\xa9")
    assert holds({"sha256": digest}, {"$bytes": "w6k="})
    assert not holds({"sha256": digest}, "e\u0301")
    assert not holds({"sha256": digest}, "\ud83d")
    assert not holds({"sha256": digest}, None)


def test_any_of_holds_if_one_does_and_tells_all_else():
    assert holds({"any_of": ["a", {"contains": "b"}]}, "xbx")
    (mismatch,) = compare({"any_of": ["a", {"count": 1}]}, "b")
    assert mismatch.problem == (
        'meets none of 2 expectations: (1) is "b", expected "a"; (2) is text, expected a list'
    )
    many = compare({"any_of": [1, 2, 3, 4, 5, 6]}, 0)[0].problem
    assert many.endswith("; and 2 more")


A, B, C = {"type": "a"}, {"type": "b"}, {"type": "c"}


@pytest.mark.parametrize(
    ("argument", "got", "expected"),
    [
        ([A, B], [A, B], True),
        ([A, B], [C, A, C, B, C], True),
        ([A, B], [B, A], False),
        ([A, B], [B, A, B], True),
        ([A, A], [A], False),
        ([A, A], [A, A], True),
        ([A], [], False),
        ([{}, A], [A, A], True),
        ([{}, A], [A], False),
        ([{"type": "a", "n": 1}], [{"type": "a"}, {"type": "a", "n": 1, "more": 2}], True),
        ([1], [True], False),
        (["a"], "a", False),
        ([A], None, False),
    ],
)
def test_in_order_lets_others_stand_between(argument, got, expected):
    assert holds({"in_order": argument}, got) is expected


@pytest.mark.parametrize(
    ("argument", "got", "expected"),
    [
        ([A, B], [A, B], True),
        ([A, B], [B, A], True),
        ([A, B], [A, B, C], False),
        ([A, B], [A], False),
        ([A, A], [A, B], False),
        ([A, A], [A, A], True),
        ([{}, A], [A, B], True),
        ([{}, A], [B, B], False),
        ([{}, {"type": {"any_of": ["a", "b"]}}, A], [A, B, C], True),
        ([{}, {}, {}], [A, B], False),
        (["a"], "a", False),
        ([A], MISSING, False),
    ],
)
def test_any_order_gives_each_expectation_an_item_of_its_own(argument, got, expected):
    assert holds({"any_order": argument}, got) is expected


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_any_order_finds_the_one_assignment_that_there_is(expects, items):
    # Expectation n takes the items n, …, 5: only item n for each n satisfies all of them.
    argument = [{"any_of": list(range(n, 6))} for n in expects]
    assert holds({"any_order": argument}, list(items))
    without_last = [0 if item == 5 else item for item in items]
    assert not holds({"any_order": argument}, without_last)


@given(st.lists(st.integers(0, 2), max_size=8), st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_in_order_is_the_subsequence_relation(items, wanted):
    subsequences = {tuple(part) for n in range(5) for part in combinations(items, n)}
    assert holds({"in_order": wanted}, items) is (tuple(wanted) in subsequences)


@pytest.mark.parametrize(
    ("argument", "got", "expected"),
    [
        (A, [B, C], True),
        (A, [B, A], False),
        (A, [], True),
        ([A, B], [C], True),
        ([A, B], [C, B], False),
        ({"type": {"matches": "^a"}}, [B, {"type": "ab"}], False),
        ("x", "abc", True),
        ("b", "abc", False),
        (["x", "b"], "abc", False),
        (Exactly("b"), "abc", False),
        ("a", None, False),
        (A, MISSING, False),
    ],
)
def test_lacks_is_the_opposite_of_contains_for_texts_and_lists(argument, got, expected):
    assert holds({"lacks": argument}, got) is expected


def test_matchers_of_lists_name_the_item():
    (first,) = compare({"in_order": [A, B]}, [B, A])
    assert first.problem == (
        'has no item that meets {"type": "b"} after what met the 1 before it; '
        'it is [{"type": "b"}, {"type": "a"}]'
    )
    (second,) = compare({"any_order": [A]}, [A, C])
    assert second.problem.startswith('has {"type": "c"}, which nothing expects')
    (third,) = compare({"lacks": C}, [A, C])
    assert third.problem.startswith('has {"type": "c"}, which it must not')


def test_absent_holds_for_null_and_for_a_missing_key():
    assert holds({"absent": True}, None)
    assert holds({"absent": True}, MISSING)
    assert holds({"a": {"absent": True}}, {})
    assert not holds({"absent": True}, "")
    assert not holds({"absent": True}, False)  # noqa: FBT003 (a JSON value)


def test_all_parts_of_a_matcher_must_hold_and_each_failure_is_told():
    expect = {"contains": "a", "length_utf16": 2, "matches": "^b"}
    assert [m.expected for m in compare(expect, "cab")] == [{"length_utf16": 2}, {"matches": "^b"}]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("contains", ["x", ["x"], 1, {"a": 1}], ["", [], ["x", ""]]),
        ("matches", ["^a$"], ["(", 1, None]),
        ("length_utf16", [0, 3, {"min": 1}, {"min": 1, "max": 1}], [-1, 1.0, True, "3", {}, None]),
        ("line_count", [1], [{"min": 2, "max": 1}, {"least": 1}, {"min": -1}]),
        ("count", [0, {"max": 3}], ["0", [1]]),
        ("sha256", ["a" * 64, "F" * 64], ["a" * 63, "g" * 64, 5]),
        ("any_of", [[1], [None]], [[], "x", {}]),
        ("in_order", [[1], [{"a": 1}, {}]], [[], "x", {}]),
        ("any_order", [[1]], [[], "x", {}]),
        ("lacks", ["x", {"a": 1}, [{"a": 1}]], ["", []]),
        ("absent", [True], [False, None, 1]),
    ],
)
def test_malformed_arguments_are_refused_and_good_ones_are_not(name, good, bad):
    matcher = MATCHERS[name]
    assert [argument for argument in good if matcher.flaw(argument) is not None] == []
    assert [argument for argument in bad if matcher.flaw(argument) is None] == []
