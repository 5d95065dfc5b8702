"""What the miniatures share: the part of the protocol that each of them gets right."""

import json
import sys


def write(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def say(text):
    """Write a line that is no message."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def introduce(**changes):
    write({"protocol": 1, "implementation": {"name": "miniature"}, "ops": ["echo"], **changes})


def messages():
    """Yield the `run` messages until `stop`; `start` is answered on the way."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "start":
            introduce()
        elif message["cmd"] == "stop":
            return
        else:
            yield message


def echo(message):
    write({"id": message["id"], "result": message["args"]})


def bad(message):
    """Return whether this is the request at which the miniature misbehaves."""
    return message["args"].get("bad", False)
