"""Answers, and cannot be asked to go: neither by `stop`, nor by SIGTERM."""

import signal
import time

from wire import echo, messages

signal.signal(signal.SIGTERM, signal.SIG_IGN)
for message in messages():
    echo(message)
time.sleep(600)
