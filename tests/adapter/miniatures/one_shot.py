"""Answers one request and ends, as if a process were started for each case."""

from wire import echo, messages

for message in messages():
    echo(message)
    break
