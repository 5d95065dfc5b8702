"""Prompts: fingerprints of them, and whether a port's prompt is one, word for word (PRM-1, PRM-2).

A fingerprint holds no text, so that it can be published where the text cannot. `fingerprint` makes
one, `substitutions` reads what a port declares, `unmapping` leads a port's line back to what the
baseline may have said, and `check` compares.
"""
