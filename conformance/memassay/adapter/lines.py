"""Cutting a stream of bytes into lines, without ever holding more than one line may have."""

from __future__ import annotations

LINE_LIMIT_BYTES = 64 * 1024 * 1024
"""The longest line that is taken from an adapter, unless another limit is given."""


class LineBuffer:
    """Bytes come in as they are read; lines come out, without their LF.

    `overflowed` is true once a line was longer than the limit; from then on everything is dropped.
    """

    def __init__(self, limit_bytes: int = LINE_LIMIT_BYTES) -> None:
        self.overflowed = False
        self._limit = limit_bytes
        self._parts: list[bytes] = []
        self._size = 0

    @property
    def rest(self) -> bytes:
        """The bytes of a line that has not ended."""
        return b"".join(self._parts)

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take more bytes and return the lines that they complete."""
        if self.overflowed:
            return []
        *ended, rest = chunk.split(b"\n")
        lines: list[bytes] = []
        for piece in ended:
            if not self._keep(piece):
                return lines
            lines.append(self.rest)
            self._parts, self._size = [], 0
        self._keep(rest)
        return lines

    def _keep(self, piece: bytes) -> bool:
        self._size += len(piece)
        if self._size > self._limit:
            self.overflowed = True
            self._parts, self._size = [], 0
            return False
        if piece:
            self._parts.append(piece)
        return True
