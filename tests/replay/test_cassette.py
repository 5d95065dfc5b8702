import hashlib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from memassay.replay import scrub
from memassay.replay.cassette import MANIFEST, CassetteError, entries, load, load_file, stored
from memassay.spec.locate import cassettes_root

ROOT = cassettes_root()
NAMES = sorted(entries(ROOT))
NAME = "selector-choice"
YAML_OF = YAML(typ="safe")


@pytest.fixture
def shelf(tmp_path):
    """A directory with one cassette and its manifest, both to be spoilt."""
    entry = next(e for e in YAML_OF.load(ROOT / MANIFEST)["cassettes"] if e["name"] == NAME)
    (tmp_path / f"{NAME}.yaml").write_bytes((ROOT / f"{NAME}.yaml").read_bytes())
    write_manifest(tmp_path, entry)
    return tmp_path


def write_manifest(directory, entry):
    with (directory / MANIFEST).open("w") as file:
        YAML(typ="safe").dump({"cassettes": [entry]}, file)


def vouched(shelf, content, **more):
    """Put another content on the shelf, with a manifest that vouches for it."""
    entry = YAML_OF.load(shelf / MANIFEST)["cassettes"][0]
    data = content if isinstance(content, bytes) else content.encode()
    (shelf / f"{NAME}.yaml").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    write_manifest(shelf, {**entry, "bytes": len(data), "sha256": digest, **more})


def changed(shelf, change):
    """Put the cassette on the shelf again, its interactions changed."""
    value = YAML_OF.load(shelf / f"{NAME}.yaml")
    change(value["interactions"])
    path = shelf / "spare"
    with path.open("w") as file:
        YAML(typ="safe").dump(value, file)
    vouched(shelf, path.read_bytes())


def complaint(shelf, name=NAME):
    with pytest.raises(CassetteError) as caught:
        load(shelf, name)
    return str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_every_cassette_is_what_its_manifest_says(name):
    cassette = stored(name)
    assert cassette.entry is not None
    assert len(cassette.exchanges) >= 1
    assert cassette.entry.recorded["against"] in {"script", "api"}


def test_no_cassette_without_an_entry():
    files = {path.stem for path in ROOT.glob("*.yaml")} - {"manifest", "scenarios"}
    assert files == set(NAMES)


@pytest.mark.parametrize("name", [*NAMES, "manifest", "scenarios"])
def test_no_cassette_holds_a_secret_or_a_machine(name):
    text = (ROOT / f"{name}.yaml").read_text()
    assert list(scrub.found_secrets(text)) == []
    assert Path.home().name not in {"", "root"} or "/root" not in text


@pytest.mark.parametrize("name", NAMES)
def test_only_harmless_headers_were_kept(name):
    for interaction in YAML_OF.load(ROOT / f"{name}.yaml")["interactions"]:
        assert {h.lower() for h in interaction["request"]["headers"]} <= scrub.REQUEST_HEADERS
        assert {h.lower() for h in interaction["response"]["headers"]} <= scrub.RESPONSE_HEADERS
        assert interaction["request"]["uri"] == f"https://{scrub.HOST}/v1/messages"


def test_one_letter_changed_is_noticed(shelf):
    path = shelf / f"{NAME}.yaml"
    text = path.read_text()
    path.write_text(text.replace("release.md\\", "refease.md\\", 1))
    assert path.read_text() != text
    assert "was edited" in complaint(shelf)


def test_one_that_was_made_longer_is_noticed(shelf):
    with (shelf / f"{NAME}.yaml").open("a") as file:
        file.write("# looked at\n")
    assert "was edited" in complaint(shelf)


def test_cut_off(shelf):
    path = shelf / f"{NAME}.yaml"
    whole = path.read_bytes()
    path.write_bytes(whole[:500])
    assert f"is cut off: 500 bytes of {len(whole):,}" in complaint(shelf)


def test_missing(shelf):
    (shelf / f"{NAME}.yaml").unlink()
    assert "cannot be read: No such file" in complaint(shelf)


def test_not_in_the_manifest(shelf):
    said = complaint(shelf, "selector-choise")
    assert "is not in the manifest" in said
    assert NAME in said


