"""The six tools of a background task, as far as a model needs them to keep its memory.

What a tool may touch is chapter tools (`tools.access`, `shell_commands.is_read_only`); here it is
carried out. A tool never raises: what goes wrong is told to the model, which may try another way.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from memassay.spec import constants
from memassay_reference import tools
from memassay_reference.shell_commands import is_read_only

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Run = Callable[[str, Mapping[str, Any]], str]

_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}


def _declared(
    name: str, about: str, required: tuple[str, ...], **properties: Any
) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": about, "input_schema": schema}


DECLARATIONS = (
    _declared("read", "Read a file.", ("path",), path=_TEXT, offset=_NUMBER, limit=_NUMBER),
    _declared("find", "Find files by a glob.", ("pattern",), pattern=_TEXT, path=_TEXT),
    _declared("grep", "Find lines by a pattern.", ("pattern",), pattern=_TEXT, path=_TEXT),
    _declared("write", "Write a file.", ("path", "content"), path=_TEXT, content=_TEXT),
    _declared(
        "edit",
        "Replace texts in a file, each of which must be there exactly once.",
        ("path", "edits"),
        path=_TEXT,
        edits={
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"oldText": _TEXT, "newText": _TEXT},
                "required": ["oldText", "newText"],
            },
        },
    ),
    _declared("bash", "Run a command that only reads.", ("command",), command=_TEXT),
)
"""What an independent request declares (BGT-1a)."""


class ToolError(Exception):
    """A tool call that is refused or fails; the words go to the model."""


@define
class Tools:
    """The tools of one task. `changed` are the files it wrote, absolute, in order."""

    cwd: str
    memory_dir: str
    changed: dict[str, None] = field(factory=dict)
    _seen: set[str] = field(factory=set)

    def result(self, call: Mapping[str, Any]) -> dict[str, Any]:
        """Run what the model called; return the block that answers it."""
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call["id"]}
        try:
            return {**block, "content": self._run(call["name"], call["input"])}
        except ToolError as error:
            return {**block, "content": str(error), "is_error": True}
        except (AttributeError, KeyError, TypeError) as error:
            return {**block, "content": f"bad input: {error!r}", "is_error": True}
        except (OSError, RuntimeError, ValueError, re.error, subprocess.SubprocessError) as error:
            return {**block, "content": f"{type(error).__name__}: {error}", "is_error": True}

    def _run(self, name: str, given: Mapping[str, Any]) -> str:
        allowed, path = tools.access(
            name, given.get("path"), cwd=self.cwd, memory_dir=self.memory_dir
        )
        if not allowed or path is None:
            raise ToolError(f"{name} is not allowed there")
        return _RUNS[name](self, path, given)

    def _read(self, path: str, given: Mapping[str, Any]) -> str:
        data = Path(path).read_bytes()
        offset, limit = given.get("offset"), given.get("limit")
        cut = tools.is_cut(data, offset or 1, limit)
        baseline = tools.sets_baseline(offset=offset, limit=limit, cut=cut, image=False)
        if baseline:
            self._seen.add(path)
        elif baseline is False:
            self._seen.discard(path)
        first, most = (offset or 1) - 1, constants()["read_max_lines"]
        lines = data.split(b"\n")[first : first + min(limit or most, most)]
        shown = b"\n".join(lines)[: constants()["read_max_bytes"]]
        return shown.decode("utf-8", "replace")

    def _find(self, path: str, given: Mapping[str, Any]) -> str:
        return "\n".join(sorted(map(str, Path(path).glob(given["pattern"]))))

    def _grep(self, path: str, given: Mapping[str, Any]) -> str:
        pattern = re.compile(given["pattern"])
        return "\n".join(
            f"{file}:{number}:{line}"
            for file in _files(path)
            for number, line in enumerate(file.read_text("utf-8", "replace").split("\n"), 1)
            if pattern.search(line)
        )

    def _write(self, path: str, given: Mapping[str, Any]) -> str:
        content = given["content"]
        if Path(path).exists() and path not in self._seen:
            raise ToolError("read the file before you change it")
        return self._save(path, content)

    def _edit(self, path: str, given: Mapping[str, Any]) -> str:
        if path not in self._seen:
            raise ToolError("read the file before you change it")
        text = Path(path).read_bytes().decode("utf-8")
        for edit in given["edits"]:
            if text.count(edit["oldText"]) != 1:
                raise ToolError("oldText must be in the file exactly once")
            text = text.replace(edit["oldText"], edit["newText"])
        return self._save(path, text)

    def _save(self, path: str, text: str) -> str:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(text.encode("utf-8"))
        self.changed[path] = None
        self._seen.add(path)
        return "done"

    def _bash(self, path: str, given: Mapping[str, Any]) -> str:
        if not is_read_only(given["command"]):
            raise ToolError("only commands that read are allowed")
        done = subprocess.run(  # noqa: S602 (the check above is the rule: BGT-3)
            given["command"], shell=True, cwd=path, capture_output=True, timeout=60, check=False
        )
        return (done.stdout + done.stderr).decode("utf-8", "replace")

    def changed_files(self) -> list[str]:
        """Return what was changed, relative to the memory directory."""
        base = os.path.realpath(self.memory_dir)
        return [
            Path(os.path.relpath(os.path.realpath(path), base)).as_posix() for path in self.changed
        ]


_RUNS: Mapping[str, Callable[[Tools, str, Mapping[str, Any]], str]] = {
    "read": Tools._read,  # noqa: SLF001 (its own)
    "find": Tools._find,  # noqa: SLF001
    "grep": Tools._grep,  # noqa: SLF001
    "write": Tools._write,  # noqa: SLF001
    "edit": Tools._edit,  # noqa: SLF001
    "bash": Tools._bash,  # noqa: SLF001
}


def _files(path: str) -> Iterator[Path]:
    start = Path(path)
    yield from [start] if start.is_file() else (p for p in sorted(start.rglob("*")) if p.is_file())
