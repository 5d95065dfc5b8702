# Paths are texts here: what a case wrote must not be normalised.
# ruff: noqa: PTH118
"""Ops about where memory lives: project_root, project_key, memory_dir, memory_dir_open.

What the client makes on disk and what its memory section names are two witnesses of one fact.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay_claude_code.client import Visit
from memassay_claude_code.errors import BadArgumentsError, CannotWitnessError, WireChangedError
from memassay_claude_code.footprint import Footprint, case_roots, is_below
from memassay_claude_code.observe import memory_dir as named_dir
from memassay_claude_code.observe import window
from memassay_claude_code.sandbox import Sandbox, is_encodable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memassay_claude_code.bench import Bench

    Args = Mapping[str, Any]
    Answer = dict[str, Any]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_KEY_MAX_UNITS = 200


def project_key(bench: Bench, args: Args) -> Answer:
    """Show the key of a path by working in it (KEY-1, KEY-2, KEY-3).

    The path is made in a private root, so it may be any path that a Linux directory can have.
    """
    path: str = args["path"]
    if not path.startswith("/") or os.path.normpath(path) != path or path.startswith("//"):
        raise CannotWitnessError("only a canonical absolute path can be a working directory")
    if "\\" in path:
        raise CannotWitnessError(
            "the client takes a backslash in its working directory for a slash"
        )
    if "\0" in path or not is_encodable(path):
        raise CannotWitnessError("no directory can have this path")
    with Sandbox() as sandbox:
        visit = Visit(cwd=path, home=str(sandbox.home), make_cwd=True)
        body = bench.look_once(visit, sandbox)[0].body
        return {"key": _made_key(sandbox.home, named_dir(body))}


def project_root(bench: Bench, args: Args) -> Answer:
    """Show which directory's key a session in `cwd` uses (ROOT-1, ROOT-2, ROOT-3).

    The client shows the key; the root is the one directory of the case's tree that has it.
    """
    roots = case_roots([args["cwd"]])
    with Sandbox() as sandbox:
        visit = Visit(
            cwd=args["cwd"], home=str(sandbox.home), env=dict(args.get("env") or {}), binds=roots
        )
        body = bench.look_once(visit, sandbox)[0].body
        key = _made_key(sandbox.home, named_dir(body))
    found = [path for path in _directories(roots) if key_of(path) == key]
    canonical = [path for path in found if os.path.realpath(path) == path]
    candidates = canonical if len(canonical) == 1 else found
    if not candidates:
        raise CannotWitnessError(f"no directory of the tree has the key {key}")
    if len(candidates) > 1:
        raise CannotWitnessError(f"several directories of the tree have the key {key}")
    return {"root": candidates[0]}


def memory_dir(bench: Bench, args: Args) -> Answer:
    """Show whether memory is on and which directory it has (DIR-1, DIR-2, DIR-3)."""
    body = _visit_settings(bench, args, keep_memory=False)
    directory = named_dir(body)
    return {"enabled": directory is not None, "dir": directory}


def memory_dir_open(bench: Bench, args: Args) -> Answer:
    """Show a session's start: the directory, made if it was missing, and the index from it."""
    body = _visit_settings(bench, args, keep_memory=True)
    directory, seen = named_dir(body), window(body, bench.options.ending)
    return {
        "enabled": directory is not None,
        "dir": directory,
        "kept": seen.kept,
        "warning": seen.warning,
    }


def key_of(path: str) -> str:
    """Return the project key of a path, as KEY-1 and KEY-2 have it: only to find a root again."""
    units = path.encode("utf-16-le", "surrogatepass")
    codes = [low | high << 8 for low, high in zip(units[::2], units[1::2], strict=True)]
    key = "".join(re.sub("[^A-Za-z0-9]", "-", chr(code)) for code in codes)
    if len(key) <= _KEY_MAX_UNITS:
        return key
    value = 0
    for code in codes:
        value = (value * 31 + code) & 0xFFFFFFFF
    number, suffix = min(value, (1 << 32) - value), ""
    while number or not suffix:
        number, digit = divmod(number, len(_DIGITS))
        suffix = _DIGITS[digit] + suffix
    return f"{key[:_KEY_MAX_UNITS]}-{suffix}"


