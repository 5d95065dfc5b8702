"""Answers one request twice."""

from wire import bad, echo, messages

for message in messages():
    echo(message)
    if bad(message):
        echo(message)
