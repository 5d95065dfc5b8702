"""Writes NaN, which JavaScript cannot read."""

from wire import bad, echo, messages, write

for message in messages():
    if bad(message):
        write({"id": message["id"], "result": {"days": float("nan")}})
    else:
        echo(message)
