from hypothesis import given
from hypothesis import strategies as st

from memassay.replay.messages_api import MessagesApi
from memassay.replay.playback import Exchange, Playback, nearest, playback_of
from memassay.replay.reply import Reply, reply_of
from tests.replay.asking import NATIVE, TOOL, body

READ = MessagesApi().read
TEXT, STRUCTURED, FORCED = READ(body()), READ(body(**NATIVE)), READ(body(**TOOL))


def said(served):
    return None if served.reply is None else served.reply.message


def recording(*pairs):
    return Playback([Exchange(Reply(message=name), request) for name, request in pairs])


def test_a_script_answers_in_order_whatever_is_asked():
    play = Playback([Exchange(Reply(message=name)) for name in "ab"])
    assert [said(play.take(STRUCTURED)), said(play.take(FORCED))] == ["a", "b"]


def test_a_recording_answers_the_same_form():
    play = recording(("native", STRUCTURED), ("tool", FORCED))
    assert said(play.take(FORCED)) == "tool"
    assert said(play.take(STRUCTURED)) == "native"


def test_every_answer_goes_out_once():
    play = recording(("one", TEXT))
    assert said(play.take(TEXT)) == "one"
    served = play.take(TEXT)
    assert served.reply is None
    assert served.unanswered == "all 1 recorded answers were given before"


def test_a_broken_api_stays_broken():
    play = Playback(
        [Exchange(Reply(message="fine")), Exchange(Reply(status=500, message="broken"))]
    )
    assert [said(play.take(TEXT)) for _ in range(4)] == ["fine", "broken", "broken", "broken"]


def test_an_error_before_the_end_does_not_stay():
    play = Playback([Exchange(Reply(status=400, message="no")), Exchange(Reply(message="fine"))])
    assert [said(play.take(TEXT)) for _ in range(3)] == ["no", "fine", None]


def test_what_matches_nothing_is_shown_beside_the_nearest():
    other = READ(body(**NATIVE, max_tokens=9, model="x"))
    served = recording(("far", other), ("near", STRUCTURED)).take(TEXT)
    assert served.unanswered == "the recording has no answer left for a request of the form text"
    assert served.nearest == {"interaction": 1, "differs": ["form", "schema"]}


def test_nearest_of_nothing():
    assert nearest(TEXT, []) is None


def test_a_script_as_a_case_writes_it():
    play = playback_of({"replies": [{"text": "a", "delay_ms": 5}, {"status": 529}]})
    first, second = play.take(TEXT).reply, play.take(TEXT).reply
    assert (first.blocks, first.delay_ms) == (({"type": "text", "text": "a"},), 5)
    assert (second.status, second.error, second.refuses) == (529, "overloaded_error", True)


def test_an_answer_may_be_kept_for_certain_words():
    play = playback_of({"replies": [{"text": "a", "to": "bye"}, {"text": "b", "to": "hello"}]})
    assert [play.take(TEXT).index, play.take(TEXT).index] == [1, None]
    assert play.take(READ(body(system="bye"))).index == 0


def test_a_tool_call_stops_for_it():
    reply = reply_of({"calls": [{"name": "pick", "input": {}}]})
    assert (reply.stop, reply.blocks[0]["type"]) == ("tool_use", "tool_use")
    assert reply_of({"text": "a", "stop": "max_tokens"}).stop == "max_tokens"


@given(st.lists(st.sampled_from(["text", "native", "tool"]), max_size=8), st.randoms())
def test_the_order_of_forms_does_not_matter(forms, chance):
    shapes = {"text": TEXT, "native": STRUCTURED, "tool": FORCED}
    play = recording(*((str(index), shapes[form]) for index, form in enumerate(forms)))
    asked = list(forms)
    chance.shuffle(asked)
    given_ = [int(said(play.take(shapes[form]))) for form in asked]
    assert sorted(given_) == list(range(len(forms)))
    for form in shapes:
        order = [number for number, of in zip(given_, asked, strict=True) if of == form]
        assert order == sorted(order)
