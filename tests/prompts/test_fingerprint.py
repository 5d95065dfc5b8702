import hashlib
import hmac
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memassay.prompts.fingerprint import dumps, line_hash, load, make, new_salt
from memassay.prompts.names import NameOf
from memassay.spec.errors import SpecError
from memassay.spec.locate import prompts_root, spec_root
from tests.prompts.conftest import EXAMPLE, NAMES, SALT, fingerprint_of


def test_a_line_is_hashed_as_the_documentation_says():
    printed = fingerprint_of("# a\n\nin `/m/` now", dynamic={"memory_dir": "/m/"})
    key = bytes.fromhex(SALT)
    wanted = [
        hmac.new(key, line, hashlib.sha256).hexdigest()
        for line in (b"# a", b"", b"in `\0memory_dir\0` now")
    ]
    assert [line.hash for line in printed.lines] == wanted
    assert [line.level for line in printed.lines] == [1, 0, 0]
    assert [line.dynamic for line in printed.lines] == [(), (), ("memory_dir",)]


def test_it_holds_no_word_of_the_text(text, baseline):
    written = set(re.findall(r"\w+", dumps(baseline)))
    words = set(re.findall(r"\w+", text))
    ours = {"memory", "memory_dir", "of", *(word for some in NAMES.values() for word in some)}
    assert len(words) > 40
    assert words & written == ours & words


def test_every_fingerprint_has_a_salt_of_its_own(text):
    one, other = (make(text, prompt="memory", of="us") for _ in range(2))
    assert one.salt != other.salt
    assert not {line.hash for line in one.lines} & {line.hash for line in other.lines}
    assert line_hash(new_salt(), "a") != line_hash(new_salt(), "a")


def test_it_comes_back_as_it_was_written(baseline, stored):
    assert load(stored) == baseline


def test_it_fits_its_schema(stored):
    path = spec_root() / "schema" / "fingerprint.schema.json"
    Draft202012Validator(json.loads(path.read_text())).validate(json.loads(stored.read_text()))


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_equal_texts_and_only_those_have_equal_fingerprints(text):
    printed = fingerprint_of(text)
    assert printed == fingerprint_of(text)
    assert printed.lines != fingerprint_of(f"{text}.").lines
    assert len(printed.lines) == text.count("\n") + 1


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"prompt": "My Prompt"}, "'My Prompt' is no name of a prompt"),
        ({"salt": "abc"}, "'abc' is no salt"),
        ({"salt": "AB" * 16}, "is no salt"),
        ({"salt": "ab" * 15}, "is no salt"),
        ({"dynamic": {"dir": "/nowhere"}}, "does not hold '/nowhere', which dir"),
        ({"dynamic": {"dir": ""}}, "does not hold ''"),
        ({"dynamic": {"Dir": "index"}}, "'Dir' cannot name a dynamic value"),
        ({"dynamic": {"a": "index", "b": "index"}}, "b and a are the same text, 'index'"),
        ({"names": {NameOf.TOOL: ["Glob"]}}, "does not hold 'Glob' as the name of a tool"),
        ({"names": {NameOf.FIELD: ["index"]}}, "'index' as the name of a field\n  an ordinary"),
        ({"names": {NameOf.TOOL: ["no name"]}}, "'no name' cannot be the name of a tool"),
    ],
)
def test_what_cannot_be_declared(text, how, said):
    with pytest.raises(SpecError) as caught:
        make(text, **{"prompt": "memory", "of": "us", **how})
    assert said in str(caught.value)


def test_the_shortest_salt_is_taken(text):
    assert make(text, prompt="memory", of="us", salt="ab" * 16).salt == "ab" * 16


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda _: "{", "is not JSON"),
        (lambda _: "[]", "is not of type 'object'"),
        (lambda _: "[" * 100_000, "is not JSON"),
        (lambda t: t.replace('"fingerprint": 1', '"fingerprint": 2'), "1 was expected"),
        (lambda t: t.replace('"level": 1', '"level": 7'), "7 is greater than the maximum"),
        (lambda t: t.replace('"hash": "', '"hash": "Z', 1), "does not match"),
        (lambda t: t.replace('"salt"', '"pepper"'), "'salt' is a required property"),
        (lambda t: t.replace('["memory_dir"]', '["other"]', 1), "line 3 holds other, which is not"),
    ],
)
def test_what_is_no_fingerprint(stored, damage, said):
    stored.write_text(damage(stored.read_text()))
    with pytest.raises(SpecError) as caught:
        load(stored)
    assert said in str(caught.value)
    assert "baseline.json" in str(caught.value)


def test_those_that_memassay_brings_can_be_loaded():
    found = {path.relative_to(prompts_root()).as_posix() for path in prompts_root().rglob("*.json")}
    assert found == {"2.1.296/memory.json", "example/memory.json"}
    for name in found:
        assert load(prompts_root() / name).prompt == "memory"


def test_the_clients_is_what_was_observed():
    printed = load(prompts_root() / "2.1.296/memory.json")
    # Observation I20-other-directories: 22 lines, one heading, one place where the path stands.
    assert len(printed.lines) == 22
    assert [line.level for line in printed.lines] == [1] + [0] * 21
    assert sum(len(line.dynamic) for line in printed.lines) == 1
    assert printed.of == "claude-code 2.1.296"


def test_the_example_is_up_to_date(baseline):
    stored = load(EXAMPLE / "memory.json")
    assert (stored.lines, stored.names, stored.salt) == (baseline.lines, baseline.names, SALT)
