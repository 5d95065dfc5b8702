"""The directory after an op: what a verdict records of it, and whether that is as expected.

A record has the paths that the expectation names. Each is `null` (nothing there), `"untouched"` if
that was expected and is so, or a mapping: `{file: content}`, `{dir: true}`, `{symlink: target}`,
`{fifo: true}` or `{other: true}`, and beside it `changed`, a list of what is not as it was: `kind`
(also for new entries), `content`, `target`, `mtime`. Under `*` stands what became of the paths that
are not named: `{new: […], gone: […], changed: […]}`. With `*`, the directories above a named path
may be new, and may have a new modification time: a file cannot be written without.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay.judge.compare import compare
from memassay.judge.expectation import ABSENT, REST, UNTOUCHED
from memassay.judge.values import Exactly, as_bytes, as_json
from memassay.judge.verdict import Mismatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memassay.spec.trees import Entry, Snapshot

_KINDS = {
    "file": "a regular file",
    "dir": "a directory",
    "symlink": "a symbolic link",
    "fifo": "a named pipe",
    "other": "a special file",
}


MOST_BYTES = 64 * 1024 * 1024
"""The largest file that is recorded; of a larger one, how large it is."""

_SAID = {"new": "appeared", "gone": "disappeared", "changed": "changed"}
_SHOWN_PATHS = 5


def observe(
    expect: Mapping[str, Any], before: Snapshot, after: Snapshot, root: str
) -> dict[str, Any]:
    """Return the record of the directory at `root`, as it is now, for `tree:` expectations.

    `root` is only read for the contents of files that the expectation names.
    """
    record: dict[str, Any] = {}
    for path, wanted in expect.items():
        old, new = before.entries.get(path), after.entries.get(path)
        if path == REST:
            record[path] = _rest(expect, before, after)
        elif wanted == UNTOUCHED and new is not None and not _changes(old, new):
            record[path] = UNTOUCHED
        else:
            record[path] = None if new is None else _node(old, new, f"{root}/{path}")
    return record


def unmade(expect: Mapping[str, Any], before: Snapshot) -> str | None:
    """Return a path that is expected to stay untouched though the case never makes it, or None."""
    for path, wanted in expect.items():
        if path != REST and wanted == UNTOUCHED and path not in before.entries:
            return path
    return None


def compare_tree(expect: Mapping[str, Any], record: Mapping[str, Any]) -> Iterator[Mismatch]:
    """Yield how a recorded directory departs from a `tree:` expectation."""
    for path, wanted in expect.items():
        at, node = f"tree:{path}", record.get(path)
        if path == REST:
            yield from _rest_mismatches(node, at)
        elif wanted == UNTOUCHED:
            if node != UNTOUCHED:
                problem = f"was to stay untouched; {_became(node)}"
                yield Mismatch(at, problem, UNTOUCHED, node)
        elif wanted == ABSENT:
            if node is not None:
                yield Mismatch(at, f"is {_kind(node)}, expected nothing there", ABSENT, node)
        elif isinstance(wanted, dict) and "dir" in wanted:
            yield from _part("dir", wanted, node, at)
        elif isinstance(wanted, dict) and "symlink" in wanted:
            yield from _part("symlink", wanted["symlink"], node, at)
        else:
            yield from _part("file", wanted, node, at)


def _part(part: str, wanted: Any, node: Any, at: str) -> Iterator[Mismatch]:
    if not isinstance(node, dict) or part not in node:
        yield Mismatch(at, f"is {_kind(node)}, expected {_KINDS[part]}", as_json(wanted), node)
    elif part == "symlink":
        yield from compare(wanted, node[part], at)
    elif part == "file":
        yield from _content_mismatches(wanted, node[part], at)


def _kind(node: Any) -> str:
    if not isinstance(node, dict):
        return "not there"
    return next((words for key, words in _KINDS.items() if key in node), "unknown")


def _became(node: Any) -> str:
    if not isinstance(node, dict):
        return "it is gone"
    changed = node.get("changed")
    if not isinstance(changed, list):  # nobody wrote it so: a stream was edited
        return "it does not say what changed"
    if changed == ["kind"]:
        return f"it is now {_kind(node)}"
    return f"changed: {', '.join(map(str, changed))}"


def _content_mismatches(wanted: Any, content: Any, at: str) -> Iterator[Mismatch]:
    plain = wanted.value if isinstance(wanted, Exactly) else wanted
    data = as_bytes(content)
    if data is None and as_bytes(plain) is not None and isinstance(content, str):
        content = content.encode()  # bytes are expected, and these happen to be text
    elif data is not None and isinstance(plain, str):
        wanted = plain.encode("utf-8", "surrogatepass")  # text is expected, these are not text
    yield from compare(wanted, content, at)


def _rest(expect: Mapping[str, Any], before: Snapshot, after: Snapshot) -> dict[str, list[str]]:
    named = expect.keys()
    parents = {parent for path in named for parent in _parents(path)}
    new, gone, changed = [], [], []
    for path in sorted(before.entries.keys() | after.entries.keys()):
        if path in named:
            continue
        old, now = before.entries.get(path), after.entries.get(path)
        if old is None:
            # A named file needs its directories.
            if path not in parents or now is None or now.kind != "dir":
                new.append(path)
        elif now is None:
            gone.append(path)
        elif path in parents and old.kind == now.kind == "dir":
            continue  # writing a named file may touch the directory that it stands in
        elif _changes(old, now):
            changed.append(path)
    return {"new": new, "gone": gone, "changed": changed}


def _rest_mismatches(rest: Any, at: str) -> Iterator[Mismatch]:
    if not isinstance(rest, dict):
        yield Mismatch(at, "was not recorded", UNTOUCHED, rest)
        return
    for word, paths in rest.items():
        if paths:
            shown = ", ".join(paths[:_SHOWN_PATHS]) + (" …" if len(paths) > _SHOWN_PATHS else "")
            problem = f"nothing else was to change, but {len(paths):,} {_SAID[word]}: {shown}"
            yield Mismatch(at, problem, UNTOUCHED, {word: paths})


def _parents(path: str) -> Iterator[str]:
    parts = path.split("/")
    return ("/".join(parts[:end]) for end in range(1, len(parts)))


def _node(old: Entry | None, new: Entry, path: str) -> dict[str, Any]:
    if new.kind == "file":
        node: dict[str, Any] = {"file": _content(path)}
    elif new.kind == "symlink":
        node = {"symlink": new.target}
    else:
        node = {new.kind: True}
    return {**node, "changed": _changes(old, new)}


def _changes(old: Entry | None, new: Entry) -> list[str]:
    if old is None or old.kind != new.kind:
        return ["kind"]
    return [
        word
        for word, then, now in (
            ("content", old.digest, new.digest),
            ("target", old.target, new.target),
            ("mtime", old.mtime_ns, new.mtime_ns),
        )
        if then != now
    ]


def _content(path: str) -> Any:
    try:
        size = Path(path).stat().st_size
        if size > MOST_BYTES:
            return {"unreadable": f"it has {size:,} bytes"}
        data = Path(path).read_bytes()
    except OSError as error:
        return {"unreadable": error.strerror}
    try:
        return data.decode()
    except UnicodeDecodeError:
        return as_json(data)
