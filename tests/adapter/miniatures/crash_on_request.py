"""Raises on one request."""

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        raise RuntimeError("no such frontmatter")
    echo(message)
