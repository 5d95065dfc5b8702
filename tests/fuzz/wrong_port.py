"""An adapter: the reference with one mistake, which the first argument names."""

import sys

from memassay_reference import adapter, dream, extraction, session


def refuses(_args, _profile):
    raise ValueError("not today")


def main(mistake):
    if mistake == "advances on an exception":
        extraction.RETURNS = extraction.RETURNS | {"exception"}
    elif mistake == "rolls back on abort":
        dream.undoes = lambda event: event["outcome"] in {"exception", "aborted"}
    elif mistake == "refuses":
        session.OPS["session"] = refuses
    elif mistake == "loses a list":
        session.OPS["session"] = lambda args, _: {"actions": session.play(args)[1:]}
    elif mistake == "crashes":
        session.OPS["session"] = lambda *_: sys.exit(3)
    elif mistake == "changes its mind":
        calls = iter(range(10**9))
        session.OPS["session"] = lambda args, _: {
            "actions": [[] if next(calls) % 5 else actions for actions in session.play(args)]
        }
    elif mistake == "has no session":
        session.OPS.clear()
    adapter.serve()


if __name__ == "__main__":
    main(sys.argv[1])
