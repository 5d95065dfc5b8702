"""A port of the little spec, right or wrong as its arguments say: an adapter for tests."""

import base64
import json
import os
import sys
import time
from pathlib import Path

WAYS = set(sys.argv[1:])
"""Each word is one thing that this port does differently."""


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(args):
    text = args["text"]
    if units(text) <= 10 or (args["text"].startswith("- entry") and "strict" not in WAYS):
        if "trims" in WAYS:
            text = text.strip().replace("\u200b", "")
        if "doubles" in WAYS:
            text = text.replace("entry 200", "entry  200")
        return {"kept": text, "warning": None}
    encoded = text.encode("utf-16-le", "surrogatepass")[:20]
    kept = encoded.decode("utf-16-le", "surrogatepass")
    if kept and "\ud800" <= kept[-1] <= "\udbff" and "halves" not in WAYS:
        kept = kept[:-1]
    if "long" in WAYS:
        kept = text
    length = "" if "mute" in WAYS else f" from {units(text)}"
    return {"kept": kept, "warning": f"cut{length}"}


def listing(args):
    if "crashes" in WAYS:
        sys.stderr.write("about to fall over\n\tin listing\n")
        sys.stderr.flush()
        os._exit(7)
    if "hangs" in WAYS:
        time.sleep(600)
    try:
        names = sorted(path.name for path in Path(args["dir"]).iterdir() if path.suffix == ".md")
    except FileNotFoundError:
        return None
    if "touches" in WAYS:
        Path(args["dir"], "index").write_text("made by the port")
    return {"names": names[1:] if "forgets" in WAYS else names}


def head(args):
    data = base64.b64decode(args["content"]["$bytes"])[:2]
    if "swaps" in WAYS:
        data = data[::-1]
    return {"head": {"$bytes": base64.b64encode(data).decode()}}


OPS = {"cut": cut, "listing": listing, "head": head}
if "small" in WAYS:
    del OPS["head"]


def answer(message):
    if message["cmd"] == "start":
        if "silent" in WAYS:
            sys.exit("no configuration found")
        about = {
            "name": "mini-port",
            "version": "1.2",
            "language": "Python",
            "targets": ["2.1.296"],
        }
        return {"protocol": 1, "implementation": about, "ops": sorted(OPS)}
    if message["op"] == "cut" and "lazy" in WAYS:
        reason = {"reason": "cutting is not ready", "issue_url": "https://example.org/1"}
        return {"id": message["id"], "skipped": reason}
    result = OPS[message["op"]](message["args"])
    if result is None:
        return {"id": message["id"], "error": {"code": "no-directory", "message": "there is none"}}
    if "slow" in WAYS:
        time.sleep(0.5)
    return {"id": message["id"], "result": result}


for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "stop":
        break
    sys.stdout.write(json.dumps(answer(request)) + "\n")
    sys.stdout.flush()
