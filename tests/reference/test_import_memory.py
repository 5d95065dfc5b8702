"""Chapter import: the client's memory is copied once, and nothing is ever overwritten."""

import os

from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.import_memory import import_memory

NAMES = st.sampled_from(["MEMORY.md", "a.md", "sub/b.md", "logs/x/1.md", "logs/raw.txt"])


def run(root):
    for name in ("home", "p"):
        (root / name).mkdir(exist_ok=True)
    return import_memory(
        {
            "cwd": str(root / "p"),
            "home": str(root / "home"),
            "env": {},
            "settings": {"user": {"autoMemoryDirectory": str(root / "c")}},
            "config": {"autoMemoryDirectory": str(root / "own")},
        }
    )


def write(root, files):
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def read(root):
    return {
        os.path.relpath(path, root): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


@given(client=st.dictionaries(NAMES, st.binary(max_size=20), max_size=5))
def test_the_copy_is_the_original_and_a_second_run_does_nothing(tmp_path_factory, client):
    root = tmp_path_factory.mktemp("t")
    write(root / "c", client)
    assert run(root)["imported"] is bool(client)
    assert read(root / "own") == client
    write(root / "c", {"late.md": b"later"})
    if client:
        assert not run(root)["imported"]
        assert read(root / "own") == client


@given(
    client=st.dictionaries(NAMES, st.binary(max_size=20), min_size=1, max_size=5),
    own=st.dictionaries(NAMES, st.binary(max_size=20), min_size=1, max_size=5),
)
def test_a_destination_with_any_file_stays_as_it_is(tmp_path_factory, client, own):
    root = tmp_path_factory.mktemp("t")
    write(root / "c", client)
    write(root / "own", own)
    assert not run(root)["imported"]
    assert read(root / "own") == own
    assert read(root / "c") == client


def test_a_link_in_place_of_the_destination_is_left_alone(tmp_path):
    write(tmp_path / "c", {"MEMORY.md": b"x"})
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "own").symlink_to(tmp_path / "elsewhere")
    assert not run(tmp_path)["imported"]
    assert read(tmp_path / "elsewhere") == {}


def test_dangling_links_and_loops_do_not_stop_the_copy(tmp_path):
    write(tmp_path / "c", {"MEMORY.md": b"x", "z.md": b"z"})
    (tmp_path / "c/a.md").symlink_to("nowhere")
    (tmp_path / "c/loop").symlink_to(".")
    assert run(tmp_path)["imported"]
    assert read(tmp_path / "own") == {"MEMORY.md": b"x", "z.md": b"z"}
