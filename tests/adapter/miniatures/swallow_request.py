"""Forgets one request and goes on with the others."""

from wire import bad, echo, messages

for message in messages():
    if not bad(message):
        echo(message)
