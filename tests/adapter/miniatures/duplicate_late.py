"""Repeats the answer to one request after the next one was answered."""

from wire import bad, echo, messages

repeat = None
for message in messages():
    echo(message)
    if repeat is not None:
        echo(repeat)
        repeat = None
    if bad(message):
        repeat = message
