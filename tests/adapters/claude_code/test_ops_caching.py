import pytest
from memassay_claude_code.bench import Bench
from memassay_claude_code.errors import CannotWitnessError, ClientHungError, WireChangedError
from memassay_claude_code.ops_caching import caching

ONE, TWO = "- [a](a.md) — one", "- [a](a.md) — two"
ASK = {"type": "request"}


def turns(options, index, *events):
    bench = Bench(options)
    try:
        return caching(bench, {"index": index, "events": list(events)})["turns"]
    finally:
        bench.close()


def test_every_request_shows_the_copies_it_carries(options):
    edit = {"type": "edit", "text": TWO}
    assert turns(options(), ONE, ASK, edit, ASK) == [[ONE], [ONE]]
    assert turns(options(), ONE, ASK, edit, {"type": "compact"}, ASK) == [[ONE], [TWO]]
    assert turns(options(), ONE, ASK, edit, {"type": "clear"}, ASK) == [[ONE], [TWO]]


@pytest.mark.parametrize("mode", ["plain", "late"])
def test_a_resumed_session_is_another_process_that_knows_the_old_one(options, mode):
    edit = {"type": "edit", "text": TWO}
    resume = {"type": "resume"}
    assert turns(options(mode), ONE, ASK, edit, resume, ASK, resume, ASK) == [
        [ONE],
        [ONE, TWO],
        [ONE, TWO],
    ]


def test_a_session_is_resumed_again_before_it_has_taken_a_turn(options):
    resume = {"type": "resume"}
    assert turns(options(), ONE, ASK, resume, resume, ASK) == [[ONE], [ONE]]


def test_a_client_that_does_not_end_by_itself_is_ended(options):
    with pytest.raises(ClientHungError, match="after its last turn"):
        turns(options("lingers", time_limit_s=2.0), ONE, ASK, {"type": "resume"})


@pytest.mark.parametrize("mode", ["plain", "careful"])
def test_the_model_writes_with_the_clients_own_tool(options, mode):
    write = {"type": "write", "text": TWO}
    assert turns(options(mode), ONE, ASK, write, ASK, {"type": "compact"}, ASK) == [
        [ONE],
        [ONE],
        [TWO],
    ]


@pytest.mark.parametrize("mode", ["deny", "lazy"])
def test_a_write_that_did_not_happen_is_noticed(options, mode):
    with pytest.raises(WireChangedError, match="did not write"):
        turns(options(mode), ONE, {"type": "write", "text": TWO})


def test_what_cannot_be_done_from_outside_is_said(options):
    with pytest.raises(CannotWitnessError, match="switch_branch"):
        turns(options(), ONE, ASK, {"type": "switch_branch"})
    with pytest.raises(CannotWitnessError, match="no session yet"):
        turns(options(), ONE, {"type": "resume"}, ASK)
    with pytest.raises(CannotWitnessError, match="header"):
        turns(options(), ONE, ASK, {"type": "write", "text": "---\na: 1\n---\n"})
    with pytest.raises(CannotWitnessError, match="warning"):
        turns(options(), "> WARNING: MEMORY.md is mine", ASK)
