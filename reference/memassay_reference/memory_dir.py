"""Where the memory directory is, and the switches that turn memory off (DIR-1 to DIR-4).

`locate` answers for one session: what it is told by its environment and by its settings files, and
where it starts. Nothing is created here but by `memory_dir_open`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memassay.spec import constants
from memassay_reference.js_path import join, normalise, resolve
from memassay_reference.js_text import length_units, trim
from memassay_reference.project_key import project_key
from memassay_reference.project_root import project_root
from memassay_reference.settings import merge_environment, merge_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DIRECTORY = "autoMemoryDirectory"
PICC_MEMORY = "picc-memory"

_ON = frozenset({"1", "true", "yes", "on"})
_OFF = frozenset({"0", "false", "no", "off"})
_HOME_PREFIXES = ("~/", "~\\")
_LEAVES_HOME = re.compile(r"\.|\.\.([/\\].*)?", re.DOTALL)
_LAST_SEPARATORS = re.compile(r"[/\\]+\Z")


def is_on(value: str | None) -> bool:
    """Return whether a switch says yes: 1, true, yes, on; any case, trimmed (DIR-3a)."""
    return value is not None and trim(value).lower() in _ON


def is_off(value: str | None) -> bool:
    """Return whether a switch says no in so many words: 0, false, no, off. Empty says nothing."""
    return value is not None and trim(value).lower() in _OFF


def is_enabled(env: Mapping[str, str], settings: Mapping[str, Any]) -> bool:
    """Return whether memory is on, from the merged environment and the merged settings (DIR-3).

    In this order: CLAUDE_CODE_SIMPLE turns it off whatever else is said; the disable switch decides
    either way if it speaks; a remote session without a place of its own has none; then
    `autoMemoryEnabled`, which is true if nobody sets it.
    """
    if is_on(env.get("CLAUDE_CODE_SIMPLE")):
        return False
    switch = env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY")
    if is_on(switch) or is_off(switch):
        return is_off(switch)
    placed = env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR") or env.get(
        "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
    )
    if is_on(env.get("CLAUDE_CODE_REMOTE")) and not placed:
        return False
    return settings.get("autoMemoryEnabled", True)


def full_dir(value: Any, home: str | None) -> str | None:
    """Return a directory that is named in full, as it is used, or None if it is refused (DIR-2).

    `home` expands a leading `~/`; None leaves it unexpanded, hence refused. The length limit is
    applied before the composition to NFC (DIR-2b, DIR-2e).
    """
    if not isinstance(value, str) or not value or "\0" in value:
        return None
    if home is not None and value.startswith(_HOME_PREFIXES):
        rest = normalise(value[len(_HOME_PREFIXES[0]) :])
        if _LEAVES_HOME.fullmatch(rest):
            return None
        value = join(home, rest)
    path = _LAST_SEPARATORS.sub("", normalise(value))
    if not path.startswith("/"):
        return None
    if length_units(path) < constants()["auto_memory_directory_min_units"]:
        return None
    return _nfc(path)


def below(base: str, cwd: str, profile: str) -> str:
    """Return the project's memory directory below a base directory, which is never refused (DIR-1).

    A relative base stays relative here; on disk it means relative to `cwd` (DIR-1f).
    """
    return _nfc(join(base, "projects", project_key(project_root(cwd, profile)), "memory"))


def locate(args: Mapping[str, Any], profile: str) -> str | None:
    """Return the memory directory of a session of the client, or None if memory is off (DIR-1)."""
    home, cwd = args["home"], args["cwd"]
    settings = merge_settings(args["settings"])
    env = merge_environment(args["env"], args["settings"])
    if not is_enabled(env, settings):
        return None
    override = full_dir(trim(env.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "")), None)
    if override is not None:
        return override
    configured = full_dir(settings.get(DIRECTORY), home)
    if configured is not None:
        return configured
    remote = env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR")
    if remote:  # empty means unset, unlike for the next one (DIR-1g)
        return below(remote, cwd, profile)
    return below(env.get("CLAUDE_CONFIG_DIR", join(home, ".claude")), cwd, profile)


def locate_picc(args: Mapping[str, Any]) -> str | None:
    """Return the memory directory of a session of picc-memory, or None if memory is off (DIR-4)."""
    home, cwd, env = args["home"], args["cwd"], args["env"]
    switch = env.get("PICC_DISABLE_AUTO_MEMORY") or env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY")
    if is_on(switch):
        return None
    if env.get("PICC_REMOTE_MEMORY_DIR"):
        return below(env["PICC_REMOTE_MEMORY_DIR"], cwd, PICC_MEMORY)
    own = full_dir((args.get("config") or {}).get(DIRECTORY), home)
    if own is not None:
        return own
    if env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR"):
        return below(env["CLAUDE_CODE_REMOTE_MEMORY_DIR"], cwd, PICC_MEMORY)
    borrowed = full_dir(args["settings"].get("user", {}).get(DIRECTORY), home)
    if borrowed is not None:
        return borrowed
    return below(join(home, ".pi/agent/extensions/picc-memory"), cwd, PICC_MEMORY)


def _nfc(path: str) -> str:
    return unicodedata.normalize("NFC", path)


def _memory_dir(args: dict[str, Any], profile: str) -> dict[str, Any]:
    directory = locate_picc(args) if profile == PICC_MEMORY else locate(args, profile)
    return {"enabled": directory is not None, "dir": directory}


def _memory_dir_open(args: dict[str, Any], profile: str) -> dict[str, Any]:
    """Start a session: locate, create, load. What cannot be created is not an error (DIR-1i)."""
    from memassay_reference import index_window  # noqa: PLC0415 (only opening needs it)

    answer = _memory_dir(args, profile)
    if answer["dir"] is None:
        return {**answer, "kept": "", "warning": None}
    on_disk = resolve(os.path.realpath(args["cwd"]), answer["dir"])
    with suppress(OSError):  # the session starts all the same, and finds nothing to load
        Path(on_disk).mkdir(parents=True, exist_ok=True)
    return {**answer, **index_window.OPS["index_read"]({"memory_dir": on_disk}, profile)}


OPS: dict[str, Callable[[dict[str, Any], str], dict[str, Any]]] = {
    "memory_dir": _memory_dir,
    "memory_dir_open": _memory_dir_open,
}
