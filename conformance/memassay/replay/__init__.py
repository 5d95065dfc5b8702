"""Playing a model to an implementation: recordings and scripts over HTTP, and what was asked."""
