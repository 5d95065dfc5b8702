"""Crashes on the third request that a process gets, whatever it is."""

import os

from wire import echo, messages

for count, message in enumerate(messages(), 1):
    if count == 3:
        os._exit(9)
    echo(message)
