"""Views of a verdict stream."""
