"""A save of a topic: the form of the header, what is kept, what only gets a new time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference import topic_header
from memassay_reference.topic_remarks import absorb, has_comment_left, has_remark
from memassay_reference.topic_rewrite import OPS, Save, is_rewritten, rewrite, save, slug
from memassay_reference.topic_stamp import stamp

BY = Save("s-1", "2026-11-30T12:00:00.000Z")
NOW_MS = 1_796_040_000_000


def topic(header, body="\nBody\n"):
    return f"---\n{header}---\n{body}"


# --- which files


@pytest.mark.parametrize("file", ["a.md", "sub/a.md", ".md", "MEMORY.md", "sub/../a.md", "./a.md"])
def test_files_that_are_rewritten(file):
    assert is_rewritten(file)


@pytest.mark.parametrize("file", ["a.MD", "a.txt", "md", "../a.md", "a/../../b.md", "/a.md"])
def test_files_that_are_not(file):
    assert not is_rewritten(file)
    assert save(file, topic("name: g\n"), "write", BY) == topic("name: g\n")


def test_a_shell_is_no_tool():
    assert save("a.md", topic("name: g\n"), "shell", BY) == topic("name: g\n")


@pytest.fixture
def args(tmp_path):
    memory = tmp_path / "m"
    memory.mkdir()
    (memory / "b.md").write_text(topic("name: B\n"))
    return {
        "memory_dir": str(memory),
        "file": str(memory / "sub" / "a.md"),
        "text": topic("name: g\n"),
        "session_id": BY.session_id,
        "now_ms": NOW_MS,
    }


def test_a_file_is_written_and_no_other(args, tmp_path):
    assert OPS["topic_save"](args, "claude-code") == {"saved": True}
    assert (tmp_path / "m/sub/a.md").read_text() == rewrite(topic("name: g\n"), BY)
    assert (tmp_path / "m/b.md").read_text() == topic("name: B\n")


def test_a_file_outside_is_written_as_it_is(args, tmp_path):
    args["file"] = str(tmp_path / "a.md")
    assert OPS["topic_save"](args, "claude-code") == {"saved": True}
    assert (tmp_path / "a.md").read_text() == topic("name: g\n")


@pytest.mark.parametrize("target", ["b.md", "none.md"])
def test_a_link_is_refused(args, tmp_path, target):
    (tmp_path / "m/a.md").symlink_to(target)
    args["file"] = str(tmp_path / "m/a.md")
    assert OPS["topic_save"](args, "claude-code") == {"saved": False}
    assert (tmp_path / "m/a.md").is_symlink()
    assert (tmp_path / "m/b.md").read_text() == topic("name: B\n")
    assert not (tmp_path / "m/none.md").exists()


# --- the form


def test_the_form():
    text = topic("metadata:\n  color: red\ntype: user\ndescription: d\nname: My Name\nnone: ~\n")
    assert rewrite(text, BY) == (
        "---\n"
        "name: my-name\n"
        "description: d\n"
        "metadata:\n"
        "  node_type: memory\n"
        "  type: user\n"
        "  color: red\n"
        "  originSessionId: s-1\n"
        "  modified: 2026-11-30T12:00:00.000Z\n"
        "---\n"
        "\n"
        "Body\n"
    )


def test_an_edit_gives_crlf_back_and_a_write_does_not():
    text = topic("name: g\n").replace("\n", "\r\n")
    written = save("a.md", text, "write", BY)
    assert written.startswith("---\nname: g\n")
    assert written.endswith("\n\nBody\r\n")
    edited = save("a.md", text, "edit", BY)
    assert edited.count("\r\n") == edited.count("\n")
    assert edited.replace("\r\n", "\n") == written.replace("\r\n", "\n")


def test_half_a_pair_cannot_stand_in_a_file():
    answer = OPS["topic_rewrite"](
        {"file": "a.md", "text": "a\ud83d", "session_id": "s", "now_ms": NOW_MS}, "claude-code"
    )
    assert answer == {"text": "a\ufffd", "rewritten": True}


@pytest.mark.parametrize(
    ("name", "written"),
    [("a_b-1", "a_b-1"), ("A_b", "a-b"), ("--a--", "--a--"), ("--A--", "a"), ("漢", ""), ("", "")],
)
def test_slug(name, written):
    assert slug(name) == written


@given(st.text())
def test_a_slug_is_its_own_slug(name):
    assert slug(slug(name)) == slug(name)


# --- remarks


@pytest.mark.parametrize(
    ("line", "absorbed"),
    [
        ("a: see #1", 'a: "see #1"'),
        ("a:   b # c  ", 'a: "b # c"'),
        ('a: say "b" # c', 'a: "say \\"b\\" # c"'),
        ("a: &x b", 'a: "&x b"'),
        ("a: !b", 'a: "!b"'),
        ("a: # c\r", 'a: "# c"\r'),
        ("a: !t 12 # c", 'a: "!t 12 # c"'),
        ("a: , # c", 'a: ", # c"'),
        ("a: ... # c", 'a: "... # c"'),
    ],
)
def test_a_remark_that_may_be_meant(line, absorbed):
    assert absorb(line) == absorbed
    assert not has_comment_left(line)
    assert has_remark(line)


@pytest.mark.parametrize(
    "line",
    ["a: 12 # c", 'a: "b" # c', "a: [b] # c", "a: {b: '# d'} # c", "é: b # c", "a: | # c",
     'a: "b" c # d', "a: 'b # c", 'a: "b"#c', 'a: "\\ud83d" # c'],
)  # fmt: skip
def test_a_remark_that_must_be_kept(line):
    assert absorb(line) == line
    assert has_comment_left(line)
    assert has_remark(line)


@pytest.mark.parametrize(
    "line",
    [
        'a: "b # c"',
        "a: ['b # c']",
        "a: b#c",
        "  a: b # c",
        "# c",
        "- b # c",
        "a: [b # c",
        "\ufeffa: b # c",
    ],
)
def test_no_remark(line):
    assert absorb(line) == line
    assert not has_comment_left(line)
    assert not has_remark(line)


def test_the_end_of_a_document_is_a_remark():
    assert absorb("a: ...") == 'a: "..."'
    assert has_remark("a: ...")
    assert not has_remark("a: ... b")
    assert not has_remark("a: ...\tb # c")
    assert not has_remark("a: '# c")


# --- blank headers


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\n---abc", "abc"),
        ("---\r\n \r\n  --- abc\r\n", "abc\r\n"),
        ("---\u00a0\n-----\n", "--\n"),
        ("---\n---a\n --- \n", "a\n --- \n"),
    ],
)
def test_behind_a_blank_header_anything_may_stand(text, body):
    assert rewrite(text, BY) == rewrite(topic(""), BY).removesuffix("Body\n") + body


@pytest.mark.parametrize(
    "text",
    ["---\n---a\n---\n", "---\n# c\n---a", "---\nname: x\n---a", "\ufeff---\n---a", "---\na"],
)
def test_no_blank_header(text):
    assert rewrite(text, BY) == text


# --- the new time


def test_a_named_session_is_left_alone():
    header = "# c\nname: My Name\nmetadata:\n  originSessionId: abc\n  modified: old # d\n"
    assert rewrite(topic(header), BY) == topic(header.replace("old", BY.now))


def test_the_line_goes_to_the_end_of_the_block():
    source = "metadata:\n    k: 1\n\nname: x\n"
    added = "metadata:\n    k: 1\n    modified: now\n\nname: x\n"
    assert stamp(source, "now", "\n") == added


def test_a_byte_order_mark_before_the_line_is_white_space():
    source = "\ufeffmodified: x\nname: y\n"
    assert stamp(source, "now", "\n") == source.replace("x", "now")
    assert stamp("name: y\n\ufeffmodified: x\n", "now", "\n") is None
    assert stamp("name: y\nmodified\u00a0: x\n", "now", "\n") is None


def test_metadata_that_would_be_dropped_may_read_otherwise():
    source = "metadata: !\nmodified: ]:\n"
    assert stamp(source, "now", "\n") == source.replace("]:", "now")


def test_whatever_stands_behind_the_colon_is_replaced_if_nothing_is_lost():
    assert stamp("name: y\nmodified::\n", "now", "\n") == "name: y\nmodified: now\n"
    assert stamp("name: y\nmodified:: 1\n", "now", "\n") is None
    assert stamp("name: y\nmodified:x: 1\n", "now", "\n") is None


def test_crlf():
    assert stamp("name: x\r\n", "now", "\r\n") == "name: x\r\nmodified: now\r\n"


@pytest.mark.parametrize(
    "source",
    [
        "modified: a\nmodified: b\n",
        '"modified": a\nname: x\n',
        "name: x\nfoo:\n  modified: a\n",
        "name: x\nmetadata: {a: 1}\n",
        "name: x\nmetadata:\n  - a\n",
        "a: - b\n",
        "description: 12\n",
        "metadata : text\n",
        "name: ''\ndescription: ''\n",
    ],
)
def test_no_safe_place(source):
    assert stamp(source, "now", "\n") is None


def test_a_value_that_holds_itself():
    source = "name: x\nfoo: &a\n  self: *a\n"
    assert stamp(source, "now", "\n") == f"{source}modified: now\n"


# --- whatever it is


PIECES = [
    *("---", "\n", "\r\n", " ", "  ", "\t", "name: ", "description: ", "metadata:", "foo: ", "é: "),
    *("originSessionId: ", "modified: ", "type: ", "a", "12", '"', "'", "#", " # c", "&x ", "*x"),
    *(
        "!t ",
        "[",
        "]",
        "{",
        "}",
        "|",
        ">",
        ": ",
        "- ",
        "漢",
        "😀",
        "\x85",
        "\u2028",
        "\ufeff",
        "\0",
    ),
]
TEXTS = st.one_of(
    st.text(),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join).map(topic),
)


@given(TEXTS)
def test_a_second_save_at_the_same_time_changes_nothing(text):
    once = rewrite(text, BY)
    assert rewrite(once, BY) == once


@given(TEXTS)
def test_the_body_stays(text):
    header = topic_header.split(text)
    saved = rewrite(text, BY)
    if header is None:
        assert saved == text
    else:
        assert saved.endswith(header.body.lstrip())


@given(TEXTS)
def test_every_change_names_the_time(text):
    saved = rewrite(text, BY)
    assert saved == text or f"modified: {BY.now}" in saved
