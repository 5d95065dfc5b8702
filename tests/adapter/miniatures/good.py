"""Answers everything, as it should."""

from wire import echo, messages

for message in messages():
    echo(message)
