"""Chapter layers: which instruction files are there, in which order, and what comes later."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.globs import expand_braces, matches_paths
from memassay_reference.include import has_text_type, include_paths
from memassay_reference.layers import layers
from memassay_reference.project_key import project_key
from memassay_reference.rule_paths import patterns_of
from memassay_reference.shell_patterns import matches_exclude

CLIENT = "claude-code"
NAMES = st.text("ab.-é日", min_size=1, max_size=4).filter(lambda name: name not in {".", ".."})
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def start(root, cwd="p", **more):
    (root / cwd).mkdir(parents=True, exist_ok=True)
    args = {"cwd": str(root / cwd), "home": str(root / "home"), **more}
    return layers(args, CLIENT)


def files(found, root):
    return [os.path.relpath(layer["file"], root) for layer in found]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [("[a&&b]", "&", "-"), ("[+--]", ",", "."), ("[a~~|]", "|", "b"), ("[[x]", "[", "y")],
)
def test_signs_in_a_range_are_only_signs(pattern, matching, other):
    assert matches_paths((pattern,), matching)
    assert not matches_paths((pattern,), other)


def test_any_folders_many_times_are_any_folders():
    deep = "a/" * 60
    assert matches_paths(("**/" * 30 + "x",), f"{deep}x")
    assert not matches_paths(("**/" * 30 + "x",), f"{deep}y")


@pytest.mark.parametrize("pattern", ["[z-a].md", "[^]", "[!]"])
def test_a_range_that_cannot_be_matches_nothing(pattern):
    assert not matches_paths((pattern,), "a.md")
    assert not matches_exclude(f"/{pattern}", "/a.md")


def test_a_read_file_may_be_named_in_a_roundabout_way(tmp_path):
    write(tmp_path, {"p/sub/CLAUDE.md": "of sub", "p/sub/x": "x", "q/y": "y"})
    roundabout = f"{tmp_path}/q/../p/sub/x"
    (attached,) = start(tmp_path, read_files=[roundabout])["attached"]
    assert [layer["text"] for layer in attached] == ["of sub"]


def test_a_configuration_directory_is_relative_to_the_session(tmp_path):
    memory = f"p/conf/projects/{project_key(f'{os.path.realpath(tmp_path)}/p')}/memory"
    write(tmp_path, {"p/conf/CLAUDE.md": "of the user", f"{memory}/MEMORY.md": "- a"})
    found = start(tmp_path, env={"CLAUDE_CONFIG_DIR": "conf"})["layers"]
    assert [(layer["kind"], layer["text"]) for layer in found] == [
        ("user", "of the user"),
        ("auto-memory", "- a"),
    ]


# Order


def test_folders_come_from_the_outermost_to_the_working_directory(tmp_path):
    write(
        tmp_path, {name: name for name in ("CLAUDE.md", "p/CLAUDE.md", "p/q/CLAUDE.md", "p/q/r/x")}
    )
    assert files(start(tmp_path, "p/q/r")["layers"], tmp_path) == [
        "CLAUDE.md",
        "p/CLAUDE.md",
        "p/q/CLAUDE.md",
    ]


@given(texts=st.lists(st.text("ab @./\n<!->`*", max_size=20), min_size=3, max_size=3))
def test_no_file_is_shown_twice_and_none_without_text(tmp_path_factory, texts):
    root = tmp_path_factory.mktemp("t")
    names = ("p/CLAUDE.md", "p/a", "p/b")
    write(root, dict(zip(names, texts, strict=True)))
    found = start(root)["layers"]
    assert len(set(files(found, root))) == len(found)
    assert all(layer["text"].strip() for layer in found)


def test_whatever_was_there_at_the_start_is_not_attached(tmp_path):
    write(
        tmp_path,
        {
            "p/CLAUDE.md": "P @a/CLAUDE.md",
            "p/a/CLAUDE.md": "A",
            "p/a/b/CLAUDE.md": "B",
            "p/a/b/f": "",
        },
    )
    answer = start(tmp_path, read_files=[str(tmp_path / "p/a/b/f")] * 2)
    assert [files(group, tmp_path) for group in answer["attached"]] == [["p/a/b/CLAUDE.md"], []]


# Includes


@given(text=st.text("ab@./ \n*_`[]()<>!-#\\\t|>~&;1", max_size=80))
def test_finding_includes_never_fails_and_gives_absolute_paths(text):
    found = include_paths(text, "/t/p", "/t/home")
    assert all(path.startswith("/") for path in found)
    assert len(set(found)) == len(found)


@given(text=st.text("ab@./ \n*`", max_size=60))
def test_nothing_in_a_fence_is_included(text):
    fenced = "````\n" + text.replace("````", "") + "\n````\n"
    assert include_paths(fenced, "/t", "/h") == []


@given(path=PATHS)
def test_a_path_alone_is_included_if_it_begins_as_one(path):
    plain = path[0] in "ab.-"
    found = include_paths(f"@{path}", "/t", "/h")
    assert (found == [os.path.normpath(f"/t/{path}")]) == plain
    assert include_paths(f"@./{path}", "/t", "/h") == [os.path.normpath(f"/t/{path}")]


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("a.md", True),
        ("a.MD", True),
        ("a", True),
        (".env", True),
        ("a.png", False),
        ("a.md.zip", False),
    ],
)
def test_the_extension_decides(name, fits):
    assert has_text_type(f"/t/{name}") is fits


# Patterns


@given(path=PATHS)
def test_a_path_matches_itself_as_a_pattern_in_any_case(path):
    assert matches_paths((f"/{path}",), path)
    assert matches_paths((f"/{path}".upper(),), path)


@given(path=PATHS, name=NAMES)
def test_what_lies_in_a_matched_directory_is_matched(path, name):
    assert matches_paths((f"/{path}",), f"{path}/{name}")


@given(path=PATHS)
def test_a_later_negation_takes_a_file_back(path):
    assert not matches_paths((f"/{path}", f"!/{path}"), path)


@given(path=PATHS)
def test_an_exclude_and_its_negation_are_opposites(path):
    for pattern in (f"/{path}", "**/a", "/a*/**"):
        assert matches_exclude(pattern, f"/{path}") is not matches_exclude(
            f"!{pattern}", f"/{path}"
        )


def test_two_stars_are_any_folders_one_star_is_one_name():
    assert matches_exclude("/a/**/d", "/a/d")
    assert matches_exclude("/a/**/d", "/a/b/c/d")
    assert matches_exclude("/a/*/d", "/a/.b/d")
    assert not matches_exclude("/a/*/d", "/a/b/c/d")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a", ["a"]),
        ("{a,b}.{c,d}", ["a.c", "a.d", "b.c", "b.d"]),
        ("{a}", ["a"]),
        ("{}", ["{}"]),
        ("{a", ["{a"]),
    ],
)
def test_braces(pattern, expected):
    assert expand_braces(pattern) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("'src/**'", ("src",)),
        ("'*.py, *.js'", ("*.py", "*.js")),
        ("['**', '/**']", ()),
        ("['**', x]", ("**", "x")),
        ("5", ()),
    ],
)
def test_patterns_of_a_rule(value, expected):
    assert patterns_of(f"---\npaths: {value}\n---\ntext") == expected
