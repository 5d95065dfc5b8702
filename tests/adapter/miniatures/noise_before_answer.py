"""Logs to stdout before one answer."""

from wire import bad, echo, messages, say

for message in messages():
    if bad(message):
        say("debug: reading MEMORY.md\n")
    echo(message)
