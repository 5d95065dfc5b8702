"""How long `memassay --help` and a whole run of the reference take, start-up included.

Budgets (docs/design.md): help under 150 ms, the whole run under 5 s on 2 cores. Prints medians.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def seconds(command: list[str], times: int, **environment: str) -> float:
    """Return the median wall time of a command in seconds; it must not fail at starting."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        done = subprocess.run(
            command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, check=False
        )
        taken.append(time.perf_counter() - began)
        if done.returncode not in {0, 1}:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}")
    return statistics.median(taken)


def main() -> None:
    """Measure and print."""
    memassay = [sys.executable, "-m", "memassay"]
    reference = ["--", sys.executable, "-m", "memassay_reference"]
    print(f"memassay --help              {seconds([*memassay, '--help'], 9) * 1000:7.0f} ms")
    with tempfile.TemporaryDirectory() as cache:
        first = seconds([*memassay, "run", *reference], 1, MEMASSAY_CACHE=cache)
        again = seconds([*memassay, "run", *reference], 3, MEMASSAY_CACHE=cache)
        two = seconds([*memassay, "run", "--jobs", "2", *reference], 3, MEMASSAY_CACHE=cache)
        # The second of two runs on one disk may take longer: there, what was deleted costs, too.
        disk = seconds(
            [*memassay, "run", *reference], 3, MEMASSAY_CACHE=cache, TMPDIR=tempfile.gettempdir()
        )
        inside = seconds([*memassay, "run", "--reference"], 3, MEMASSAY_CACHE=cache)
        entries = len(list(Path(cache).iterdir()))
    print(f"whole run, nothing cached    {first:7.2f} s   ({entries} spec files parsed)")
    print(f"whole run                    {again:7.2f} s")
    print(f"whole run, --jobs 2          {two:7.2f} s")
    print(f"whole run, trees in TMPDIR   {disk:7.2f} s")
    print(f"whole run, in process        {inside:7.2f} s")


if __name__ == "__main__":
    main()
