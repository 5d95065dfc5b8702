"""Answers with what it remembers: how many requests this very process has had."""

import json
import sys

from wire import introduce, write

count = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        introduce(ops=["count", "fail", "decline", "crash"])
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
    else:
        write({"id": number, "result": {"count": count}})
