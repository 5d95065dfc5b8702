"""The committed streams of the witness, and the pages that are made from them.

That a stream was judged by another state of the spec is for `memassay verify` to say: whoever
changes a case cannot always run the client. What is checked here needs none.
"""

import importlib.util
from pathlib import Path

import pytest
from attrs import evolve

from memassay.judge.decide import Record, decide
from memassay.judge.reading import read_stream
from memassay.judge.stream import Run
from memassay.judge.verdict import Outcome
from memassay.judge.verify import verify
from memassay.spec.export import export_case
from memassay.spec.lint import lint
from memassay.spec.loader import load_spec
from memassay.spec.locate import OVERLAY, spec_root

RESEARCH = Path(__file__).parents[2] / "docs" / "research"
STREAMS = sorted((RESEARCH / "verdicts").glob("**/claude-code-*.jsonl"))
OVERLAYS = sorted(path.parent.name for path in spec_root().glob(f"*/{OVERLAY}"))
SPEC = load_spec()
MAX_BYTES = 1 << 20  # twice as much for a version that fails much: mismatches are long


@pytest.fixture(scope="module")
def generate():
    found = importlib.util.spec_from_file_location("generate", RESEARCH / "generate.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module", params=STREAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def run(request) -> Run:
    return read_stream(request.param)


def test_a_stream_is_whole_and_tells_nothing_of_a_machine(run):
    assert run.complete
    assert run.footer is not None
    assert run.footer.digest == run.digest
    assert run.header.command[:3] == ("python", "-m", "memassay_claude_code")
    assert f"npm:{run.header.implementation.version}" in run.header.command
    assert not run.troubles


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_stream_is_small_and_has_no_path(path):
    text = path.read_text(encoding="ascii")
    assert len(text) < MAX_BYTES * (1 if path.stem.endswith(SPEC.version) else 2)
    assert not any(
        place in text for place in ("/tmp/memassay", "/root/", "/home/runner", "/work/main")
    )


def test_what_was_recorded_still_gives_the_recorded_outcome(run):
    """A case whose expectation was changed to something else has to be asked again."""
    spec = load_spec(run.header.client)
    for verdict in run.verdicts.values():
        case = spec.cases.get(verdict.case)
        if case is None or (verdict.result is None and verdict.error is None):
            continue
        record = Record(verdict.result, verdict.error, verdict.tree, verdict.requests)
        assert decide(case, spec.ops[case.op], record).outcome is verdict.outcome, case.id


@pytest.mark.parametrize("folder", [".", "own"])
def test_the_spec_is_what_the_client_does(folder):
    versions = [SPEC.version] if folder == "." else OVERLAYS
    for version in versions:
        run = read_stream(RESEARCH / "verdicts" / folder / f"claude-code-{version}.jsonl")
        assert run.header.client == run.header.implementation.version == version
        _all_pass(run)


def _all_pass(run):
    wrong = [one.case for one in run.verdicts.values() if one.outcome in {"fail", "fault"}]
    assert wrong == []
    assert sum(one.outcome is Outcome.PASS for one in run.verdicts.values()) > 1_700


def test_a_changed_answer_does_not_verify(run):
    spec = load_spec(run.header.client)
    judged = evolve(run.header, spec_digest=spec.digest)
    changed = next(
        one
        for one in run.verdicts.values()
        if one.outcome is Outcome.PASS and isinstance(one.result, dict) and one.tree is None
    )
    forged = evolve(changed, result={**changed.result, "surplus": 1})
    other = evolve(run, header=judged, verdicts={**run.verdicts, forged.case: forged})
    assert any(problem.case == forged.case for problem in verify(other, spec))


def test_the_pages_are_what_the_script_makes(generate):
    for page, text in generate.pages().items():
        assert page.read_text(encoding="utf-8") == text, (
            f"{page.name}: run python docs/research/generate.py"
        )


def test_every_dispute_is_on_the_page():
    page = (RESEARCH / "disputes.md").read_text(encoding="utf-8")
    disputed = [rule for rule in SPEC.rules.values() if rule.disputed]
    assert disputed
    for rule in disputed:
        assert f"\n## {rule.id}: " in page
    assert page.count("- **Verdict:**") == len(disputed)
    assert page.count("- **Observed:**") == page.count("- **Stated:**") == len(disputed)


@pytest.mark.parametrize("version", OVERLAYS)
def test_an_overlay_is_sound_and_its_changed_cases_have_ids_of_their_own(version):
    above = load_spec(version)
    assert [str(finding) for finding in lint(above).findings] == []
    for name in above.cases.keys() & SPEC.cases.keys():
        one, other = (export_case(spec.cases[name]) for spec in (above, SPEC))
        assert one["args"] == other["args"]
        assert one["expect"] == other["expect"], f"{name} needs a new id"
