import json

import pytest

from memassay.spec import cache

RETIRED = "retired: [{id: a-b, reason: It was wrong about that.}]\n"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A directory for the cache, empty so far."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "retired.yaml"
    path.write_text(RETIRED)
    return path


def test_what_was_kept_is_what_was_parsed(place, file):
    parsed = cache.load_document(file, "retired")
    (entry,) = place.iterdir()
    assert entry.suffix == ".json"
    assert cache.load_document(file, "retired") == parsed


def test_a_changed_file_has_another_entry(place, file):
    cache.load_document(file, "retired")
    file.write_text(RETIRED.replace("a-b", "a-c"))
    assert cache.load_document(file, "retired").value["retired"][0]["id"] == "a-c"
    assert len(list(place.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}", b'{"value":1,"lines":[[1]]}', b"\xff"])
def test_a_damaged_entry_is_made_anew(place, file, damage):
    parsed = cache.load_document(file, "retired")
    (entry,) = place.iterdir()
    entry.write_bytes(damage)
    assert cache.load_document(file, "retired") == parsed
    assert json.loads(entry.read_bytes())["value"] == parsed.value


def test_a_full_disk_is_no_error_and_leaves_nothing(place, file, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("memassay.spec.cache.json.dump", refuse)
    assert cache.load_document(file, "retired").value
    assert list(place.iterdir()) == []


def test_no_cache_is_kept_if_none_is_wanted(place, file, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, "")
    assert cache.load_document(file, "retired").value
    assert not place.exists()
