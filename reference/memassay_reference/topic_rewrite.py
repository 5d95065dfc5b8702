"""What a save does to a topic file: its header is brought into one form. Chapter topic-rewrite.

After a Write or an Edit of a `*.md` file below the memory directory, the client reads the header,
moves what is misplaced under `metadata`, adds by which session and when the memory was saved, and
writes all of it anew (RWT-1, RWT-2). If the header already names a session, or if writing it anew
would lose a remark, only the line `modified` changes and everything else stays byte for byte
(RWT-3). Where that is not safe either, the file stays as it is (RWT-4).
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import Any, NamedTuple

from memassay_reference import layout, topic_header
from memassay_reference.js_text import JS_WHITESPACE, iso_ms, to_utf8
from memassay_reference.topic_remarks import absorb, has_comment_left, has_remark
from memassay_reference.topic_stamp import stamp
from memassay_reference.yaml_scalars import block
from memassay_reference.yaml_values import object_of

_PLAIN_NAME = re.compile(r"[a-z0-9_-]+")
_NOT_IN_NAME = re.compile(r"[^a-z0-9]+")
_CRLF = "\r\n"
_NODE_TYPE = "memory"
_SESSION = "originSessionId"


class Save(NamedTuple):
    """By whom a topic is saved, and when."""

    session_id: str
    now: str


def save(file: str, text: str, tool: str, by: Save) -> str:
    """Return what is on disk after `tool` (write, edit or shell) left `text` in `file`.

    `file` is relative to the memory directory. A file cannot hold half a surrogate pair: U+FFFD
    stands in its place.
    """
    text = to_utf8(text).decode()
    if tool == "shell" or not is_rewritten(file):
        return text
    if tool == "edit" and text.count(_CRLF) * 2 > text.count("\n"):
        # Edit works on LF and gives the file its line ends back, in the new header too (RWT-1e).
        return rewrite(text.replace(_CRLF, "\n"), by).replace("\n", _CRLF)
    return rewrite(text, by)


def is_rewritten(file: str) -> bool:
    """Return whether files of that name are rewritten: `*.md` in the directory (RWT-1a, RWT-4a)."""
    path = posixpath.normpath(file)
    return path.endswith(layout.TOPIC_SUFFIX) and not path.startswith(("../", "/"))


def rewrite(text: str, by: Save) -> str:
    """Return a topic's text with its header brought into form, or as it is."""
    header = topic_header.split(text)
    meaning = header and topic_header.read(header.source)
    if header is None or meaning is None:
        return text
    fields = _fields_to_write(header.source, meaning)
    if fields is not None and not _names_session(fields):
        body = header.body.lstrip(JS_WHITESPACE)
        return f"---\n{block(_in_form(fields, by))}---\n\n{body}"
    eol = _CRLF if _CRLF in text[: len(text) - len(header.body)] else "\n"
    stamped = stamp(header.source, by.now, eol)
    return text if stamped is None else header.opening + stamped + header.closing + header.body


def _fields_to_write(source: str, meaning: topic_header.Meaning) -> dict[str, Any] | None:
    """Return what to write anew, or None if that would lose a remark (RWT-2j, RWT-3b)."""
    if meaning.rescued:
        return None if has_remark(source) else meaning.fields
    absorbed = absorb(source)
    if absorbed == source:
        return None if has_comment_left(source) else meaning.fields
    again = topic_header.read(absorbed)
    return None if again is None or again.rescued or has_comment_left(source) else again.fields


def _names_session(fields: dict[str, Any]) -> bool:
    """Return whether a header says which session made it; metadata has the first word (RWT-3a)."""
    metadata = fields.get("metadata")
    own = metadata if isinstance(metadata, dict) and _SESSION in metadata else fields
    session = own.get(_SESSION)
    return isinstance(session, str) and session != ""


def _in_form(fields: dict[str, Any], by: Save) -> dict[str, Any]:
    """Return the header that a save writes (RWT-1b, RWT-2a to RWT-2c)."""
    name, description = fields.get("name"), fields.get("description")
    form: dict[str, Any] = {"name": slug(name) if isinstance(name, str) else ""}
    if isinstance(description, str) and description:
        form["description"] = description
    form["metadata"] = _metadata(fields, by)
    return form


def slug(name: str) -> str:
    """Return a name as it is written: kept if it is of `a-z0-9_-`, else made so (RWT-2b)."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    return _NOT_IN_NAME.sub("-", name.lower()).strip("-")


def _metadata(fields: dict[str, Any], by: Save) -> dict[str, Any]:
    """Return the metadata: node type, misplaced keys, its own, session, time (RWT-1b, RWT-2c).

    A key that is there already keeps its place; one that means nothing is dropped.
    """
    own = fields.get("metadata")
    misplaced = {
        key: value
        for key, value in fields.items()
        if key not in ("name", "description", "metadata") and value is not None
    }
    metadata = {
        "node_type": _NODE_TYPE,
        **misplaced,
        **(own if isinstance(own, dict) else {}),
        _SESSION: by.session_id,
        "modified": by.now,
    }
    metadata["node_type"] = _NODE_TYPE
    return object_of({key: value for key, value in metadata.items() if value is not None})


def write_topic(memory_dir: str, file: str, text: str, by: Save) -> bool:
    """Write a file as the Write tool does and rewrite it; return whether it was written.

    A symbolic link is refused, whatever it leads to (RWT-4c). Raises `OSError`.
    """
    if os.path.islink(file):  # noqa: PTH114 (a path as the case wrote it)
        return False
    saved = save(posixpath.relpath(file, memory_dir), text, "write", by)
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(saved.encode())
    return True


def topic_rewrite(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    """Answer the op `topic_rewrite`."""
    text = save(args["file"], args["text"], args.get("tool", "write"), _by(args))
    return {"text": text, "rewritten": text != args["text"]}


def topic_save(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    """Answer the op `topic_save`."""
    return {"saved": write_topic(args["memory_dir"], args["file"], args["text"], _by(args))}


def _by(args: dict[str, Any]) -> Save:
    return Save(args["session_id"], iso_ms(args["now_ms"]))


OPS = {"topic_rewrite": topic_rewrite, "topic_save": topic_save}
