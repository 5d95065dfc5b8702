"""Where blocks begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.markdown_blocks import blocks

LINES = st.sampled_from(
    ["", "", "- a", "  - b", "para", "<!-- c -->", "```", "~~~", "1. one", "7) x", "# h", "===",
     "---", "***", "<div>", "<b>", "<pre>", "</pre>", "    code", "\tcode", " \t", "\u00a0",
     "x\u2028y", "-", "- ", "   - c", "<? x ?>y"]
)  # fmt: skip


def kinds(text):
    return [block.kind for block in blocks(text)]


@given(st.lists(LINES, max_size=14).map("\n".join))
def test_blocks_join_to_the_text(text):
    """Without quotes and definitions nothing is lost or gained, but for a last blank unit."""
    joined = "".join(block.text for block in blocks(text))
    assert joined.rstrip() == text.rstrip()
    assert len(joined) == len(text)


@given(st.lists(LINES, max_size=8).map("\n".join))
def test_no_block_is_empty(text):
    assert all(block.text for block in blocks(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a\nb", ["paragraph"]),
        ("a\n\nb", ["paragraph", "space", "paragraph"]),
        ("a\n===\nb", ["heading", "paragraph"]),
        ("a\n---", ["heading"]),
        ("# a\nb", ["heading", "paragraph"]),
        ("#a", ["paragraph"]),
        ("####### a", ["paragraph"]),
        ("***\n- - -\n___", ["rule", "rule", "rule"]),
        ("    code\n\n    more\nnot", ["code", "paragraph"]),
        ("para\n    not code", ["paragraph"]),
        ("```\nx\n```\ny", ["code", "paragraph"]),
        ("```\nx", ["code"]),
        ("```\nx\n~~~\n```", ["code"]),
        ("``` a`b\nx", ["paragraph"]),
        ("- a\n- b\n\nc", ["list", "space", "paragraph"]),
        ("- a\n* b", ["list", "list"]),
        ("1. a\n2) b", ["list", "list"]),
        ("- a\nlazy", ["list"]),
        ("- a\n\n  more", ["list"]),
        ("- a\n\nnot", ["list", "space", "paragraph"]),
        ("- a\n<!-- c -->", ["list", "html"]),
        ("- a\n<!-- c -->\n- b", ["list", "html", "list"]),
        ("- a\n# h", ["list", "heading"]),
        ("- ", ["paragraph"]),
        ("-\n  a", ["list"]),
        ("> a\nlazy\n> b", ["quote"]),
        ("> a\n\nb", ["quote", "space", "paragraph"]),
        (">     code\nnot lazy", ["quote", "paragraph"]),
        ("> a\n<!-- c -->", ["quote", "html"]),
        ("<div>\na\n\nb", ["html", "paragraph"]),
        ("<b>\na\n\nb", ["html", "paragraph"]),
        ("a\n<b>\nc", ["paragraph"]),
        ("a\n<div>\nc", ["paragraph", "html"]),
        ("<script>\n\n\n</script>\na", ["html", "paragraph"]),
        ("<? a\n\nb ?> c", ["html", "paragraph"]),
        ("a\n<!-- c -->", ["paragraph", "html"]),
        ("a\n <!-- c -->", ["paragraph"]),
        ("a\n<!-- c --> t\n===", ["heading"]),
        ("[a]: /u\nb", ["paragraph"]),
        ("a\n[a]: /u", ["paragraph"]),
        ("| a |\n|---|\n| b |", ["paragraph"]),
    ],
)
def test_kinds(text, expected):
    assert kinds(text) == expected


def test_a_comment_ends_with_its_line_and_the_blank_lines_after_it():
    assert [block.text for block in blocks("<!-- c\n\n-->x\n\ny")] == ["<!-- c\n\n-->x\n\n", "y"]


def test_definitions_are_no_blocks():
    assert [block.text for block in blocks("# h\n[a]: /u 'title\nmore'\nb")] == ["# h\n", "b"]


def test_a_quoted_list_that_goes_on_is_garbled():
    joined = "".join(block.text for block in blocks("> - a\n> - b\nlazy\n\nz"))
    assert joined == "> - - a\n- b\nlazy\n\nz"


def test_deep_quotes_do_not_exhaust_the_stack():
    text = ">" * 3000 + "a\nlazy\n\nb"
    assert kinds(text) == ["quote", "space", "paragraph"]
