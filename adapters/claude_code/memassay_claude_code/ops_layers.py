"""The op about CLAUDE.md files: layers.

What a session starts with stands in one block of the first request, file by file; what is attached
when the agent reads a file stands in a block after the result of that Read.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from memassay_claude_code.client import Visit
from memassay_claude_code.errors import CannotWitnessError, ClientAskedError, WireChangedError
from memassay_claude_code.footprint import Footprint, case_roots
from memassay_claude_code.messages_api import InTurn, ToolCall, UseTools
from memassay_claude_code.observe import attached, failed_tools, layers_of, tool_results
from memassay_claude_code.ops_paths import refuse_outside, write_settings
from memassay_claude_code.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memassay_claude_code.bench import Bench
    from memassay_claude_code.messages_api import ModelRequest

    Args = Mapping[str, Any]
    Answer = dict[str, Any]

_MANAGED_INSIDE = "/etc/claude-code"
_CALL = "toolu_memassay"
_CANARY = "the witness looks whether a file below is attached"

_sees_attached: WeakSet[Bench] = WeakSet()
"""The benches whose client was seen to attach a file to a Read."""


def layers(bench: Bench, args: Args) -> Answer:
    """Show which files a session starts with, and which each Read brings (LYR-1 to LYR-6).

    The case's managed directory is seen by the client as `/etc/claude-code` in a private root:
    there is no documented setting for it. Paths in it are given back as the case has them. Raises
    `WireChangedError` if a client attaches nothing, or in a form that the witness cannot read.
    """
    if args.get("read_files") and bench not in _sees_attached:
        _prove(bench)
        _sees_attached.add(bench)
    return _show(bench, args)


def _prove(bench: Bench) -> None:
    """See that this client attaches the file of a folder below to a Read, as it stands."""
    with Sandbox() as sandbox:
        place = sandbox.root / "canary"
        instructions, other = place / "below" / "CLAUDE.md", place / "below" / "other.txt"
        instructions.parent.mkdir(parents=True)
        instructions.write_text(_CANARY, encoding="utf-8")
        other.write_text("words\n", encoding="utf-8")
        asked = {"cwd": str(place), "home": str(sandbox.home), "read_files": [str(other)]}
        seen = _show(bench, asked)["attached"]
    if seen != [[{"file": str(instructions), "text": _CANARY}]]:
        raise WireChangedError(f"with a file of a folder below comes {seen!r}")


def _show(bench: Bench, args: Args) -> Answer:
    cwd, home, env = args["cwd"], args["home"], dict(args.get("env") or {})
    managed_dir, read_files = args.get("managed_dir"), list(args.get("read_files") or [])
    settings = dict(args.get("settings") or {})
    roots = case_roots([cwd, home, *read_files, *([managed_dir] if managed_dir else [])])
    if not bench.options.private:
        refuse_outside(roots, home, [env, *settings.values()])
    footprint = Footprint(roots)
    script = InTurn([_read(number, path) for number, path in enumerate(read_files)])
    with Sandbox() as sandbox:
        try:
            managed = _managed(sandbox, managed_dir, settings.pop("managed", None))
            flags, _ = write_settings(sandbox, settings, cwd, home, env)
            visit = Visit(
                cwd=cwd,
                home=home,
                env=env,
                flags=(*flags, "--allowedTools", "Read"),
                binds=roots,
                managed=managed,
            )
            requests = bench.look_once(visit, sandbox, script)
        finally:
            footprint.erase()
    return {
        "layers": [
            {"file": _outside(layer.file, managed_dir), "kind": layer.kind, "text": layer.text}
            for layer in layers_of(requests[0].body, bench.options.ending)
        ],
        "attached": [
            _attached(requests, number, path, managed_dir) for number, path in enumerate(read_files)
        ],
    }


def _read(number: int, path: str) -> UseTools:
    return UseTools((ToolCall(f"{_CALL}_{number}", "Read", {"file_path": path}),))


def _managed(sandbox: Sandbox, managed_dir: str | None, settings: Any) -> Path | None:
    """Return a directory with what the client is to find in its managed directory, or None."""
    if managed_dir is None and settings is None:
        return None
    place = sandbox.root / "managed"
    if managed_dir is not None and os.path.isdir(managed_dir):  # noqa: PTH112 (paths are texts here)
        shutil.copytree(managed_dir, place, symlinks=True)
    else:
        place.mkdir()
    if settings is not None:
        (place / "managed-settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return place


def _outside(path: str, managed_dir: str | None) -> str:
    if managed_dir is not None and path.startswith(_MANAGED_INSIDE + "/"):
        return managed_dir + path.removeprefix(_MANAGED_INSIDE)
    return path


def _attached(
    requests: list[ModelRequest], number: int, path: str, managed_dir: str | None
) -> list[Answer]:
    """Return what came with the result of the Read of that number."""
    call = f"{_CALL}_{number}"
    for request in requests:
        if call not in tool_results(request.body):
            continue
        if call in failed_tools(request.body):
            if os.path.isfile(path):  # noqa: PTH113 (paths are texts here)
                raise ClientAskedError(f"the Read of {path} failed")
            raise CannotWitnessError(f"there is no file {path} that the model could read")
        return [
            {"file": _outside(layer.file, managed_dir), "text": layer.text}
            for layer in attached(request.body, call)
        ]
    raise WireChangedError("the client did not send the result of a Read")