def test_no_manifest(tmp_path):
    assert MANIFEST in complaint(tmp_path)


def test_a_manifest_of_another_shape(shelf):
    (shelf / MANIFEST).write_text("cassettes: [{name: selector-choice}]\n")
    assert MANIFEST in complaint(shelf)


def test_no_utf_8(shelf):
    vouched(shelf, b"interactions: [\xff]\n")
    assert "is no UTF-8 from byte 15 on" in complaint(shelf)


PARTS = (
    "interactions: [{request: {method: POST, uri: 'https://x/v1/messages', body: %s},"
    " response: {body: {string: %s}, status: {code: %s}}}]\n"
)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("interactions:\n- request: {", "is no YAML"),
        ("interactions: []\n", "has no interactions"),
        ("[]\n", "has no interactions"),
        ("interactions: [{}]\n", "interaction 0 has not the parts of one"),
        ("interactions: [{request: 1, response: 2}]\n", "interaction 0 has not the parts"),
        (PARTS % ("[]", "", "200"), "interaction 0 has not the parts"),
        (PARTS % ("''", "[]", "200"), "interaction 0 has not the parts"),
        (PARTS % ("''", "''", "ok"), "interaction 0 has not the parts"),
        (PARTS % ("!!binary /w==", "'{}'", "200"), "interaction 0 is damaged"),
        (PARTS % ("'{}'", "'{}'}, headers: {content-length: [many]", "200"), "is cut off: 2 bytes"),
        (PARTS % ("'{}'", "'{}'}, headers: {content-type: []", "200"), "interaction 0 is damaged"),
    ],
)
def test_damaged(shelf, content, why):
    vouched(shelf, content)
    assert why in complaint(shelf)


def test_an_unknown_encoding(shelf):
    def change(interactions):
        interactions[0]["response"]["headers"]["Content-Encoding"] = ["br"]

    changed(shelf, change)
    assert "interaction 0 has the encoding 'br'" in complaint(shelf)


def test_an_answer_that_is_shorter_than_it_says(shelf):
    def change(interactions):
        interactions[0]["response"]["headers"]["Content-Length"] = ["9999"]

    changed(shelf, change)
    assert "interaction 0 is cut off" in complaint(shelf)


def test_two_identical_requests(shelf):
    changed(shelf, lambda interactions: interactions.append(dict(interactions[0])))
    assert "interactions 0 and 1 have the same request" in complaint(shelf)


def test_two_different_requests_are_no_problem(shelf):
    def change(interactions):
        again = {**interactions[0], "request": dict(interactions[0]["request"])}
        again["request"]["body"] = again["request"]["body"].replace("cut a release", "cut hair")
        interactions.append(again)

    changed(shelf, change)
    assert len(load(shelf, NAME).exchanges) == 2


def test_another_service(shelf):
    def change(interactions):
        interactions[0]["request"]["uri"] = "https://api.example.invalid/v1/weather"

    changed(shelf, change)
    assert "/v1/weather, which is no model" in complaint(shelf)


def test_an_answer_that_is_no_message(shelf):
    def change(interactions):
        interactions[0]["response"]["headers"] = {"content-type": ["application/json"]}
        interactions[0]["response"]["body"]["string"] = "[1]"

    changed(shelf, change)
    assert "interaction 0 is damaged" in complaint(shelf)


def test_plays_of_an_interaction_that_is_not_there(shelf):
    vouched(shelf, (shelf / f"{NAME}.yaml").read_bytes(), plays=[{"interaction": 7, "delay_ms": 1}])
    assert "plays interaction 7" in complaint(shelf)


def test_plays_are_part_of_the_reply():
    assert stored("selector-slow").exchanges[0].reply.delay_ms == 700
    assert stored("selector-dropped").exchanges[0].reply.drop_after_bytes == 120


def test_anybodys_file_needs_no_manifest(shelf):
    (shelf / MANIFEST).unlink()
    cassette = load_file(shelf / f"{NAME}.yaml")
    assert (cassette.name, cassette.entry, len(cassette.exchanges)) == (NAME, None, 1)