def _made_key(home: Path, named: str | None) -> str:
    """Return the key of the one memory directory that the client made below `home`."""
    made = sorted((home / ".claude" / "projects").glob("*/memory"))
    if len(made) != 1:
        raise WireChangedError(f"the client made {len(made)} memory directories in its home, not 1")
    if named != str(made[0]):
        raise WireChangedError("the client names another memory directory than the one it made")
    return made[0].parent.name


def _directories(roots: tuple[str, ...]) -> Iterator[str]:
    """Yield every directory in the roots, and every link to one, without following links."""
    for root in roots:
        yield root
        for directory, names, _files in os.walk(root):
            yield from (os.path.join(directory, name) for name in names)


def _visit_settings(bench: Bench, args: Args, *, keep_memory: bool) -> Mapping[str, Any]:
    """Return the first request of a client with the case's home, variables and settings.

    Whatever it leaves in the tree is removed, but for the memory directory if that is kept.
    """
    cwd, home, env = args["cwd"], args["home"], dict(args.get("env") or {})
    settings = dict(args.get("settings") or {})
    roots = case_roots([cwd, home])
    if not bench.options.private:
        refuse_outside(roots, home, [env, *settings.values()])
    footprint = Footprint(roots)
    with Sandbox() as sandbox:
        try:
            flags, managed = write_settings(sandbox, settings, cwd, home, env)
            visit = Visit(cwd=cwd, home=home, env=env, flags=flags, binds=roots, managed=managed)
            body = bench.look_once(visit, sandbox)[0].body
        except BaseException:
            footprint.erase()
            raise
    kept = os.path.realpath(os.path.join(cwd, named_dir(body) or "")) if keep_memory else None
    footprint.erase(lambda path: kept is not None and (path == kept or is_below(path, kept)))
    return body


def refuse_outside(roots: tuple[str, ...], home: str, values: Iterable[Any]) -> None:
    """Raise `CannotWitnessError` if the client might make a path outside the case's tree."""
    for text in _texts(values):
        written = text.replace("\\", "/").strip()
        if written.startswith("~/"):
            written = f"{home}/{written[2:]}"
        path = os.path.normpath(re.sub("^/+", "/", written))
        inside = any(path == root or is_below(path, root) for root in roots)
        if path.startswith("/") and not inside:
            raise CannotWitnessError(
                f"without a private root (unshare) the client might make {text!r} on this machine"
            )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(value.values())
    elif not isinstance(value, (int, float, type(None))):
        for child in value:
            yield from _texts(child)


def write_settings(
    sandbox: Sandbox, settings: dict[str, Any], cwd: str, home: str, env: Mapping[str, str]
) -> tuple[tuple[str, ...], Path | None]:
    """Write each settings object where the client looks for it; return flags and the managed file.

    The user's settings stand in the configuration directory, wherever that is; its name is composed
    (NFC) by the client, and an empty one is the working directory.
    """
    config = env.get("CLAUDE_CONFIG_DIR", os.path.join(home, ".claude"))
    config = os.path.join(cwd, unicodedata.normalize("NFC", config))
    places = {
        "user": Path(config, "settings.json"),
        "project": Path(cwd, ".claude", "settings.json"),
        "local": Path(cwd, ".claude", "settings.local.json"),
        "flag": sandbox.root / "flag-settings.json",
        "managed": sandbox.root / "managed-settings.json",
    }
    present = {name: value for name, value in settings.items() if value is not None}
    for name, value in present.items():
        if name not in places:
            raise BadArgumentsError(f"there is no settings level {name!r}")
        place = places[name]
        if place.exists():
            raise CannotWitnessError(f"the tree holds {name} settings already")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(value), encoding="utf-8")
    flags = ("--settings", str(places["flag"])) if "flag" in present else ()
    return flags, places["managed"] if "managed" in present else None
