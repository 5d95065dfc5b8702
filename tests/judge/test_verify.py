import io
import json
import random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from memassay.judge.examine import examine, follow
from memassay.judge.reading import StreamError, read_stream
from memassay.judge.stream import Run
from memassay.judge.verdict import Outcome
from memassay.judge.verify import verify
from tests.judge import mini
from tests.judge.runs import real_run, run_of

SPEC = mini.make_spec()


def mostly_wrong(op, args, profile):
    """Fail in every way there is."""
    text = args["text"]
    bodies = {
        "abc": {"result": {"text": "abd"}},
        "ABC": {"skipped": {"reason": "later", "issue_url": "https://example.org"}},
        "ß": {"error": {"code": "oops", "message": "no"}},
        "ŉ": {"result": {"text": 5}},
    }
    if text == "":
        raise RuntimeError("crash")
    if op == "note":
        mini.obey(op, args, profile)
        return {"result": {"file": args["file"] + "x"}}
    return bodies[text]


RUN, TEXT = real_run()
WRONG, WRONG_TEXT = real_run(mostly_wrong)


def problems(run, spec=SPEC):
    return [str(problem) for problem in verify(run, spec)]


def reread(text):
    return read_stream(io.BytesIO(text if isinstance(text, bytes) else text.encode()))


@pytest.mark.parametrize("run", [RUN, WRONG], ids=["good", "bad"])
@pytest.mark.parametrize("text", [None, "read"])
def test_what_a_run_says_holds(run, text):
    if text:
        run = reread(TEXT if run is RUN else WRONG_TEXT)
    assert problems(run) == []


def test_what_a_run_narrowed_or_interrupted_says_holds():
    cases = SPEC.select(chapters=["note"])
    entries = examine(
        SPEC,
        cases,
        mini.connect_to(mini.obey, ("note",)),
        profile="claude-code",
        selection={"chapters": ["note"]},
    )
    assert problems(follow(entries)) == []
    entries = examine(
        SPEC, SPEC.select(), mini.connect_to(mini.obey, ("note",)), profile="claude-code"
    )
    first = [next(entries), next(entries)]
    run = Run.of([*first, entries.throw(KeyboardInterrupt()), *entries])
    assert run.footer.reason == "interrupted"
    assert problems(run) == []


@given(st.integers(0, len(TEXT) - 1), st.integers(1, 255))
def test_any_edited_byte_is_noticed(index, change):
    data = bytearray(TEXT.encode())
    data[index] ^= change
    assert noticed(bytes(data))


@given(st.integers(0, len(WRONG_TEXT) - 1), st.sampled_from([b" ", b"0", b"\n", b'"', b"x"]))
def test_any_inserted_byte_is_noticed(index, byte):
    data = WRONG_TEXT.encode()
    assert noticed(data[:index] + byte + data[index:])


@given(st.integers(0, len(TEXT) - 1))
def test_any_deleted_byte_is_noticed(index):
    data = TEXT.encode()
    assert noticed(data[:index] + data[index + 1 :])


@given(st.randoms(use_true_random=False))
def test_lines_cannot_be_swapped_dropped_or_doubled(source: random.Random):
    lines = TEXT.encode().splitlines(keepends=True)
    one, other = source.sample(range(len(lines)), 2)
    swapped = lines.copy()
    swapped[one], swapped[other] = swapped[other], swapped[one]
    for changed in (
        swapped,
        lines[:one] + lines[one + 1 :],
        lines[:one] + lines[one : one + 1] * 2 + lines[one + 1 :],
    ):
        assert noticed(b"".join(changed))


def noticed(data):
    try:
        return bool(verify(reread(data), SPEC))
    except StreamError:
        return True


def forged(change, text=TEXT):
    """Return a run with `change` applied to its parsed lines, sealed again as a forger would."""
    run = reread(text)
    verdicts = dict(run.verdicts)
    header = change(verdicts) or run.header
    return Run.of([header, *verdicts.values(), *run.troubles, run.footer])


def replace(case_id, **parts):
    def change(verdicts):
        verdicts[case_id] = evolve(verdicts[case_id], **parts)

    return change


