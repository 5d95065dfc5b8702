"""Ends at once, content."""
