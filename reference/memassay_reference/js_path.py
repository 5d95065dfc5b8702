"""Node's idea of paths, in Python: text in, text out, no look at the disk.

The client joins and resolves paths with Node's `path` (its POSIX half). Python's `os.path` differs
in small ways that show: it keeps a leading `//`, and its `normpath` forgets a final slash.
"""

from __future__ import annotations

SEPARATOR = "/"


def normalise(path: str) -> str:
    """Return `path.posix.normalize(path)`: `.`, `..`, `//` resolved; a slash at the end stays."""
    if not path:
        return "."
    absolute = path.startswith(SEPARATOR)
    parts: list[str] = []
    for part in path.split(SEPARATOR):
        if part in {"", "."}:
            continue
        if part != "..":
            parts.append(part)
        elif parts and parts[-1] != "..":
            parts.pop()
        elif not absolute:
            parts.append(part)
    text = SEPARATOR.join(parts)
    if not text:
        return SEPARATOR if absolute else "./" if path.endswith(SEPARATOR) else "."
    if path.endswith(SEPARATOR):
        text += SEPARATOR
    return SEPARATOR + text if absolute else text


def join(*pieces: str) -> str:
    """Return `path.posix.join(...pieces)`: an absolute later piece does not start anew."""
    return normalise(SEPARATOR.join(piece for piece in pieces if piece))


def resolve(base: str, path: str) -> str:
    """Return `path.posix.resolve(base, path)` for an absolute `base`; no slash at the end."""
    whole = normalise(path if path.startswith(SEPARATOR) else f"{base}/{path}")
    return whole.rstrip(SEPARATOR) or SEPARATOR


def dirname(path: str) -> str:
    """Return the parent of a resolved absolute path; the root is its own."""
    return path.rpartition(SEPARATOR)[0] or SEPARATOR


def basename(path: str) -> str:
    """Return the last name of a resolved absolute path."""
    return path.rpartition(SEPARATOR)[2]


def is_inside(path: str, directory: str) -> bool:
    """Return whether `path` lies below `directory`, both compared as normalised text only."""
    base, whole = resolve(SEPARATOR, directory), resolve(SEPARATOR, path)
    return whole != base and whole.startswith(base.rstrip(SEPARATOR) + SEPARATOR)
