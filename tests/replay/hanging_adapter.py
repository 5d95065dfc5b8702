"""An adapter that asks the model and then hangs, for the query `release`; else it answers."""

import json
import sys
import time

from tests.replay.asking import NATIVE, ask

ABOUT = {"name": "hanging", "version": "1", "language": None, "homepage": None, "targets": []}
FINE = {"turns": [{"started": True, "files": [], "warning": False}]}

for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    if message["cmd"] == "start":
        reply = {"protocol": 1, "implementation": ABOUT, "ops": ["selector"]}
    else:
        ask(message["args"]["base_url"], **NATIVE)
        if message["args"]["turns"][0]["query"] == "release":
            time.sleep(3600)
        reply = {"id": message["id"], "result": FINE}
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
