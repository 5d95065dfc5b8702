"""Shell patterns of `claudeMdExcludes`, beside what the cases of layers show."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.shell_patterns import matches_exclude, with_real_folders


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("/a/**", "/a", "/ab"),
        ("/a*/**", "/ab/c", "/ab"),
        ("/a/**x", "/a/bx", "/a/b/x"),
        ("/a/**/**/x", "/a/x", "/ax"),
        ("/***", "/a", "/a/b"),
        ("/{a,{b,c}}", "/c", "/d"),
        ("/{a}", "/{a}", "/a"),
        ("/{1..3}", "/2", "/4"),
        ("/{c..a}", "/b", "/d"),
        ("/[a]", "/[a]", "/b"),
        ("/[[:digit:]_]", "/_", "/a"),
        ("/[^a]", "/b", "/a"),
        ("/[!a]", "/!", "/b"),
        ("/[]a]", "/]", "/["),
        ("/(a|b)+", "/abba", "/c"),
        ("/@(a|b)", "/a", "/ab"),
        ("/?(a)b", "/b", "/aab"),
        ("/*(a)b", "/aab", "/cb"),
        ("/+(a)", "/aa", "/"),
        ("/!(a).md", "/b.md", "/a.md"),
        ("/!(a*).md", "/b.md", "/ab.md"),
        ("!(/a)", "/b", "/a"),
        ('/"*"', "/*", "/a"),
        ("/a|/b", "/b", "/c"),
        ("/a+", "/a+", "/aa"),
        ("/\\a", "//a", "/a"),
        ("/a\\b", "/a/b", "/ab"),
        ("/[z-a]", "/[z-a]", "/z"),
        ("/{a", "/{a", "/a"),
        ("!!/a", "/a", "/b"),
    ],
)
def test_forms(pattern, yes, no):
    assert matches_exclude(pattern, yes)
    assert not matches_exclude(pattern, no)


@given(st.text("/ab*?[]{}(),!@+|.^-:\"'\\é", max_size=14))
def test_any_text_is_a_pattern(pattern):
    assert matches_exclude(pattern, "/a/b.md") in {True, False}


def test_what_is_no_expression_excludes_nothing_turned_round_either():
    for pattern in ("/[z-a]x", "!/[z-a]x", "!/{a"):
        assert not matches_exclude(pattern, "/b")


def test_real_folders_stand_beside_those_of_the_pattern(tmp_path):
    real = os.path.realpath(tmp_path)
    (tmp_path / "p").mkdir()
    (tmp_path / "l").symlink_to("p")
    for tail in ("x.md", "x*.md", "x{a,b}"):
        assert with_real_folders(f"{real}/l/{tail}") == [f"{real}/l/{tail}", f"{real}/p/{tail}"]
    for tail in ("**", "*.md", "{a,b}"):
        assert with_real_folders(f"{real}/l/{tail}") == [f"{real}/l/{tail}"]
    assert with_real_folders(f"{real}/p/../l/*/x") == [f"{real}/p/../l/*/x", f"{real}/l/*/x"]
    assert with_real_folders("**/l/x") == ["**/l/x"]
    assert with_real_folders("") == [""]
