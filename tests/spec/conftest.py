from pathlib import Path

import pytest

from memassay.spec.builders import Context, clock_ms
from memassay.spec.locate import spec_root

CONSTANTS = """\
client: 1.2.3
constants:
  - id: most_lines
    value: 3
    unit: lines
    text: Most lines.
    boundary: true
    evidence: [{grade: observed, client: 1.2.3, observations: [O1]}]
"""

CHAPTER = """\
chapter: window
title: A window
status: complete
intro: What passes.
rules:
  - id: WIN-1
    level: MUST
    text: At most three lines pass.
    constants: [most_lines]
    evidence: [{grade: observed, client: 1.2.3, observations: [O1]}]
    cases:
      - id: win-three
        op: cut
        args: {text: {lines: {from: 1, to: 3, format: "{n}"}}}
        expect: {kept: {contains: "3"}}
        why: three are allowed
        boundary: [{constant: most_lines, side: at, measure: {lines: text}}]
      - id: win-four
        op: cut
        args: {text: {lines: {from: 1, to: 4, format: "{n}"}}}
        expect: {kept: "1"}
        why: four are not
        boundary: [{constant: most_lines, side: past, measure: {lines: text}}]
  - id: WIN-2
    level: SHOULD
    text: Nobody looks.
    evidence: [{grade: derived, from: [WIN-1]}]
    excluded: It cannot be seen.
"""

OP = """\
{"$schema": "https://json-schema.org/draft/2020-12/schema",
 "title": "cut", "description": "Cut.", "x-kind": "pure", "x-chapter": "window",
 "x-nulls": {"nothing": {"kept": ""}, "echo": {"kept": {"$arg": "text"}},
             "everything": {"kept": {"$arg": "text"}}},
 "properties": {
   "args": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
   "result": {"type": "object", "required": ["kept"], "properties": {"kept": {"type": "string"}}}}}
"""

PROFILE = """\
profile: claude-code
title: The client
client: 1.2.3
about: The client itself.
"""


@pytest.fixture
def small_spec(tmp_path) -> Path:
    """A whole little spec of an imaginary client 1.2.3, to be damaged by tests."""
    root = tmp_path / "spec"
    for name, content in {
        "1.2.3/constants.yaml": CONSTANTS,
        "1.2.3/window.yaml": CHAPTER,
        "schema/ops/cut.json": OP,
        "profiles/claude-code.yaml": PROFILE,
        "retired.yaml": "retired: []\n",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    for schema in (spec_root() / "schema").glob("*.json"):
        (root / "schema" / schema.name).write_bytes(schema.read_bytes())
    return root


@pytest.fixture
def context(tmp_path) -> Context:
    """A context whose tree root is an empty directory that exists."""
    root = tmp_path / "tree"
    root.mkdir()
    return Context(str(root.resolve()), clock_ms(None))
