"""A small implementation of Claude Code's file-based auto-memory that obeys the spec.

One module a chapter, with the chapter's name, written to be read. Start with `index_window`.
"""
