"""The JSON Schemas of what the commands write, from `spec/schema/`."""

from __future__ import annotations

import json
from typing import Any

from memassay.spec.locate import spec_root

STREAM = "stream"
"""The name of the schema of one line of a verdict stream."""


def report_schema(name: str) -> dict[str, Any]:
    """Return the schema of one command's output.

    It is a file of `spec/schema/reports/` or of `spec/schema/`, or `STREAM`.
    """
    root = spec_root() / "schema"
    if name != STREAM:
        path = root / "reports" / f"{name}.schema.json"
        if not path.is_file():  # the command writes a kind of file that the spec itself describes
            path = root / f"{name}.schema.json"
        return json.loads(path.read_text(encoding="utf-8"))
    lines = [
        json.loads((root / STREAM / f"{part}.schema.json").read_text(encoding="utf-8"))
        for part in ("header", "verdict", "trouble", "footer")
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a verdict stream",
        "description": "JSON lines: a header, a verdict for each case, any troubles, a footer.",
        "oneOf": [
            {key: value for key, value in line.items() if key != "$schema"} for line in lines
        ],
    }
