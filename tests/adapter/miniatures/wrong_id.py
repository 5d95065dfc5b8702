"""Answers a request that was never put."""

from wire import bad, echo, messages, write

for message in messages():
    if bad(message):
        write({"id": message["id"] + 1_000_000, "result": message["args"]})
    else:
        echo(message)
