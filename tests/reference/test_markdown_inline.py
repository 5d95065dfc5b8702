"""Plain text inside paragraphs, as the cases of layers and 1,400 random texts showed it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.markdown_blocks import label_key
from memassay_reference.markdown_inline import plain_stretches


def stretches(text, *labels):
    return [one for one in plain_stretches(text, {label_key(label) for label in labels}) if one]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a @b", ["a @b"]),
        ("@_u_", ["@"]),
        ("@_u.md", ["@_u.md"]),
        ("a_@b_", ["a_@b_"]),
        ("*a **@b***", ["a ", "@b"]),
        ("**a *@b***", ["a ", "@b"]),
        ("** @b **", ["** @b **"]),
        ("*a @b", ["*a @b"]),
        ("[@b](u) @c", ["@b", " @c"]),
        ("[@b]( u 'v' )", ["@b"]),
        ("[@b](u", ["[@b](u"]),
        ("[@b](<u> v)", ["[@b](", " v)"]),
        ("![@b](u)x", ["x"]),
        ("[@b]", ["[@b]"]),
        ("`@b` ``@c` ``", [" "]),
        ("`@b", ["`@b"]),
        ("<b @c>", ["<b @c>"]),
        ("<b c='@d'>@e</b >", ["@e"]),
        ("<!-- @b --><?@c?><![CDATA[@d]]><!X @e>@f", ["@f"]),
        ("<a@b.c> <xy:@z>", [" "]),
        ("\\@b @c", ["b @c"]),
        ("a  \n@b", ["a", "@b"]),
    ],
)
def test_pieces(text, expected):
    assert stretches(text) == expected


def test_a_reference_is_a_link_if_it_is_defined():
    assert stretches("[@b][R  r] [@c][] [x @d]", "r r") == ["@b", " [@c][] [x @d]"]
    assert stretches("*a [x * @d] b*", "x * @d") == ["a ", "x * @d", " b"]


@given(st.text("@ab*_`[]()<>!-\\ \n'\"&é😀", max_size=60))
def test_nothing_is_made_up(text):
    found = stretches(text, "a", "b")
    assert all(one.replace("[", "").replace("]", "") for one in found if one.strip("[]"))
    assert sum(map(len, found)) <= len(text)
