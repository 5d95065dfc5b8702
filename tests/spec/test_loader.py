from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memassay.spec.errors import SpecError
from memassay.spec.loader import load_spec
from memassay.spec.models import Level

from .conftest import CHAPTER


def edit(root, old, new, name="1.2.3/window.yaml"):
    path = root / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_spec_is_read_whole(small_spec):
    spec = load_spec("1.2.3", small_spec)
    assert spec.constants["most_lines"].value == 3
    assert list(spec.rules) == ["WIN-1", "WIN-2"]
    case = spec.cases["win-four"]
    assert (case.chapter, case.rule, case.level) == ("window", "WIN-1", Level.MUST)
    assert case.where.line == CHAPTER[: CHAPTER.index("- id: win-four")].count("\n") + 1


def test_a_second_load_from_the_cache_is_the_same(small_spec):
    assert load_spec("1.2.3", small_spec) == load_spec("1.2.3", small_spec)


def test_an_edit_is_seen_in_spite_of_the_cache(small_spec):
    before = load_spec("1.2.3", small_spec)
    edit(small_spec, "three are allowed", "3 are allowed")
    after = load_spec("1.2.3", small_spec)
    assert after.cases["win-three"].why == "3 are allowed"
    assert after.digest != before.digest


@pytest.mark.parametrize("cache", ["", "/dev/null/nowhere"])
def test_no_cache_is_no_error(small_spec, monkeypatch, cache):
    monkeypatch.setenv("MEMASSAY_CACHE", cache)
    assert load_spec("1.2.3", small_spec).cases


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("level: MUST", "level: OUGHT", r"window\.yaml:7 \[WIN-1\]: .*'OUGHT' is not one of"),
        ("id: win-four", "id: win-three", r"window\.yaml:18 \[win-three\]: .*twice\n.*:12"),
        ("id: win-four", "id: WIN-2", r"window\.yaml:18 \[WIN-2\]: .*does not match"),
        ("op: cut", "op: paste", r"window\.yaml:12 \[win-three\]: there is no op 'paste'"),
        ("    text: At most", "    texts: At most", r"window\.yaml:\d \[WIN-1\]: .*'text"),
        ("chapter: window", "chapter: door", r"window\.yaml:1: the chapter is called door"),
        ("grade: derived, from: [WIN-1]", "grade: guessed", r"window\.yaml:27 .*'guessed'"),
        ("grade: derived, from: [WIN-1]", "grade: derived", r"window\.yaml:27 .*'from' is a req"),
        ("    excluded: It", "    excluded: It\n    cases: [", r"window\.yaml:3\d: "),
    ],
)
def test_damage_is_named_with_file_line_and_id(small_spec, old, new, said):
    edit(small_spec, old, new)
    with pytest.raises(SpecError, match=said):
        load_spec("1.2.3", small_spec)


def test_constants_are_unique(small_spec):
    entry = (small_spec / "1.2.3/constants.yaml").read_text().split("constants:\n")[1]
    edit(small_spec, "constants:\n", f"constants:\n{entry}", "1.2.3/constants.yaml")
    with pytest.raises(SpecError, match=r"constants\.yaml:9 \[most_lines\]: .*twice"):
        load_spec("1.2.3", small_spec)


def test_an_unknown_version_names_the_known_ones(small_spec):
    with pytest.raises(SpecError, match=r"no spec of client 9\.9\.9\n  known versions: 1\.2\.3"):
        load_spec("9.9.9", small_spec)


def test_selection_narrows_and_refuses_unknown_names(small_spec):
    spec = load_spec("1.2.3", small_spec)
    assert [c.id for c in spec.select()] == ["win-three", "win-four"]
    assert [c.id for c in spec.select(cases=["win-four"], rules=["WIN-1"])] == ["win-four"]
    assert spec.select(rules=["WIN-2"]) == ()
    with pytest.raises(SpecError, match="no chapter 'windoe'\n  did you mean window"):
        spec.select(chapters=["windoe"])
    with pytest.raises(SpecError, match="no profile 'pi'"):
        spec.select(profile="pi")


def test_a_split_rule_can_be_named_whole(small_spec):
    edit(small_spec, "id: WIN-1", "id: WIN-1a")
    edit(small_spec, "[WIN-1]", "[WIN-1a]")
    spec = load_spec("1.2.3", small_spec)
    assert [rule.id for rule in spec.rules_named("WIN-1")] == ["WIN-1a"]
    assert len(spec.select(rules=["WIN-1"])) == 2
    with pytest.raises(SpecError, match="no rule 'WIN'"):
        spec.rules_named("WIN")


def test_profiles_bind_rules_and_cases(small_spec):
    edit(small_spec, "    text: At most", "    profiles: [port]\n    text: At most")
    port = "profile: port\ntitle: P\nclient: 1.2.3\nabout: A port.\n"
    (small_spec / "profiles/port.yaml").write_text(port)
    (small_spec / "profiles/free.yaml").write_text(
        port.replace("port", "free") + "excluded_rules: [{rule: WIN-1, reason: none}]\n"
    )
    spec = load_spec("1.2.3", small_spec)
    assert spec.select() == ()
    assert len(spec.select(profile="port")) == 2
    assert spec.select(profile="free") == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(data=st.data())
def test_mangled_chapters_are_errors_of_ours_or_load(small_spec, data):
    start = data.draw(st.integers(0, len(CHAPTER)))
    length = data.draw(st.integers(0, 40))
    piece = data.draw(st.sampled_from(["", "x", ":", "\n", "  ", "[", "}", "- ", "5", "null", '"']))
    text = CHAPTER[:start] + piece + CHAPTER[start + length :]
    (small_spec / "1.2.3/window.yaml").write_text(text)
    with suppress(SpecError):  # any other exception is the defect
        load_spec("1.2.3", small_spec)
