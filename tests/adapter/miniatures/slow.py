"""Takes its time over every answer."""

import time

from wire import echo, messages

for message in messages():
    time.sleep(0.06)
    echo(message)
