"""Adds a key of its own to one answer."""

from wire import bad, echo, messages, write

for message in messages():
    if bad(message):
        write({"id": message["id"], "result": message["args"], "took_ms": 3})
    else:
        echo(message)
