"""Ends in the middle of an answer."""

import sys

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        sys.stdout.write(f'{{"id": {message["id"]}, "resu')
        break
    echo(message)
