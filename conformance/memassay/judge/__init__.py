"""From answers to verdicts.

One case: `task` (its directory, its arguments, its verdict), which leans on `decide` (the one place
where a verdict is made), `compare` with its `matchers`, and `afterwards` (the directory).
A whole run: `examine`, written by `stream`, read back by `reading`. What is made of a run: `assess`
(standings, scores, exit code), `verify` (does every verdict follow?), `difference` (two runs).
"""
