"""Starts a process of its own and ends without it. The result says which."""

import subprocess

from wire import messages, write

child = subprocess.Popen(["sleep", "600"])
for message in messages():
    write({"id": message["id"], "result": {"pid": child.pid}})
