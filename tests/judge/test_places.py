import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.judge.places import STAND_IN, hide, show
from tests.judge.strategies import json_of, texts

ROOT = "/tmp/memassay-0001/0123456789ab"
SLUG = "-tmp-memassay-0001-0123456789ab"

pieces = st.lists(
    st.sampled_from([ROOT, SLUG, "<TREE>", "<TREE-SLUG>", "<TREE-LITERAL", "<TREE", "<", ">", "/"])
    | texts,
    max_size=6,
).map("".join)


@pytest.mark.parametrize(
    ("raw", "hidden"),
    [
        (ROOT, "<TREE>"),
        (f"{ROOT}/work/p", "<TREE>/work/p"),
        (
            f"~/projects/{SLUG}-p/memory",
            "~/projects/<TREE-SLUG>-p/memory",
        ),
        (f"x{ROOT}y{ROOT}", "x<TREE>y<TREE>"),
        ("<TREE>/work", "<TREE-LITERAL>/work"),
        ("/elsewhere", "/elsewhere"),
    ],
)
def test_root_and_key_become_signs(raw, hidden):
    assert hide(raw, ROOT) == hidden


def test_everything_in_a_value_is_covered_keys_too():
    assert hide({ROOT: [ROOT, 1, None, {"a": SLUG}]}, ROOT) == {
        "<TREE>": ["<TREE>", 1, None, {"a": "<TREE-SLUG>"}]
    }


def test_without_a_root_nothing_is_hidden():
    assert hide("<TREE> " + ROOT, None) == "<TREE> " + ROOT


def test_what_was_hidden_is_shown_at_the_stand_in():
    assert show(hide([f"{ROOT}/a", f"{SLUG}-a"], ROOT)) == [
        f"{STAND_IN}/a",
        STAND_IN.replace("/", "-") + "-a",
    ]


@pytest.mark.parametrize("guess", [STAND_IN, "<TREE>", STAND_IN.replace("/", "-"), "<TREE-SLUG>"])
def test_nobody_can_answer_with_the_sign_or_the_stand_in(guess):
    path, slug = show(hide([ROOT, SLUG], ROOT))
    assert show(hide(guess, ROOT)) not in (path, slug)


@given(json_of(pieces) | pieces)
def test_different_answers_stay_different(value):
    restored = show(hide(value, ROOT))
    if STAND_IN not in str(value):
        text = repr(restored).replace(STAND_IN, ROOT).replace(STAND_IN.replace("/", "-"), SLUG)
        assert text == repr(value)


@given(pieces)
def test_two_machines_give_the_same_record(text):
    other = "/private/var/folders/zz/T/memassay-0002/0123456789ab"
    there = text.replace(ROOT, other).replace(SLUG, other.replace("/", "-"))
    assert hide(there, other) == hide(text, ROOT)
