"""Random questions of the ops that take single questions, aimed at the edges.

What is drawn is written as a case has it, with builders, so that a long text stays short to read
and can be made shorter piece by piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memassay.fuzz.draw_layers import layers
from memassay.fuzz.draw_paths import memory_dirs, project_keys, project_roots
from memassay.fuzz.draw_saves import index_lints, topic_rewrites
from memassay.fuzz.draw_sessions import cachings
from memassay.fuzz.draw_texts import index_windows, sanitised
from memassay.fuzz.draw_topics import ages, index_backfills, readings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypothesis import strategies as st

    from memassay.fuzz.drawn import Drawn

STRATEGIES: Mapping[str, Callable[[], st.SearchStrategy[Drawn]]] = {
    "caching": cachings,
    "index_backfill": index_backfills,
    "index_lint": index_lints,
    "index_window": index_windows,
    "layers": layers,
    "memory_dir": memory_dirs,
    "project_key": project_keys,
    "project_root": project_roots,
    "sanitise": sanitised,
    "staleness": ages,
    "staleness_read": readings,
    "topic_rewrite": topic_rewrites,
}
"""For each op that can be fuzzed by single questions, what draws one."""
