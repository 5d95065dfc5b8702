import json

import pytest

from memassay.spec import testimony
from memassay.spec.errors import SpecError
from memassay.spec.loader import load_spec
from memassay.spec.testimony import read_testimony, unproven


def said(root, outcomes, unwitnessed=None):
    spec = load_spec("1.2.3", root)
    return [
        f"{where.id}: {message}"
        for message, where in unproven(spec, testimony.Testimony(outcomes, unwitnessed or {}))
    ]


def test_one_passing_verdict_is_enough(small_spec):
    assert said(small_spec, {"win-three": "pass", "win-four": "skipped"}) == []


@pytest.mark.parametrize("outcomes", [{}, {"win-three": "skipped"}, {"win-three": "unsupported"}])
def test_no_passing_verdict_needs_a_reason(small_spec, outcomes):
    (finding,) = said(small_spec, outcomes)
    assert finding.startswith("WIN-1: is called observed, but the client has no passing verdict")
    assert said(small_spec, outcomes, {"WIN-1": "its server flag is off"}) == []


def test_one_failing_verdict_is_too_many(small_spec):
    (finding,) = said(small_spec, {"win-three": "pass", "win-four": "fail"})
    assert finding == "WIN-1: is called observed, but the client fails win-four"


def test_a_reason_that_is_not_needed_any_more_goes(small_spec):
    (finding,) = said(small_spec, {"win-three": "pass"}, {"WIN-1": "x"})
    assert "take it out of unwitnessed.yaml" in finding


@pytest.mark.parametrize("rule", ["WIN-2", "WIN-9"])
def test_reasons_are_for_observed_rules(small_spec, rule):
    (finding,) = said(small_spec, {"win-three": "pass"}, {rule: "x"})
    assert f"names {rule}, which is no observed rule" in finding


def test_without_a_stream_nothing_is_checked(small_spec, tmp_path):
    assert read_testimony("1.2.3", tmp_path) is None
    assert list(unproven(load_spec("1.2.3", small_spec), None)) == []


def test_an_overlay_has_the_stream_that_its_own_spec_judges(tmp_path):
    verdict = {"kind": "verdict", "case": "a", "outcome": "fail"}
    for folder, client, outcome in ((".", "1.2.3", "fail"), ("own", "1.3.0", "pass")):
        lines = [{"kind": "header", "client": client}, {**verdict, "outcome": outcome}]
        (tmp_path / folder).mkdir(exist_ok=True)
        stream = tmp_path / folder / "claude-code-1.3.0.jsonl"
        stream.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert read_testimony("1.3.0", tmp_path) == testimony.Testimony({"a": "pass"})


def test_a_stream_and_reasons_are_read(tmp_path):
    lines = [
        {"kind": "header", "client": "1.2.3"},
        {"kind": "verdict", "case": "a", "outcome": "pass"},
    ]
    stream = tmp_path / "claude-code-1.2.3.jsonl"
    stream.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert read_testimony("1.2.3", tmp_path) == testimony.Testimony({"a": "pass"})
    reasons = tmp_path / "unwitnessed.yaml"
    reasons.write_text(
        "unwitnessed:\n  - {rules: [AB-1, AB-2], reason: nobody can see it at all}\n"
    )
    found = read_testimony("1.2.3", tmp_path)
    assert found is not None
    assert found.unwitnessed == dict.fromkeys(("AB-1", "AB-2"), "nobody can see it at all")


def test_a_damaged_stream_is_named_with_its_line(tmp_path):
    stream = tmp_path / "claude-code-1.2.3.jsonl"
    stream.write_text('{"kind": "header", "client": "1.2.3"}\nno\n')
    with pytest.raises(SpecError, match="no line of a verdict stream") as error:
        read_testimony("1.2.3", tmp_path)
    assert "jsonl:2" in str(error.value)


def test_a_stream_judged_by_another_version_s_spec_is_no_testimony(tmp_path):
    lines = ('{"kind":"header","client":"1.2.2"}', '{"kind":"verdict","case":"a","outcome":"fail"}')
    (tmp_path / "claude-code-1.2.3.jsonl").write_text("\n".join(lines))
    assert read_testimony("1.2.3", tmp_path) is None
