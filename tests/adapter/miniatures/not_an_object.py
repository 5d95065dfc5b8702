"""Writes JSON that is no message."""

from wire import bad, echo, messages, write

for message in messages():
    if bad(message):
        write([message["id"], message["args"]])
    else:
        echo(message)
