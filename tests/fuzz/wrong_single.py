"""An adapter: the reference with one mistake in an op of single questions; an argument names it."""

import sys

from memassay_reference import adapter, index_backfill, index_window, project_key, sanitise


def wrap(module, op, change):
    right = module.OPS[op]
    module.OPS[op] = lambda args, profile: change(args, right(args, profile))


def one_unit_less(args, result):
    units = len(args["text"].encode("utf-16-le")) // 2
    return {**result, "kept": result["kept"][:-1]} if units > 24_990 else result


def loses_accents(_args, result):
    return {"text": result["text"].replace("é", "e")}


def no_long_keys(_args, result):
    if len(result["key"]) > 200:
        raise ValueError("too long")
    return result


def sorts_by_name(_args, result):
    text = result["text"] and "".join(sorted(result["text"].splitlines(keepends=True)))
    return {**result, "text": text}


def main(mistake):
    if mistake == "one unit less":
        wrap(index_window, "index_window", one_unit_less)
    elif mistake == "loses accents":
        wrap(sanitise, "sanitise", loses_accents)
    elif mistake == "no long keys":
        wrap(project_key, "project_key", no_long_keys)
    elif mistake == "sorts by name":
        wrap(index_backfill, "index_backfill", sorts_by_name)
    elif mistake == "crashes":
        wrap(sanitise, "sanitise", lambda *_: sys.exit(3))
    elif mistake == "another shape":
        wrap(sanitise, "sanitise", lambda *_: {"txt": ""})
    adapter.serve()


if __name__ == "__main__":
    main(sys.argv[1])
