"""Closes its stdout at one request and lives on."""

import os
import time

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        os.close(1)
        time.sleep(600)
    echo(message)
