import pytest
from memassay_claude_code import observe
from memassay_claude_code.errors import ClientExitedError, WireChangedError


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
        one.prove()


def test_without_sharing_such_a_client_still_answers_right(bench):
    one = bench("forgetful")
    assert [shown(one, f"- {n}\n") for n in range(2)] == ["- 0", "- 1"]


def test_a_shared_client_that_dies_does_not_cost_the_case(bench):
    one = bench("die-later")
    assert [shown(one, f"- {n}\n") for n in range(3)] == ["- 0", "- 1", "- 2"]


def test_a_client_that_fails_alone_too_is_an_error(bench):
    with pytest.raises(ClientExitedError):
        shown(bench("exit"), "- a\n")
