"""Node's paths, checked against Python's where the two agree, and by hand where they do not."""

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.js_path import basename, dirname, is_inside, join, normalise, resolve

paths = st.lists(
    st.sampled_from(["a", "b", ".", "..", "", "x y", "é", "...", "a\\b"]), max_size=8
).map("/".join)
absolute = paths.map("/".__add__)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", "."),
        (".", "."),
        ("./", "./"),
        ("/", "/"),
        ("//", "/"),
        ("//a//b/", "/a/b/"),
        ("a/..", "."),
        ("a/../", "./"),
        ("a/../..", ".."),
        ("../../a", "../../a"),
        ("/../a", "/a"),
        ("a\\..\\b", "a\\..\\b"),
    ],
)
def test_normalise_is_nodes(path, expected):
    assert normalise(path) == expected


@given(paths)
def test_normalise_agrees_with_python_but_for_slashes_at_the_ends(path):
    ours = normalise(path)
    if len(ours) > 1:
        ours = ours.removesuffix("/")
    theirs = posixpath.normpath(path)
    assert ours == (theirs[1:] if theirs.startswith("//") else theirs)


@given(paths)
def test_normalise_twice_is_normalise_once(path):
    assert normalise(normalise(path)) == normalise(path)


def test_join_skips_empty_pieces_and_does_not_start_anew():
    assert join("", "projects", "k") == "projects/k"
    assert join("/a", "/b") == "/a/b"
    assert join("a", "../..") == ".."


@given(absolute, paths)
def test_resolve_is_absolute_and_has_no_slash_at_its_end(base, path):
    whole = resolve(base, path)
    assert whole == "/" or (whole.startswith("/") and not whole.endswith("/"))
    assert whole == resolve("/", whole)


@given(absolute)
def test_resolving_an_absolute_path_forgets_the_base(path):
    assert resolve("/somewhere", path) == resolve("/", path)


@given(absolute)
def test_a_path_is_its_parent_and_its_name(path):
    whole = resolve("/", path)
    assert join(dirname(whole), basename(whole)) == whole


@given(absolute, st.lists(st.sampled_from(["a", "b c", "..x", "."]), min_size=1, max_size=5))
def test_names_below_a_directory_are_inside_it(directory, names):
    path = "/".join([directory, *names])
    assert is_inside(path, directory) == (set(names) != {"."})


def test_a_shared_beginning_is_not_inside():
    assert is_inside("/m/x", "/m/")
    assert not is_inside("/m2/x", "/m")
    assert not is_inside("/m", "/m")
    assert not is_inside("/m/../x", "/m")
    assert is_inside("/x", "/")
    assert not is_inside("/", "/")
