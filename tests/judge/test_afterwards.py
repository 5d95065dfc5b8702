import os

import pytest

from memassay.judge.afterwards import compare_tree, observe, unmade
from memassay.judge.values import Exactly
from memassay.spec.builders import Context
from memassay.spec.trees import make_tree, snapshot

TREE = {
    "d/a.md": "alpha",
    "d/b.md": {"hex": "FF 00"},
    "d/link": {"symlink": "a.md"},
    "e": {"dir": True},
    "pipe": {"fifo": True},
}


class Scene:
    """A directory, and what happens to it."""

    def __init__(self, root):
        self.root = root
        make_tree(TREE, Context(str(root), 1_796_040_000_000))
        self.before = snapshot(root)

    def after(self, expect):
        return observe(expect, self.before, snapshot(self.root), str(self.root))

    def problems(self, expect):
        return [(m.at, m.problem) for m in compare_tree(expect, self.after(expect))]


@pytest.fixture
def scene(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    return Scene(root.resolve())


ALL_UNTOUCHED = dict.fromkeys(("d/a.md", "d/b.md", "d/link", "d", "e", "pipe", "*"), "untouched")


def test_an_untouched_directory_is_untouched(scene):
    assert scene.problems(ALL_UNTOUCHED) == []
    assert scene.after({"d/a.md": "untouched", "*": "untouched"}) == {
        "d/a.md": "untouched",
        "*": {"new": [], "gone": [], "changed": []},
    }


def test_reading_touches_nothing(scene):
    (scene.root / "d/a.md").read_bytes()
    list((scene.root / "d").iterdir())
    assert scene.problems(ALL_UNTOUCHED) == []


def rewrite(root):
    (root / "d/a.md").write_text("beta")


def touch(root):
    os.utime(root / "d/a.md", ns=(1, 1))


def rewrite_and_hide(root):
    path = root / "d/a.md"
    times = path.stat()
    path.write_text("alphb")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def delete(root):
    (root / "d/a.md").unlink()


def replace_by_directory(root):
    (root / "d/a.md").unlink()
    (root / "d/a.md").mkdir()


@pytest.mark.parametrize(
    ("act", "problem"),
    [
        (rewrite, "was to stay untouched; changed: content, mtime"),
        (touch, "was to stay untouched; changed: mtime"),
        (rewrite_and_hide, "was to stay untouched; changed: content"),
        (delete, "was to stay untouched; it is gone"),
        (replace_by_directory, "was to stay untouched; it is now a directory"),
    ],
)
def test_every_kind_of_touch_is_noticed(scene, act, problem):
    act(scene.root)
    assert scene.problems({"d/a.md": "untouched"}) == [("tree:d/a.md", problem)]


def test_a_link_is_touched_by_another_target_not_by_its_file(scene):
    rewrite(scene.root)
    assert scene.problems({"d/link": "untouched"}) == []
    (scene.root / "d/link").unlink()
    (scene.root / "d/link").symlink_to("b.md")
    ((_, problem),) = scene.problems({"d/link": "untouched"})
    assert problem.startswith("was to stay untouched; changed: target")
    assert scene.problems({"d/link": {"symlink": "b.md"}}) == []
    assert scene.problems({"d/link": {"symlink": "a.md"}}) == [
        ("tree:d/link", 'is "b.md", expected "a.md"')
    ]


def test_contents_are_compared_as_text_or_bytes(scene):
    good = {
        "d/a.md": "alpha",
        "d/b.md": b"\xff\x00",
    }
    assert scene.problems(good) == []
    assert scene.problems({"d/a.md": b"alpha"}) == []
    assert scene.problems({"d/a.md": {"contains": "lph", "length_utf16": 5}}) == []
    assert scene.problems({"d/a.md": Exactly("alpha")}) == []
    assert [at for at, _ in scene.problems({"d/a.md": "beta"})] == ["tree:d/a.md"]
    assert [at for at, _ in scene.problems({"d/a.md": b"beta"})] == ["tree:d/a.md"]
    assert [at for at, _ in scene.problems({"d/b.md": b"\xff"})] == ["tree:d/b.md"]
    ((_, problem),) = scene.problems({"d/b.md": "x"})
    assert problem == "differs from byte 0 on: expected 78 of 1 byte, got FF 00 of 2 bytes"
    assert scene.problems({"d/b.md": {"contains": "x"}}) == [
        ("tree:d/b.md", 'is bytes, expected text or a list that contains "x"')
    ]


def test_a_content_that_looks_like_a_word_is_written_literally(scene):
    (scene.root / "d/a.md").write_text("untouched")
    assert scene.problems({"d/a.md": Exactly("untouched")}) == []
    assert scene.problems({"d/a.md": "untouched"}) != []


def test_a_byte_order_mark_is_part_of_the_content(scene):
    (scene.root / "d/a.md").write_bytes(b"\xef\xbb\xbfalpha")
    assert scene.problems({"d/a.md": "\ufeffalpha"}) == []
    assert scene.problems({"d/a.md": "alpha"}) != []


def test_absent_and_kinds(scene):
    assert scene.problems({"nowhere": "absent", "e": {"dir": True}}) == []
    assert scene.problems({"d/a.md": "absent", "pipe": {"dir": True}, "nowhere": "x"}) == [
        ("tree:d/a.md", "is a regular file, expected nothing there"),
        ("tree:pipe", "is a named pipe, expected a directory"),
        ("tree:nowhere", "is not there, expected a regular file"),
    ]
    assert scene.problems({"d/a.md": {"symlink": "x"}, "d/link": "alpha"}) == [
        ("tree:d/a.md", "is a regular file, expected a symbolic link"),
        ("tree:d/link", "is a symbolic link, expected a regular file"),
    ]


def test_the_rest_may_not_appear_disappear_or_change(scene):
    (scene.root / "d/new.md").write_text("")
    (scene.root / "d/link").unlink()
    rewrite(scene.root)
    assert scene.problems({"*": "untouched"}) == [
        ("tree:*", "nothing else was to change, but 1 appeared: d/new.md"),
        ("tree:*", "nothing else was to change, but 1 disappeared: d/link"),
        ("tree:*", "nothing else was to change, but 2 changed: d, d/a.md"),
    ]


def test_naming_a_file_allows_what_writing_it_needs_and_no_more(scene):
    deep = scene.root / "new/deep"
    deep.mkdir(parents=True)
    (deep / "x.md").write_text("x")
    rewrite(scene.root)
    expect = {"new/deep/x.md": "x", "d/a.md": "beta", "*": "untouched"}
    assert scene.problems(expect) == []
    (deep / "y.md").write_text("")
    assert scene.problems(expect) == [
        ("tree:*", "nothing else was to change, but 1 appeared: new/deep/y.md")
    ]


def test_a_replaced_file_touches_its_directory_and_no_other(scene):
    temporary = scene.root / "d/a.md.tmp"
    temporary.write_text("beta")
    temporary.rename(scene.root / "d/a.md")
    assert scene.problems({"d/a.md": "beta", "*": "untouched"}) == []
    os.utime(scene.root / "e", ns=(1, 1))
    assert scene.problems({"d/a.md": "beta", "*": "untouched"}) == [
        ("tree:*", "nothing else was to change, but 1 changed: e")
    ]


def test_many_paths_are_counted_and_a_few_are_named(scene):
    for number in range(20):
        (scene.root / f"e/{number:02}").touch()
    ((_, appeared), _) = scene.problems({"*": "untouched"})
    assert appeared.endswith("but 20 appeared: e/00, e/01, e/02, e/03, e/04 …")


def test_the_record_names_no_time_and_only_what_was_asked_for(scene):
    rewrite(scene.root)
    assert scene.after({"d/a.md": "untouched", "d/b.md": b"", "pipe": "absent"}) == {
        "d/a.md": {"file": "beta", "changed": ["content", "mtime"]},
        "d/b.md": {"file": {"$bytes": "/wA="}, "changed": []},
        "pipe": {"fifo": True, "changed": []},
    }


def test_a_file_that_cannot_be_read_is_not_what_was_expected(scene, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    rewrite(scene.root)
    after = snapshot(scene.root)
    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    record = observe({"d/a.md": "beta"}, scene.before, after, str(scene.root))
    assert record["d/a.md"]["file"] == {"unreadable": "Permission denied"}
    assert [m.problem for m in compare_tree({"d/a.md": "beta"}, record)] == [
        'is a mapping ("unreadable"), expected the text "beta"'
    ]


def test_an_unmade_path_cannot_be_untouched(scene):
    assert unmade({"d/a.md": "untouched", "x": "absent", "*": "untouched"}, scene.before) is None
    assert unmade({"x": "untouched"}, scene.before) == "x"


def test_a_record_that_lacks_a_path_is_no_pass():
    assert [m.at for m in compare_tree({"a": "untouched", "b": "x", "*": "untouched"}, {})] == [
        "tree:a",
        "tree:b",
        "tree:*",
    ]
