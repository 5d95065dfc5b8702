"""Writes a line of 100 MB."""

import sys

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        for _ in range(100):
            sys.stdout.write("x" * 1_000_000)
        sys.stdout.write("\n")
    echo(message)
