"""Never answers one request."""

import time

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        time.sleep(600)
    echo(message)
