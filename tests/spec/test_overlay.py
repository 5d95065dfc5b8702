import pytest

from memassay.spec.errors import SpecError
from memassay.spec.lint import lint
from memassay.spec.loader import load_spec

OVERLAY = """\
client: 1.3.0
overlay_of: 1.2.3
about: Four lines pass.
"""

CHAPTER = """\
chapter: window
title: A wider window
status: complete
intro: What passes.
rules:
  - id: WIN-1
    level: MUST
    text: At most four lines pass.
    constants: [most_lines]
    evidence: [{grade: observed, client: 1.3.0, observations: [O1]}]
    cases:
      - id: win-four-pass
        op: cut
        args: {text: {lines: {from: 1, to: 4, format: "{n}"}}}
        expect: {kept: {contains: "4"}}
        why: four are allowed
  - id: WIN-3
    level: MAY
    text: There is a curtain.
    evidence: [{grade: observed, client: 1.3.0, observations: [O1]}]
"""

CONSTANTS = """\
client: 1.3.0
constants:
  - {id: most_lines, value: 4, unit: lines, text: Most lines.,
     evidence: [{grade: observed, client: 1.3.0, observations: [O1]}]}
"""


@pytest.fixture
def laid(small_spec):
    """Return a function that writes files of version 1.3.0 and reads it."""

    def lay(**files):
        folder = small_spec / "1.3.0"
        folder.mkdir(exist_ok=True)
        for name, text in {"overlay": OVERLAY, **files}.items():
            (folder / f"{name}.yaml").write_text(text)
        return load_spec("1.3.0", small_spec)

    return lay


def test_an_overlay_without_differences_is_the_version_below(laid, small_spec):
    below, above = load_spec("1.2.3", small_spec), laid()
    assert above.version == "1.3.0"
    assert above.rules == below.rules
    assert above.constants == below.constants
    assert above.digest != below.digest


def test_a_rule_replaces_the_whole_rule_and_a_new_one_comes_last(laid):
    spec = laid(window=CHAPTER, constants=CONSTANTS)
    assert list(spec.rules) == ["WIN-1", "WIN-2", "WIN-3"]
    assert list(spec.cases) == ["win-four-pass"]
    assert spec.chapters["window"].title == "A wider window"
    assert spec.constants["most_lines"].value == 4


def test_the_version_below_stays_as_it_was(laid, small_spec):
    before = load_spec("1.2.3", small_spec)
    laid(window=CHAPTER, constants=CONSTANTS)
    assert load_spec("1.2.3", small_spec) == before


def test_a_rule_can_be_removed_and_is_not_owed_any_more(laid):
    spec = laid(overlay=OVERLAY + "removed: [{rule: WIN-2, reason: it is gone}]\n")
    assert list(spec.rules) == ["WIN-1"]
    assert spec.removed == {"WIN-2": "it is gone"}
    owed = {"window": ("WIN-1", "WIN-2")}
    assert lint(spec, inventory=owed, observations=frozenset({"O1"})).ok


def test_an_overlay_can_lie_over_an_overlay(laid, small_spec):
    laid(window=CHAPTER, constants=CONSTANTS)
    folder = small_spec / "1.4.0"
    folder.mkdir()
    text = "client: 1.4.0\noverlay_of: 1.3.0\nabout: x\nremoved: [{rule: WIN-3, reason: gone}]\n"
    (folder / "overlay.yaml").write_text(text)
    spec = load_spec("1.4.0", small_spec)
    assert list(spec.rules) == ["WIN-1", "WIN-2"]
    assert spec.constants["most_lines"].value == 4


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"overlay": OVERLAY.replace("1.2.3", "1.3.0")}, "lies over itself"),
        ({"overlay": OVERLAY.replace("1.2.3", "9.9.9")}, "there is no spec of client 9.9.9"),
        ({"overlay": OVERLAY.replace("1.3.0", "1.3.1")}, "its folder is not"),
        ({"overlay": OVERLAY + "removed: [{rule: X-1, reason: y}]\n"}, "removes X-1"),
        ({"overlay": "client: 1.3.0\n"}, "overlay_of"),
        ({"window": CHAPTER.replace("WIN-3", "WIN-1")}, "this id is there twice"),
    ],
)
def test_what_is_wrong_is_named(laid, files, said):
    with pytest.raises(SpecError, match=said):
        laid(**files)
