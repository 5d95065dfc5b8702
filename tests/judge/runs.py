"""Hand-made runs, for what is done with runs."""

import io

from memassay.adapter.messages import Fault, FaultKind, Implementation, Trouble
from memassay.judge.examine import examine, follow
from memassay.judge.stream import Run, StreamWriter
from memassay.judge.verdict import Footer, Header, Outcome, Verdict
from tests.judge import mini

TROUBLE = Trouble(Fault(FaultKind.CRASH, "it ended", "boom"), ("sh-ascii", "sh-done"))


def header(**more):
    return Header(
        **{
            "client": "2.1.296",
            "profile": "claude-code",
            "spec_digest": mini.DIGEST,
            "command": ("node", "adapter.mjs"),
            "implementation": Implementation("mini", "1"),
            "ops": ("shout", "note"),
            "adapter_digest": "0" * 64,
            "selection": {},
            "cases": len(mini.CASES),
            "deviations": {},
            "memassay": "0.1.0",
            **more,
        }
    )


def verdict(case, outcome=Outcome.PASS, **more):
    return Verdict(case.id, case.rule, case.chapter, case.level.value, outcome, **more)


def footer(**more):
    return Footer(**{"complete": True, "counts": {}, "digest": "", "reason": None, **more})


def run_of(outcomes, *, cases=mini.CASES, end=True, troubles=(), reason=None, **more):
    """Return a run with these outcomes by case id; PASS where none is given, nothing for None."""
    entries = [header(**{"cases": len(cases), **more})]
    for case in cases:
        outcome = outcomes.get(case.id, Outcome.PASS)
        if outcome is not None:
            entries.append(verdict(case, outcome, nulls={"nothing": case.id == "sh-done"}))
    entries += troubles
    if end:
        entries.append(footer(complete=reason is None, reason=reason))
    return Run.of(entries)


def real_run(answering=mini.obey, spec=None, **more):
    """Return a run of the mini spec, and the stream that it wrote."""
    spec = spec or mini.make_spec()
    out = io.StringIO()
    options = {"profile": "claude-code", "command": ("mini",), **more}
    entries = examine(spec, spec.select(), mini.connect_to(answering), **options)
    return follow(entries, StreamWriter(out).write), out.getvalue()
