"""Crashes at one request, while a child of its own goes on holding all three pipes."""

import os
import subprocess

from wire import bad, echo, messages

for message in messages():
    if bad(message):
        subprocess.Popen(["sleep", "600"])
        os._exit(5)
    echo(message)
