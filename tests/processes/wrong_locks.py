"""An adapter: the reference's locks with one mistake, which the first argument names."""

import sys
import time
from pathlib import Path

from memassay_reference import adapter, locks


def by_existence(args, _profile):
    """A lock that is a file and nothing else: nobody clears away behind a killed holder."""
    path = Path(args["memory_dir"]) / args["lock"]
    if args["do"] == "release":
        path.unlink(missing_ok=True)
        return {"held": False}
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return {"held": False}
    return {"held": True}


def one_for_both(args, profile):
    return locks._lock({**args, "lock": "memory.lock"}, profile)


def in_memory(args, _profile):
    return {"held": args["do"] == "acquire"}


def without_compare(args, profile):
    if args["do"] == "swap":
        args = {**args, "expected_ms": locks.last_attempt(args["memory_dir"])}
    return locks._dream_attempt(args, profile)


def look_then_write(args, _profile):
    path = Path(args["memory_dir"]) / "MEMORY.md"
    missing = not path.exists()
    time.sleep(0.2)
    if missing:
        path.write_text("- [port](port.md)\n")
    return {"created": missing, "text": None}


def not_here(_args, _profile):
    raise ValueError("no")


def ends_with_words(_args, _profile):
    sys.exit("about to end")


MISTAKES = {
    "a lock is a file": ("lock", by_existence),
    "one lock for both": ("lock", one_for_both),
    "a lock is a variable": ("lock", in_memory),
    "swaps without comparing": ("dream_attempt", without_compare),
    "looks, then writes": ("index_backfill", look_then_write),
    "refuses": ("lock", not_here),
    "crashes": ("lock", lambda *_: sys.exit(3)),
    "ends with words": ("lock", ends_with_words),
    "answers nonsense": ("lock", lambda *_: {"held": "maybe"}),
}


def main(mistake):
    load = adapter.load_ops

    def loaded():
        ops = load()
        if mistake == "has none of it":
            return {"project_key": ops["project_key"]}
        if mistake in MISTAKES:
            op, wrong = MISTAKES[mistake]
            ops[op] = wrong
        return ops

    adapter.load_ops = loaded
    adapter.serve()


if __name__ == "__main__":
    main(sys.argv[1])
