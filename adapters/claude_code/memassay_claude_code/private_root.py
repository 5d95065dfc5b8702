"""A file system of its own for one client: any path can be made in it, and none stays.

Linux only. `unshare` gives the client a mount namespace whose root is an empty tmpfs; the system's
programs are bound into it read-only, the sandbox and the case's tree writable and at the same
paths. So a case can have `/t/test-project` as its working directory, `/ab` as its memory directory
or managed settings in `/etc`, and the machine's own managed settings and home are out of sight.
Without privileges a user namespace does the same. Where neither is allowed, the witness works
without, and skips the cases that need it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from memassay_claude_code.sandbox import SYSTEM_PATH, Sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

CLIENT_INSIDE = "/.memassay/client"
"""Where the client's executable is seen inside."""

SETUP_FAILED = 96
CWD_FAILED = 97

# Arguments: root, client, managed settings or "", cwd, "make" or "", how many binds, the binds, and
# the command. `trap` turns every failing step into SETUP_FAILED; `exec` leaves the trap behind.
_SETUP = """
set -e
trap '[ $? = 0 ] || exit 96' EXIT
root=$1 client=$2 managed=$3 cwd=$4 make=$5 binds=$6
shift 6
mount -t tmpfs -o size=64m,mode=755 memassay "$root"
for top in bin sbin lib lib32 lib64 libx32 usr; do
  if [ -L "/$top" ]; then
    cp -P "/$top" "$root/$top"
  elif [ -d "/$top" ]; then
    mkdir "$root/$top"
    mount --rbind "/$top" "$root/$top"
    mount -o remount,bind,ro "$root/$top"
  fi
done
for top in dev proc sys; do
  mkdir "$root/$top"
  mount --rbind "/$top" "$root/$top"
done
mkdir -m 1777 "$root/tmp"
mkdir -p "$root/etc/claude-code" "$root/.memassay"
for name in passwd group hosts nsswitch.conf ld.so.cache; do
  if [ -e "/etc/$name" ]; then cp "/etc/$name" "$root/etc/$name"; fi
done
if [ -d "$managed" ]; then
  cp -a "$managed/." "$root/etc/claude-code/"
elif [ -n "$managed" ]; then
  cp "$managed" "$root/etc/claude-code/managed-settings.json"
fi
: > "$root/.memassay/client"
mount --bind "$client" "$root/.memassay/client"
while [ "$binds" -gt 0 ]; do
  mkdir -p "$root$1"
  mount --bind "$1" "$root$1"
  shift
  binds=$((binds - 1))
done
if [ -n "$make" ]; then
  chroot "$root" mkdir -p -- "$cwd" || { trap - EXIT; exit 97; }
fi
exec chroot "$root" "$@"
"""


def wrap(
    command: Sequence[str],
    *,
    sandbox: Sandbox,
    client: Path,
    cwd: str,
    env: Mapping[str, str],
    binds: Sequence[str] = (),
    managed: Path | None = None,
    make_cwd: bool = False,
) -> list[str]:
    """Return the command that runs `command` in a private root, in `cwd`, with exactly `env`.

    The sandbox and every path of `binds` are seen inside at the same paths, writable. `managed` is
    a file of managed settings, or a directory whose content becomes the managed directory.
    `make_cwd` makes the working directory in the private root. The process started keeps its id
    throughout.
    """
    namespaces = ["--mount", "--propagation", "private"]
    if os.geteuid() != 0:
        namespaces += ["--user", "--map-root-user"]
    paths = [str(sandbox.root), *binds]
    variables = [f"{name}={value}" for name, value in env.items()]
    setup = [str(sandbox.mount_point), str(client), str(managed or ""), cwd]
    setup += ["make" if make_cwd else "", str(len(paths)), *paths]
    inside = ["env", "-i", "-C", cwd, *variables, *command]
    return ["unshare", *namespaces, "/bin/sh", "-c", _SETUP, "memassay", *setup, *inside]


@cache
def is_available() -> bool:
    """Return whether this machine lets us make a private root; tried once."""
    if not all(shutil.which(name, path=SYSTEM_PATH) for name in ("unshare", "mount", "chroot")):
        return False
    with Sandbox() as sandbox:
        program = sandbox.work / "true"
        program.write_text("#!/bin/sh\nexit 0\n")
        program.chmod(0o755)
        command = wrap(
            [CLIENT_INSIDE],
            sandbox=sandbox,
            client=program,
            cwd="/memassay/made",
            env={"PATH": SYSTEM_PATH},
            make_cwd=True,
        )
        done = subprocess.run(  # the argument list is ours
            command,
            env={"PATH": SYSTEM_PATH},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=20,
        )
    return done.returncode == 0
