"""The reference behind the adapter protocol: JSON lines in, JSON lines out."""

from __future__ import annotations

import base64
import importlib
import json
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    Op = Callable[[dict[str, Any], str], dict[str, Any]]

CHAPTERS = (
    "caching",
    "background_calls",
    "import_memory",
    "index_backfill",
    "index_lint",
    "index_window",
    "layers",
    "locks",
    "memory_dir",
    "project_key",
    "project_root",
    "prompts.section",
    "recall",
    "sanitise",
    "selector",
    "session",
    "staleness",
    "tools",
    "topic_rewrite",
    "topics",
)
"""The modules that answer ops: each has `OPS`, from op name to a function of args and profile."""

PROTOCOL = 1

DEFAULT_PROFILE = "claude-code"
"""The profile that is meant when `start` names none."""


def load_ops() -> dict[str, Op]:
    """Return every op of every chapter, by name."""
    ops: dict[str, Op] = {}
    for chapter in CHAPTERS:
        ops.update(importlib.import_module(f"memassay_reference.{chapter}").OPS)
    return ops


def implementation() -> dict[str, Any]:
    """Return what the reference says about itself in answer to `start`."""
    try:
        release = version("memassay")
    except PackageNotFoundError:
        release = "unreleased"
    return {
        "name": "memassay-reference",
        "version": release,
        "language": "Python",
        "homepage": None,
        "targets": ["2.1.296"],
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


def answer(ops: dict[str, Op], op: str, args: dict[str, Any], profile: str) -> dict[str, Any]:
    """Run one op and return the body of its answer: a `result`, or an `error` with a code."""
    function = ops.get(op)
    if function is None:
        return {"error": {"code": "unknown-op", "message": f"the reference has no op {op}"}}
    try:
        return {"result": function(decode(args), profile)}
    except OSError as error:
        return {"error": {"code": "os-error", "message": f"{op}: {error}"}}
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # An op does nothing but with what it is given, so that is where the blame lies.
        return {"error": {"code": "bad-arguments", "message": f"{op}: {error!r}"}}


def serve(lines: Iterable[bytes] | None = None, out: TextIO = sys.stdout) -> None:
    """Answer the runner's messages until `stop` or the end of input: standard input unless given.

    `lines` are bytes, which end at LF only; answers are ASCII. So no locale plays a part.
    """
    ops = load_ops()
    profile = DEFAULT_PROFILE
    for line in lines or sys.stdin.buffer:
        message = json.loads(line)
        if message["cmd"] == "start":
            profile = message.get("profile", DEFAULT_PROFILE)
            reply = {
                "protocol": PROTOCOL,
                "implementation": implementation(),
                "ops": sorted(ops),
            }
        elif message["cmd"] == "run":
            reply = {"id": message["id"], **answer(ops, message["op"], message["args"], profile)}
        else:
            return
        out.write(json.dumps(reply) + "\n")
        out.flush()
