"""Adapter kit for memassay, in Python: copy this file, then make the three marked places yours.

It speaks adapter protocol 1 (docs/protocol.md): one JSON object a line, requests on stdin, answers
on stdout. Print nothing else to stdout; stderr is free. Nothing but the standard library is needed.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import traceback
from typing import Any

# 1. Say who you are. `targets` are the client versions that your implementation follows.
IMPLEMENTATION = {
    "name": "my-memory-port",
    "version": "0.0.0",
    "language": "Python",
    "homepage": None,
    "targets": ["2.1.296"],
}

PROFILE = "claude-code"  # `start` may name another; an op reads it where profiles differ


class Skip(Exception):  # noqa: N818 (raised to decline, not to report an error)
    """Raise this in an op to decline one request: `raise Skip("why", "https://…/issues/1")`."""

    def __init__(self, reason: str, issue_url: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.issue_url = reason, issue_url


# 2. Replace this example by a call of your own code. An op takes the `args` of a case and returns
#    its `result`; the shapes are in spec/schema/ops/<op>.json, and `memassay show CASE` prints one.
def project_key(args: dict[str, Any]) -> dict[str, Any]:
    """Return the directory name of a project path: rules KEY-1 and KEY-2."""
    path = args["path"]
    # Astral characters are two units in JavaScript, so they become two dashes.
    key = re.sub(r"[^A-Za-z0-9]", lambda found: "-" * (1 + (found[0] > "\uffff")), path)
    if len(key) <= 200:  # noqa: PLR2004 (a kit stands alone; the spec's constants are not at hand)
        return {"key": key}
    units = path.encode("utf-16-le", "surrogatepass")
    value = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (value * 31 + (low | high << 8)) % 2**32
    value = min(value, 2**32 - value)  # the absolute value of the signed 32-bit number
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return {"key": f"{key[:200]}-{digits or '0'}"}


# 3. List every op that you support. What you list you owe in full; what you leave out is counted
#    as not supported and never as wrong.
OPS = {
    "project_key": project_key,
}


def decode(value: Any) -> Any:
    """Return a wire value with every `{"$bytes": base64}` in it as bytes."""
    if isinstance(value, dict):
        if value.keys() == {"$bytes"}:
            return base64.b64decode(value["$bytes"])
        return {key: decode(child) for key, child in value.items()}
    if isinstance(value, list):
        return [decode(child) for child in value]
    return value


def answer(op: str, args: dict[str, Any]) -> dict[str, Any]:
    """Run one op and return the body of the answer."""
    if op not in OPS:
        return {"error": {"code": "unknown-op", "message": f"this adapter has no op {op}"}}
    try:
        return {"result": OPS[op](decode(args))}
    except Skip as skip:
        return {"skipped": {"reason": skip.reason, "issue_url": skip.issue_url}}
    except Exception as error:  # noqa: BLE001 (whatever your code raises is its answer)
        traceback.print_exc()  # to stderr, shown beside the failure
        return {"error": {"code": type(error).__name__, "message": str(error)}}


def main() -> None:
    """Answer messages until `stop`, or until the runner closes the pipe."""
    global PROFILE  # noqa: PLW0603 (one process serves one run)
    for line in sys.stdin.buffer:  # bytes: lines end at LF only, and the locale plays no part
        message = json.loads(line)
        if message["cmd"] == "stop":
            return
        if message["cmd"] == "start":
            PROFILE = message.get("profile", PROFILE)
            reply = {"protocol": 1, "implementation": IMPLEMENTATION, "ops": sorted(OPS)}
        else:
            reply = {"id": message["id"], **answer(message["op"], message["args"])}
        sys.stdout.write(json.dumps(reply) + "\n")  # ASCII: lone surrogates stay `\udXXX`
        sys.stdout.flush()


if __name__ == "__main__":
    main()
