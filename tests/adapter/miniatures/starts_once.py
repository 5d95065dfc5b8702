"""Starts the first time only: `starts_once.py MARKER` makes the file and crashes on one request."""

import sys
from pathlib import Path

from wire import bad, echo, messages

marker = Path(sys.argv[1])
try:
    marker.touch(exist_ok=False)
except FileExistsError:
    sys.exit("the port 4711 is in use")
for message in messages():
    if bad(message):
        sys.exit("this is how it ends")
    echo(message)
