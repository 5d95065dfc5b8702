"""The ops that the witness answers: each a function of a bench and the arguments.

An op belongs here only if its whole result can be seen from outside. What the client does behind
server flags (selector, recall, extraction, dream) is not listed, and neither is a scan of topics:
only the descriptions that reach a backfilled index are visible.

To add an op, write its function in a module of its chapter and list it. `Bench` starts clients and
plays any script of tool calls, several turns included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memassay_claude_code import (
    ops_caching,
    ops_index,
    ops_layers,
    ops_paths,
    ops_prompts,
    ops_reading,
    ops_saving,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memassay_claude_code.bench import Bench

    Args = Mapping[str, Any]
    Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """How requests of one op share a look: all at once, as long as `fits` says that they may."""

    fits: Callable[[Sequence[Args]], bool]
    ask: Callable[[Bench, Sequence[Args]], list[Answer]]


OPS: dict[str, Callable[[Bench, Args], Answer]] = {
    "caching": ops_caching.caching,
    "index_backfill": ops_index.index_backfill,
    "index_lint": ops_saving.index_lint,
    "index_read": ops_index.index_read,
    "index_window": ops_index.index_window,
    "layers": ops_layers.layers,
    "memory_dir": ops_paths.memory_dir,
    "memory_dir_open": ops_paths.memory_dir_open,
    "memory_sections": ops_prompts.memory_sections,
    "project_key": ops_paths.project_key,
    "project_root": ops_paths.project_root,
    "sanitise": ops_index.sanitise,
    "staleness": ops_reading.staleness,
    "staleness_read": ops_reading.staleness_read,
    "topic_rewrite": ops_saving.topic_rewrite,
    "topic_save": ops_saving.topic_save,
}

BATCHES: dict[str, Batch] = {"sanitise": Batch(ops_index.fits_batch, ops_index.sanitise_many)}
