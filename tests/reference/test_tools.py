"""The tools of background tasks: containment, baselines, shell commands."""

import os
import shutil
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.shell_commands import is_read_only
from memassay_reference.tools import TOOLS, access, is_cut, sets_baseline

from .scripts import event, kinds, run

LINES = constants()["read_max_lines"]
BYTES = constants()["read_max_bytes"]
SHELL = shutil.which("bash") or "/bin/sh"


@pytest.fixture
def place(tmp_path):
    """A working directory, a memory directory and a stranger beside them."""
    for name in ("work", "mem", "mem-other"):
        (tmp_path / name).mkdir()
    return tmp_path


def may(place, tool, path):
    return access(tool, path, cwd=f"{place}/work", memory_dir=f"{place}/mem")


def test_there_are_six_tools():
    assert len(TOOLS) == 6
    assert access("agent", None, cwd="/w", memory_dir="/m") == (False, None)


def test_paths_begin_at_the_working_directory(place):
    assert may(place, "read", "x") == (True, f"{place}/work/x")
    assert may(place, "find", None) == (True, f"{place}/work")
    assert may(place, "write", "x.md") == (False, f"{place}/work/x.md")
    assert may(place, "write", "../mem/x.md") == (True, f"{place}/mem/x.md")


@pytest.mark.parametrize(
    ("link", "target", "path", "allowed"),
    [
        ("mem/out", "../work", "../mem/out/x.md", False),
        ("mem/out.md", "../work/x.md", "../mem/out.md", False),
        ("mem/in", ".", "../mem/in/in/x.md", True),
        ("work/in", "../mem", "in/x.md", True),
        ("mem/far", "/", "../mem/far/tmp/x.md", False),
    ],
)
def test_links_are_followed(place, link, target, path, allowed):
    (place / link).symlink_to(target)
    assert may(place, "write", path)[0] is allowed
    assert may(place, "read", path)[0]


def test_what_is_checked_is_the_path_that_is_answered(place):
    (place / "mem" / "sub").mkdir()
    (place / "work" / "deep").symlink_to("../mem/sub")
    # `..` goes as text, as in Node: work/x.md, not the mem/x.md that the link would lead to.
    assert may(place, "write", "deep/../x.md") == (False, f"{place}/work/x.md")


@given(st.lists(st.sampled_from(["mem", "work", "..", ".", "x", "mem-other"]), max_size=7))
def test_no_path_of_plain_names_escapes(tmp_path_factory, parts):
    place = tmp_path_factory.getbasetemp()
    path = "/".join(parts) or "."
    allowed, absolute = access("write", path, cwd=f"{place}/work", memory_dir=f"{place}/mem")
    assert allowed == os.path.normpath(f"{place}/work/{path}").startswith(f"{place}/mem/")
    assert absolute == os.path.normpath(f"{place}/work/{path}")


