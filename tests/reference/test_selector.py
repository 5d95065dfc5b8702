"""The selector: when it asks, what it asks, and what it makes of an answer."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.spec import constants
from memassay_reference.model_calls import ABORTED, Answer, Failure
from memassay_reference.selector import (
    KEY,
    SCHEMA,
    TOOL,
    TOOL_SENTENCE,
    Selector,
    choose,
    parse,
    starts,
    valid,
    without_type,
)

MOST = constants()["selector_max_names"]
names = st.lists(st.text(max_size=8) | st.sampled_from(["a.md", "[user] a.md", "b.md"]))
TOPICS = [
    {"path": f"{letter}.md", "description": letter, "type": "user", "mtime_ms": 0}
    for letter in "abcdefg"
]


def said(*files):
    return Answer(({"type": "text", "text": json.dumps({KEY: list(files)})},), "end_turn")


def called(*files):
    return Answer(({"type": "tool_use", "name": TOOL, "input": {KEY: list(files)}},), "tool_use")


class Model:
    """Says what it is told to, and remembers what it was asked."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    async def __call__(self, body):
        self.asked.append(body)
        return self.answers.pop(0)


def select(model, *queries, selector=None, **more):
    selector = selector or Selector("m", "s")
    return [asyncio.run(selector.select(model, query, TOPICS, **more)) for query in queries]


@pytest.mark.parametrize(
    ("query", "answer"),
    [("two words", True), ("one", False), (" one ", False), ("我们 x", True), ("a\x85b", False)],
)
def test_starts(query, answer):
    assert starts(query) is answer


@given(st.text())
def test_white_space_at_the_ends_changes_nothing(query):
    assert starts(f" {query}\n") is starts(query)


@given(names)
def test_what_fits_is_taken_as_it_is(files):
    assert parse(json.dumps({KEY: files})) == files


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=9))
def test_no_other_value_fits(value):
    assert valid(value) is None
    assert valid({KEY: value, "more": 1}) is None


@given(st.text())
def test_no_text_breaks_the_parser(text):
    assert parse(text) is None or KEY in text


def test_depth_does_not_break_the_parser():
    assert parse("[" * 100_000) is None


@given(names, st.sets(st.sampled_from(["a.md", "b.md", "c.md"])), st.sets(st.just("b.md")))
def test_what_is_chosen(files, candidates, used):
    chosen = choose(files, candidates, used)
    assert len(chosen) <= MOST
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= candidates - used
    assert chosen == sorted(chosen, key=[without_type(name) for name in files].index)


def test_at_most_so_many():
    files = [f"{number}.md" for number in range(MOST + 1)]
    assert choose(files[:MOST], files, ()) == files[:MOST]
    assert choose(files, files, ()) == files[:MOST]
    assert choose([*files, *files], set(files), set(files[:2])) == files[2:]


def test_a_file_whose_name_has_a_prefix_is_itself():
    assert choose(["[user] a.md"], {"[user] a.md", "a.md"}, ()) == ["[user] a.md"]


def test_the_request():
    model = Model(said("b.md"))
    (selection,) = select(model, "which one")
    assert (selection.files, selection.warning) == (("b.md",), False)
    (body,) = model.asked
    assert body["output_config"]["format"]["schema"] == SCHEMA
    assert body["max_tokens"] == constants()["selector_max_tokens"]
    catalog, query = body["messages"][0]["content"]
    assert catalog["text"].count("\n") == len(TOPICS) - 1
    assert query["text"] == "which one"


def test_history_grows_at_the_end_and_nothing_before_it_changes():
    model = Model(said("a.md"), said(), said("b.md"))
    select(model, "one two", "two three", "three four", selector=Selector("m", "s"))
    bare = [json.loads(json.dumps(body["messages"])) for body in model.asked]
    for messages in bare:
        for message in messages:
            for block in message["content"]:
                block.pop("cache_control", None)
    assert [len(messages) for messages in bare] == [1, 3, 5]
    assert bare[1][:1] == bare[0]
    assert bare[2][:3] == bare[1]


def test_a_file_is_chosen_once():
    model = Model(said("a.md", "b.md"), said("b.md", "c.md"))
    first, second = select(model, "one two", "two three", selector=Selector("m", "s"))
    assert (first.files, second.files) == (("a.md", "b.md"), ("c.md",))


def test_what_was_read_is_dropped_but_may_be_chosen_later():
    selector, model = Selector("m", "s"), Model(said("a.md"), said("a.md"))
    assert select(model, "one two", selector=selector, read=["a.md"])[0].files == ()
    assert select(model, "one two", selector=selector)[0].files == ("a.md",)


@pytest.mark.parametrize("status", [None, 401, 429, 500, 529])
def test_a_failure_warns_once_and_asks_once(status):
    model = Model(Failure("no", status))
    (selection,) = select(model, "one two")
    assert (selection.files, selection.warning, len(model.asked)) == ((), True, 1)


def test_an_abort_is_silent():
    (selection,) = select(Model(ABORTED), "one two")
    assert (selection.files, selection.warning) == ((), False)


def test_a_bad_answer_warns_and_leaves_no_history():
    model = Model(Answer(({"type": "text", "text": "{}"},), "end_turn"), said("a.md"))
    bad, good = select(model, "one two", "two three", selector=Selector("m", "s"))
    assert (bad.warning, good.files) == (True, ("a.md",))
    assert len(model.asked[1]["messages"]) == 1


def test_a_refused_schema_leads_to_the_tool_and_it_is_remembered():
    model = Model(Failure("no", 400), called("a.md"), called("b.md"))
    first, second = select(model, "one two", "two three", selector=Selector("m", "s"))
    assert (first.files, second.files) == (("a.md",), ("b.md",))
    native, *tools = model.asked
    assert "tools" not in native
    for body in tools:
        assert body["tool_choice"]["name"] == TOOL
        assert body["tools"][0]["input_schema"] == SCHEMA
        assert body["system"][0]["text"].endswith(TOOL_SENTENCE)
        assert body["model"] == native["model"]


def test_a_refused_tool_is_a_failure():
    (selection,) = select(Model(Failure("no", 400), Failure("no", 400)), "one two")
    assert selection.warning


def test_one_word_asks_nobody():
    (selection,) = select(Model(), "word")
    assert (selection.started, selection.warning) == (False, False)
