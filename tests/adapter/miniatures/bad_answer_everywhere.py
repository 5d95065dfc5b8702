"""Answers every request with a message that the schema refuses."""

from wire import messages, write

for message in messages():
    write({"id": message["id"], "answer": message["args"]})