def test_the_window_of_a_read():
    assert not is_cut("x\n" * (LINES - 1) + "x")
    assert is_cut("x\n" * LINES + "x")
    assert not is_cut("x" * BYTES)
    assert is_cut("x" * (BYTES + 1))
    assert is_cut("漢" * (BYTES // 3 + 1))
    assert not is_cut("x\n" * 9000, offset=8000, limit=500)


@pytest.mark.parametrize(
    ("offset", "limit", "flaws", "sets"),
    [
        (None, None, {}, True),
        (1, 10, {}, True),
        (50, 10, {}, True),
        (50, None, {}, None),
        (None, 10, {}, None),
        (1, 10, {"cut": True}, False),
        (None, None, {"image": True}, False),
    ],
)
def test_what_sets_a_baseline(offset, limit, flaws, sets):
    known = {"cut": False, "image": False, **flaws}
    assert sets_baseline(offset=offset, limit=limit, **known) is sets


def call(at_ms, tool="edit", path="/m/a.md", by="extraction", **more):
    return event(at_ms, "tool_call", id=f"c{at_ms}", by=by, tool=tool, path=path, **more)


def result(at_ms, tool="read", path="/m/a.md", by="extraction", **more):
    return event(at_ms, "tool_result", id=f"r{at_ms}", by=by, tool=tool, path=path, **more)


FILES = [{"file": "a.md", "text": "alpha", "mtime_ms": -1}]


def last(*events):
    (kind,) = kinds(run(events, FILES)[-1])
    return kind


def test_a_baseline_belongs_to_a_task_and_ends_with_it():
    whole = result(0)
    assert last(call(1)) == "refuse_tool"
    assert last(whole, call(1)) == "run_tool"
    assert last(whole, call(1, by="dream")) == "refuse_tool"
    over = event(1, "background_return", task="extraction", outcome="normal")
    assert last(whole, over, call(2)) == "refuse_tool"


def test_who_has_written_a_file_may_change_it():
    new = event(1, "file_changed", file="b.md", text="new")
    wrote = result(2, tool="write", path="/m/b.md")
    assert last(new, call(3, path="/m/b.md")) == "refuse_tool"
    assert last(new, wrote, call(3, path="/m/b.md")) == "run_tool"


@pytest.mark.parametrize(
    "command",
    [
        "ls",
        "ls -la /m",
        "cat a b | grep -n x | head -3",
        "grep 'a;b>c&d' x",
        'grep "a|b" x',
        "find . -name '*.md' -type f",
        "find . | xargs -0 grep -l x",
        "ls\ncat x",
        "cat < x",
        "sort -n -k 2 x",
        "grep 'x$' y",
        "grep x{1,3} y",
        "grep -- -o x",
        "find . -newer x",
    ],
)
def test_commands_that_only_read(command):
    assert is_read_only(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        ";",
        "rm x",
        "/bin/rm x",
        "ls > x",
        "ls >> x",
        "ls 2> x",
        "ls &> x",
        "ls; rm x",
        "ls & rm x",
        "ls && rm x",
        "ls || rm x",
        "ls | tee x",
        "ls\nrm x",
        "ls $(rm x)",
        'echo "$(rm x)"',
        "echo `rm x`",
        "cat <(rm x)",
        "(rm x)",
        "X=1 rm x",
        "find . -delete",
        "find . -exec rm {} +",
        "find . -execdir rm {} +",
        "find . -fprintf x y",
        "find . | xargs rm",
        "find . | xargs find -delete",
        "xargs",
        "sort -o x y",
        "sort -ox y",
        "sort -no y x",
        "sort --compress-program=rm x",
        "find . | xargs -I cat rm",
        "find . | xargs sort",
        "find .${IFS}-delete",
        "find . {-delete,}",
        "find . -del\\\nete",
        "cat $X",
        "find . $'-delete'",
        "echo $'a\\' 'b; rm x; echo \\'",
        "ls # it's",
        "# '\nrm x\n'",
        "sort --output=x y",
        "sed -i s/a/b/ x",
        "grep 'unclosed",
        "sudo ls",
        "bash -c ls",
    ],
)
def test_commands_that_are_not_let_through(command):
    assert not is_read_only(command)


WORDS = ("ls", "cat", "rm", "find", "xargs", "sort", "echo", "x", "d", "-delete", "-I", "-o", "-no")
SIGNS = (
    " ",
    " ",
    " ",
    "\n",
    ";",
    "|",
    "&",
    ">",
    "<",
    "(",
    ")",
    "'",
    '"',
    "`",
    "\\",
    "#",
    "$",
    "{",
    ",",
    "}",
)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WORDS + SIGNS), max_size=12).map("".join))
@example("find d{IFS}-delete".replace("{", "${"))
@example("find d {-delete,}")
@example("ls # '\nrm x\n'")
@example("echo x | xargs -I cat rm x")
@example("sort -no x d")
@example("echo $'a\\' 'b; rm x; echo \\'")
@example("cat x | sort -ox")
@example("ls \\\nx;rm x")
def test_nothing_that_is_let_through_writes(tmp_path_factory, command):
    """What passes is run by a real shell in a directory that must stay as it is.

    No word has a dot or a slash in it, so nothing outside that directory can be named.
    """
    if not is_read_only(command):
        return
    place = tmp_path_factory.mktemp("shell")
    (place / "d").mkdir()
    for name in ("x", "d/y"):
        (place / name).write_text(name)
    subprocess.run(
        [SHELL, "-c", command],
        cwd=place,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )
    left = {str(p.relative_to(place)): p.read_text() for p in place.rglob("*") if p.is_file()}
    assert left == {"x": "x", "d/y": "d/y"}


def test_half_a_surrogate_pair_takes_the_bytes_of_its_replacement():
    assert not is_cut("\ud800" * (BYTES // 3))
    assert is_cut("\ud800" * (BYTES // 3 + 1))
