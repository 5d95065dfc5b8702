"""Forgets which request it answers."""

from wire import bad, echo, messages, write

for message in messages():
    if bad(message):
        write({"result": message["args"]})
    else:
        echo(message)
