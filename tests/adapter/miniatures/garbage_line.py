"""Writes something else instead of one answer."""

from wire import bad, echo, messages, say

for message in messages():
    if bad(message):
        say("Segmentation fault (core dumped)")
    else:
        echo(message)
