"""Writes Latin-1."""

import sys

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        line = f'{{"id": {message["id"]}, "result": {{"text": "caf\xe9"}}}}\n'
        sys.stdout.buffer.write(line.encode("latin-1"))
        sys.stdout.buffer.flush()
    else:
        echo(message)
