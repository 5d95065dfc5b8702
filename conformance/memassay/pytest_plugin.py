"""`pytest --memassay "CMD…"`: the cases of the spec as items of a test run."""

from __future__ import annotations
