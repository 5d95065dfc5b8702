import pytest
from memassay_claude_code import observe
from memassay_claude_code.errors import ClientExitedError, WireChangedError
from memassay_claude_code.ops_index import index_window


def shown(bench, text):
    return observe.index_body(bench.look_at_index(text.encode()))


def test_one_process_shows_many_indexes(bench):
    one = bench()
    assert [shown(one, f"- {n}\n") for n in range(3)] == ["- 0", "- 1", "- 2"]
    assert one.at_desk(lambda desk: desk.turns) == 5  # two of them to prove the client


def test_isolated_looks_have_a_process_each(bench):
    one = bench(isolate=True)
    assert [shown(one, f"- {n}\n") for n in range(2)] == ["- 0", "- 1"]
    assert one.at_desk(lambda desk: desk.turns) == 0


def test_an_empty_index_and_none(bench):
    one = bench()
    assert shown(one, "") is None
    assert shown(one, "- a\n") == "- a"
    assert one.at_desk(lambda desk: observe.index_body(desk.look(None)[0].body)) is None


def test_a_client_that_does_not_read_the_index_again_is_found_out(bench):
    one = bench("forgetful")
    with pytest.raises(WireChangedError, match=r"read again"):
        one.learn_ending()


def test_without_sharing_such_a_client_still_answers_right(bench):
    one = bench("forgetful")
    assert [shown(one, f"- {n}\n") for n in range(2)] == ["- 0", "- 1"]


def test_a_shared_client_that_dies_does_not_cost_the_case(bench):
    one = bench("die-later")
    assert [shown(one, f"- {n}\n") for n in range(3)] == ["- 0", "- 1", "- 2"]


def test_a_client_that_fails_alone_too_is_an_error(bench):
    with pytest.raises(ClientExitedError):
        shown(bench("exit"), "- a\n")


def test_the_ending_of_the_block_is_learnt(bench):
    assert bench().learn_ending() == observe.USUAL_ENDING
    assert bench("talkative").learn_ending() == "\n# more\nwords" + observe.USUAL_ENDING


def test_with_a_learnt_ending_the_index_is_told_apart_from_it(bench):
    one = bench("talkative", ending="\n# more\nwords" + observe.USUAL_ENDING)
    assert index_window(one, {"text": "- a\n# more\n"}) == {"kept": "- a\n# more", "warning": None}


def test_another_ending_than_the_learnt_one_is_a_changed_wire(bench):
    with pytest.raises(WireChangedError, match="block"):
        index_window(bench("talkative", ending="\n</other>"), {"text": "- a"})


@pytest.mark.parametrize("mode", ["reverse", "restless"])
def test_a_client_that_does_not_inject_the_index_as_it_stands_is_found_out(bench, mode):
    with pytest.raises(WireChangedError, match=r"comes|each time"):
        bench(mode).learn_ending()
