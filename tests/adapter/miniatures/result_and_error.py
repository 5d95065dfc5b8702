"""Cannot decide."""

from wire import bad, echo, messages, write

for message in messages():
    if bad(message):
        error = {"code": "oops", "message": "or not"}
        write({"id": message["id"], "result": message["args"], "error": error})
    else:
        echo(message)
