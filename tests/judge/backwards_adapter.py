"""An adapter that answers `shout` in bunches, the last request first, and can be made to fail."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--stray-once", metavar="FILE")  # made when it was done: a restart does not
parser.add_argument("--crash-on")
parser.add_argument("--hang-on")
parser.add_argument("--deep-on")  # JSON that can be read, and is too deep for all that comes after
options = parser.parse_args()


def send(message):
    os.write(1, json.dumps(message).encode() + b"\n")


def answer(request):
    text = request["args"]["text"]
    if text == options.crash_on:
        sys.exit(3)
    if text == options.hang_on:
        time.sleep(600)
    if text == options.deep_on:
        deep = "[" * 900 + "]" * 900
        os.write(1, b'{"id": %d, "result": {"text": %b}}\n' % (request["id"], deep.encode()))
        return
    if options.stray_once and not Path(options.stray_once).exists():
        Path(options.stray_once).touch()
        send({"id": 4711, "result": {"text": ""}})
    send({"id": request["id"], "result": {"text": text.upper()}})


pending = b""
waiting = []
while chunk := os.read(0, 1 << 16):
    *lines, pending = (pending + chunk).split(b"\n")
    requests = waiting + [json.loads(line) for line in lines]
    waiting = []
    if requests and requests[0]["cmd"] == "start":
        about = {"name": "backwards", "version": None}
        send({"protocol": 1, "implementation": about, "ops": ["shout"]})
        requests = requests[1:]
    stray_to_come = options.stray_once and not Path(options.stray_once).exists()
    if stray_to_come and len(requests) == 1:  # with one request open it would be blamed on that
        waiting = requests
        continue
    step = 1 if options.hang_on else -1  # whoever is to be interrupted has answered something
    for request in [r for r in requests if r["cmd"] == "run"][::step]:
        answer(request)
    if requests and requests[-1]["cmd"] == "stop":
        break
