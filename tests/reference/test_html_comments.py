"""Which comments go, and what else changes when a text has one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.html_comments import strip_comments

LINES = st.sampled_from(
    ["", "- a", "  - b", "para", "<!-- c -->", "<!-- c --> t", "  <!-- c -->", "<!-- open", "-->",
     "```", "> q", "lazy", "1. one", "# h", "===", "---", "<div>", "</div>", "    code", "\t",
     "<!-->", "`<!-- i -->`", "\u00a0"]
)  # fmt: skip
TEXTS = st.lists(LINES, max_size=12).map("\n".join)
PLAIN = TEXTS.map(lambda text: text.replace("<!-", "<!"))


@given(PLAIN, st.sampled_from(["\n", "\r\n", "\r"]))
def test_a_text_without_comments_stays_as_it_is(text, line_end):
    text = text.replace("\n", line_end)
    assert strip_comments(text) == text


@given(TEXTS, st.sampled_from(["\r\n", "\r"]))
def test_line_ends_make_no_difference_to_what_goes(text, line_end):
    if "<!--" in text:
        assert strip_comments(text.replace("\n", line_end)) == strip_comments(text)


@given(TEXTS)
def test_what_is_inside_block_comments_never_stays(text):
    assert "secret" not in strip_comments(f"<!-- secret -->\n\n# h\n{text}")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- a\n<!-- c -->\n- b", "- a\n- b"),
        ("- a\n  <!-- c -->\n- b", "- a\n  <!-- c -->\n- b"),
        ("<!-- c -->x", "x"),
        ("<!-- c\nd --> x\ny", " x\ny"),
        ("<!-- c", "<!-- c"),
        ("<!-->", "<!-->"),
        ("```\n<!-- c -->\n```", "```\n<!-- c -->\n```"),
        ("a <!-- c -->", "a <!-- c -->"),
        ("a\n<!-- c -->\n\n\nb", "a\nb"),
        ("<!-- a --> <!-- b -->\nx", "x"),
        ("<!-- a --><!-- b", "<!-- b"),
        ("a\r\n<!-- c -->\r\nb\r\n", "a\nb\n"),
        ("a\r<!- c", "a\r<!- c"),
    ],
)
def test_examples(text, left):
    assert strip_comments(text) == left
