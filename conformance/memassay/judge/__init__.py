"""From answers to verdicts."""
