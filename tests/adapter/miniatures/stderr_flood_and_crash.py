"""Writes 8 MB to stderr and ends with a sentence that matters."""

import sys

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        for _ in range(8):
            sys.stderr.write("e" * 1_000_000)
        sys.exit("\nthe disk is full")
    echo(message)
