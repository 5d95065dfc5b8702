"""Answers in pairs, the second request before the first."""

import json
import sys

from wire import echo, introduce

held = None
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        introduce()
    elif message["cmd"] == "run" and held is None:
        held = message
    elif message["cmd"] == "run":
        echo(message)
        echo(held)
        held = None