@pytest.mark.parametrize(
    ("text", "change", "problem"),
    [
        (
            WRONG_TEXT,
            replace("sh-ascii", outcome=Outcome.PASS, mismatches=()),
            "sh-ascii: the recorded answer makes it fail, not pass",
        ),
        (
            WRONG_TEXT,
            replace("sh-ascii", mismatches=()),
            "sh-ascii: the mismatches are not those of the recorded answer",
        ),
        (
            WRONG_TEXT,
            replace("sh-may", reason="a better reason"),
            "sh-may: the fault is not that of the recorded answer",
        ),
        (
            WRONG_TEXT,
            replace("sh-may", outcome=Outcome.PASS, fault=None, reason=None),
            "sh-may: the recorded answer makes it fault, not pass",
        ),
        (
            WRONG_TEXT,
            replace("sh-done", outcome=Outcome.PASS, reason=None),
            "sh-done: there is no answer from which pass could follow",
        ),
        (
            WRONG_TEXT,
            replace("sh-done", reason=None),
            "sh-done: there is no reason why it was skipped",
        ),
        (
            WRONG_TEXT,
            replace("sh-empty", reason=None),
            "sh-empty: there is no word of what the fault was",
        ),
        (
            WRONG_TEXT,
            replace("sh-empty", nulls={"nothing": True}),
            "sh-empty: there is no answer, yet it is judged",
        ),
        (
            WRONG_TEXT,
            replace("sh-empty", outcome=Outcome.UNSUPPORTED, fault=None, reason=None),
            "sh-empty: the adapter lists shout, yet it is said to be unsupported",
        ),
        (
            TEXT,
            replace("no-keep", tree={"d/old.md": None}),
            "no-keep: the recorded answer makes it fail, not pass",
        ),
        (
            TEXT,
            replace("no-keep", tree=None),
            "no-keep: the recorded answer makes it fail, not pass",
        ),
        (TEXT, replace("sh-ascii", rule="SH-2"), "sh-ascii: the rule is SH-1, not SH-2"),
        (TEXT, replace("sh-ascii", chapter="x"), "sh-ascii: the chapter is shout, not x"),
        (TEXT, replace("sh-ascii", level="MAY"), "sh-ascii: the level is MUST, not MAY"),
        (
            TEXT,
            replace("sh-ascii", nulls={"nothing": False, "echo": True, "everything": False}),
            "sh-ascii: what the null adapters score is not what their answers score",
        ),
        (
            TEXT,
            replace("sh-ascii", nulls={}),
            "sh-ascii: what the null adapters score is not what their answers score",
        ),
    ],
)
def test_a_verdict_that_does_not_follow_is_noticed_even_if_all_is_sealed_again(
    text, change, problem
):
    assert problems(forged(change, text)) == [problem]


def drop(case_id):
    def change(verdicts):
        del verdicts[case_id]

    return change


def to_the_end(case_id):
    def change(verdicts):
        verdicts[case_id] = verdicts.pop(case_id)

    return change


def rename(verdicts):
    verdicts["sh-other"] = evolve(verdicts.pop("no-keep"), case="sh-other")


def header_with(**parts):
    def change(verdicts):  # noqa: ARG001 (the shape of a change)
        return evolve(RUN.header, **parts)

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            drop("sh-may"),
            [
                "the footer says the run is complete, but it has 6 verdicts for 7 cases",
                "sh-may: has no verdict",
            ],
        ),
        (to_the_end("sh-may"), ["sh-may: is not in the spec's order"]),
        (rename, ["sh-other: was not to be judged in this run", "no-keep: has no verdict"]),
        (
            header_with(cases=8),
            [
                "the footer says the run is complete, but it has 7 verdicts for 8 cases",
                "the header says 8 cases, the spec has 7",
            ],
        ),
        (
            header_with(deviations={"SH-7": "why"}),
            ["a deviation is declared from SH-7, which is no rule"],
        ),
        (
            header_with(ops=("shout",)),
            [
                "no-write: the adapter does not list note, yet there is a verdict",
                "no-keep: the adapter does not list note, yet there is a verdict",
            ],
        ),
        (
            header_with(profile="nobody"),
            ["the header names what is not in the spec: there is no profile 'nobody'"],
        ),
        (
            header_with(selection={"rules": ("SH-1",)}, cases=2),
            [
                "the footer says the run is complete, but it has 7 verdicts for 2 cases",
                "sh-should: was not to be judged in this run",
                "sh-may: was not to be judged in this run",
                "sh-empty: was not to be judged in this run",
                "no-write: was not to be judged in this run",
                "no-keep: was not to be judged in this run",
            ],
        ),
    ],
)
def test_what_does_not_belong_together_is_noticed(change, said):
    assert problems(forged(change)) == said


def test_a_run_judged_by_another_spec_says_which_differs():
    (problem,) = problems(RUN, mini.make_spec(digest="sha256:" + "6" * 64))
    assert "5555" in problem
    assert "6666" in problem
    (problem,) = problems(RUN, mini.make_spec(version="2.1.300"))
    assert "client 2.1.296, this is that of 2.1.300" in problem


def test_a_stream_that_was_cut_off_is_told_so():
    cut = TEXT[: TEXT.rindex("{")]
    assert problems(reread(cut)) == ["the stream has no footer: it was cut off"]


def test_the_footer_is_checked_against_the_lines():
    lines = TEXT.splitlines(keepends=True)
    footer = json.loads(lines[-1])

    def with_footer(**changes):
        changed = json.dumps({**footer, **changes}, separators=(",", ":")) + "\n"
        return problems(reread("".join([*lines[:-1], changed])))

    assert with_footer() == []
    assert "the digest" in with_footer(digest="sha256:" + "0" * 64)[0]
    assert with_footer(counts={"pass": 8}) == [
        "the footer counts {'pass': 8}, the verdicts are {'pass': 7}"
    ]
    assert with_footer(complete=False) == [
        "the footer does not say clearly whether the run is complete"
    ]
    assert with_footer(reason="interrupted") == [
        "the footer does not say clearly whether the run is complete"
    ]
    spaced = "".join([*lines[:-1], json.dumps(footer) + "\n"])
    assert problems(reread(spaced)) == ["the footer was changed after it was written"]


def test_hand_made_passes_without_answers_do_not_hold():
    assert len(problems(run_of({}))) == len(mini.CASES)
