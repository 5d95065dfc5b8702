"""Short words for the events of session scripts, for tests."""

from memassay_reference.session import play

PROSE = "please remember the port is 8080"
DAY = 86_400_000


def user(at_ms, name, content=PROSE, **more):
    return {"at_ms": at_ms, "type": "user_message", "id": name, "content": content, **more}


def assistant(at_ms, name, content="noted", **more):
    return {"at_ms": at_ms, "type": "assistant_message", "id": name, "content": content, **more}


def event(at_ms, kind, **more):
    return {"at_ms": at_ms, "type": kind, **more}


def settled(at_ms):
    return event(at_ms, "settled")


def returned(at_ms, outcome="normal", task="extraction", **more):
    return event(at_ms, "background_return", task=task, outcome=outcome, **more)


def turn(at_ms, number, content=PROSE):
    """A user message, an answer, and the end of the turn."""
    return [
        user(at_ms, f"u{number}", content),
        assistant(at_ms + 1, f"a{number}"),
        settled(at_ms + 2),
    ]


def session(number, updated_ms=-1000, **more):
    name = f"{number:08d}-0000-4000-8000-000000000000"
    header = {"type": "session", "id": name}
    return {"file": f"s{number}.jsonl", "header": header, "updated_ms": updated_ms, **more}


def run(events, files=(), **config):
    """The actions of a script, event by event."""
    return play({"config": config, "files": list(files), "events": list(events)})


def kinds(actions):
    return [action["type"] for action in actions]


def only(actions, kind):
    """The one action of that kind."""
    (found,) = [action for action in actions if action["type"] == kind]
    return found
