from pathlib import Path

import pytest

from memassay.adapter.messages import Fault, FaultKind, Implementation, Trouble
from memassay.judge.compare import compare
from memassay.judge.stream import Run
from memassay.judge.verdict import Footer, Header, Outcome, Verdict
from memassay.report.findings import Findings
from memassay.spec.loader import load_spec

MINI = Path(__file__).parent.parent / "cli" / "mini" / "spec"


@pytest.fixture(scope="session")
def mini():
    """The little spec of tests/cli/mini: a failure of every kind, and nothing that changes."""
    return load_spec(root=MINI)


def failing(expected, got, at="kept"):
    """What a verdict has on top if one part of the answer is not as expected."""
    return {"outcome": Outcome.FAIL, "mismatches": compare(expected, got, at)}


HALF = failing("-" + "😀" * 4, "-" + "😀" * 4 + "\ud83d")
CRASH = {
    "outcome": Outcome.FAULT,
    "fault": FaultKind.CRASH,
    "reason": "the process ended (exit status 7)",
    "stderr": "about to fall over\n\tin listing\n",
}
SKIP = {
    "outcome": Outcome.SKIPPED,
    "reason": "not ready",
    "issue_url": "https://example.org/1",
}
UNSUPPORTED = {"outcome": Outcome.UNSUPPORTED}
TROUBLE = Trouble(Fault(FaultKind.CRASH, "the process ended", "oh no"), ("cut-at", "cut-past"))


def make_run(spec, cases=None, *, deviations=None, ending="complete", troubles=(), **header):
    """A run in which every case passes but those in `cases`: what their verdicts have instead.

    `ending` is `complete`, `interrupted` or `cut off`; None instead of a verdict leaves it out.
    """
    changed = cases or {}
    verdicts = [
        Verdict(
            **{
                "case": case.id,
                "rule": case.rule,
                "chapter": case.chapter,
                "level": case.level.value,
                "outcome": Outcome.PASS,
                "result": {},
                "nulls": {"nothing": case.id.endswith("y"), "echo": True, "everything": False},
                **changed.get(case.id, {}),
            }
        )
        for case in spec.cases.values()
        if changed.get(case.id, {}) is not None
    ]
    head = {
        "client": spec.version,
        "profile": "claude-code",
        "spec_digest": spec.digest,
        "command": ("node", "my adapter.mjs"),
        "implementation": Implementation("mini-port", "1.2", "Python", None, ("2.1.296",)),
        "ops": ("cut", "listing"),
        "adapter_digest": "0" * 64,
        "selection": {},
        "cases": header.pop("header_cases", len(spec.cases)),
        "deviations": deviations or {},
        "memassay": "0.1.0",
        **header,
    }
    reason = "interrupted" if ending == "interrupted" else None
    footer = [] if ending == "cut off" else [Footer(reason is None, {}, "", reason)]
    return Run.of([Header(**head), *verdicts, *troubles, *footer])


EVERYTHING = {
    "cut-pair": HALF,
    "cut-blank": failing(" a\tb \r\n", "a\tb"),
    "cut-hidden": SKIP,
    "cut-advice": failing({"matches": r"\b12\b"}, "cut", "warning"),
    "lst-three": CRASH,
    "lst-empty": failing([], ["a.md"], "names"),
    "lst-bytes": UNSUPPORTED,
}
"""One case of every standing."""


@pytest.fixture
def everything(mini):
    """Findings with something of everything."""
    return Findings.of(
        make_run(
            mini,
            EVERYTHING,
            deviations={"LST-1": "we list more", "CUT-2": "we trim"},
            troubles=[TROUBLE],
        ),
        mini,
    )


@pytest.fixture
def fine(mini):
    """Findings of a run in which everything is as expected."""
    return Findings.of(make_run(mini), mini)


NASTY = (
    "<script>alert(1)</script>\"'`</code></details></dl></title></style>"
    "<img src=x onerror=alert(1)><!-- \x00\x1b[31m\u202e\u2066\ud83d\x85\n"
    " &amp;&lt; {{ 7*7 }}{% raw %} javascript:alert(1)"
)


@pytest.fixture
def hostile(mini):
    """Findings in which everything that a stranger can write is as bad as it gets."""
    cases = {
        "cut-pair": failing("-" + "😀" * 4 + NASTY, "-" + "😀" * 4 + "x" + NASTY),
        "cut-blank": failing(NASTY, [NASTY], NASTY),
        "cut-hidden": {**SKIP, "reason": NASTY, "issue_url": NASTY},
        "lst-three": {**CRASH, "reason": NASTY, "stderr": f"{NASTY}\n{NASTY}"},
        "lst-empty": {**HALF, "case": NASTY, "rule": NASTY, "chapter": NASTY},
        "lst-bytes": UNSUPPORTED,
    }
    return Findings.of(
        make_run(
            mini,
            cases,
            deviations={"CUT-2": NASTY, NASTY + "2": NASTY},
            troubles=[Trouble(Fault(FaultKind.CRASH, NASTY, NASTY), (NASTY, "cut-past"))],
            implementation=Implementation(NASTY, NASTY, NASTY, "https://example.org/" + NASTY),
            command=("node", NASTY),
            client=NASTY,
            profile=NASTY,
            ops=(NASTY,),
            memassay=NASTY,
            selection={"chapters": (NASTY,)},
        ),
        mini,
    )
