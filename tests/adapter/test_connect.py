"""The digest of who answered."""

from __future__ import annotations

import pytest

from memassay.adapter.connect import digest
from memassay.adapter.messages import Implementation, Started

STARTED = Started(Implementation("port", "1.0", targets=("2.1.296",)), ("sanitise",))


def test_digest_is_the_same_for_the_same():
    again = Started(Implementation("port", "1.0", targets=("2.1.296",)), ("sanitise",))
    assert digest(STARTED, ["node", "a.mjs"]) == digest(again, ("node", "a.mjs"))
    assert len(digest(STARTED, [])) == 64


@pytest.mark.parametrize(
    "other",
    [
        Started(Implementation("port", "1.1", targets=("2.1.296",)), ("sanitise",)),
        Started(Implementation("port", "1.0"), ("sanitise",)),
        Started(Implementation("port", "1.0", targets=("2.1.296",)), ("sanitise", "topics_scan")),
    ],
)
def test_digest_changes_with_what_the_adapter_says(other):
    assert digest(other, ["node"]) != digest(STARTED, ["node"])


def test_digest_follows_the_file_and_not_its_directory(tmp_path):
    found = []
    for name, text in (("one", "v1"), ("two", "v1"), ("three", "v2")):
        adapter = tmp_path / name / "adapter.mjs"
        adapter.parent.mkdir()
        adapter.write_text(text)
        found.append(digest(STARTED, ["node", str(adapter)]))
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_digest_takes_any_words():
    assert digest(STARTED, ["a\0b", "x" * 5000, "\ud83d", ""])
