"""Writes 8 MB to stderr before one answer, and then answers."""

import sys

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        for _ in range(8):
            sys.stderr.write("e" * 1_000_000)
    echo(message)
