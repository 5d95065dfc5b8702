"""Keeping parsed spec files between runs: parsing YAML costs more than judging every case.

An entry is named by the digest of all that went into it (the file's bytes, its schema, this
module's format), so it can be wrong only if the digest is. A cache that cannot be read or written
is no error.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from memassay.spec.documents import Document, parse_document, read_text
from memassay.spec.locate import spec_root
from memassay.spec.schemas import check_document

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = b"2"
"""Changed whenever what `parse_document` returns changes."""

VARIABLE = "MEMASSAY_CACHE"
"""Names another directory for the cache; empty means no cache."""


def cache_directory() -> Path | None:
    """Return where parsed files are kept, or None if there is to be no cache."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache") / "memassay"
    except RuntimeError:  # no home directory
        return None


def load_document(path: Path, schema_name: str) -> Document:
    """Return the document at `path`, checked against its schema, from the cache if it is there.

    Raises what `read_document` and `check_document` raise.
    """
    text = read_text(path)
    entry = _entry(text, schema_name)
    if entry is not None:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(entry.read_bytes())
            return Document(path, kept["value"], dict(kept["lines"]))
    document = parse_document(text, path)
    check_document(document, schema_name)
    if entry is not None:
        with contextlib.suppress(OSError, UnicodeEncodeError):
            _keep(entry, document)
    return document


def _entry(text: str, schema_name: str) -> Path | None:
    directory = cache_directory()
    if directory is None:
        return None
    digest = hashlib.sha256(FORMAT)
    for part in _schema_parts(schema_name):
        digest.update(part)
    digest.update(text.encode())
    return directory / f"{digest.hexdigest()}.json"


def _schema_parts(schema_name: str) -> Iterator[bytes]:
    for name in (schema_name, "evidence"):
        yield (spec_root() / "schema" / f"{name}.schema.json").read_bytes()


def _keep(entry: Path, document: Document) -> None:
    entry.parent.mkdir(parents=True, exist_ok=True)
    content = {"value": document.value, "lines": document.lines}
    # Written aside and renamed, so that two runs at once cannot leave half a file.
    handle, name = tempfile.mkstemp(dir=entry.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(content, file)
        Path(name).replace(entry)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
