"""Answers with what it remembers: how many requests this very process has had."""

import json
import os
import sys
import time
from pathlib import Path

from wire import introduce, write


def living(file):
    """Note in a file that this process lives; return how many of those that did so before do."""
    before = file.read_text().split() if file.exists() else []
    file.write_text(" ".join([*before, str(os.getpid())]))
    count = 0
    for number in before:
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            continue
        count += 1
    return count


count = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        introduce(ops=["count", "fail", "decline", "crash", "living", "twice", "leave"])
        continue
    if message["cmd"] == "stop":
        break
    count += 1
    number, op = message["id"], message["op"]
    if op == "crash":
        sys.exit(3)
    if op == "fail":
        write({"id": number, "error": {"code": "no", "message": "it fails"}})
    elif op == "decline":
        write({"id": number, "skipped": {"reason": "cannot"}})
    elif op == "living":
        write({"id": number, "result": {"count": living(Path(message["args"]["file"]))}})
    else:
        answer = {"id": number, "result": {"count": count}}
        write(answer)
        if op == "twice":
            time.sleep(message["args"]["pause"])
            write(answer)
    if op == "leave":
        break
