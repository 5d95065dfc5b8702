"""Conformance suite for ports of Claude Code's file-based auto-memory."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("memassay")
except PackageNotFoundError:  # a checkout on the path, not installed
    __version__ = "0+unknown"
