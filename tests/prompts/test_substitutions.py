import pytest

from memassay.prompts.names import NameOf
from memassay.prompts.substitutions import Kind, section_end
from memassay.spec.errors import SpecError
from tests.prompts.conftest import fingerprint_of


def test_the_four_kinds(declared):
    assert {term.kind for term in declared.terms} == {
        Kind.INSTRUCTION_FILE,
        Kind.NAME,
        Kind.PRODUCT,
    }
    assert {term.of for term in declared.terms} == {None, *NameOf}
    assert [(one.first, one.last) for one in declared.removed] == [(14, 21)]
    assert declared.dynamic == {"memory_dir": "<directory>"}


@pytest.mark.parametrize("kind", ["wording", "fifth", "Section", "translation", ""])
def test_a_fifth_kind_is_refused_with_its_line(declare, kind):
    with pytest.raises(SpecError) as caught:
        declare(
            "substitutions:\n"
            "  - {kind: product, port: the agent}\n"
            f"  - {{kind: '{kind}', baseline: keep, port: remember}}\n"
        )
    assert f"substitutions.yaml:3: '{kind}' is no permitted replacement" in str(caught.value)
    assert "instruction-file, name, section, product" in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        # A fifth kind in the clothes of one of the four.
        ("{kind: product, port: Pi}", "Pi"),
        ("{kind: product, port: the Pi agent}", "the Pi agent"),
        ("{kind: product, port: 'the agent, who never writes'}", "who never writes"),
        ("{kind: product, port: the most careful agent of all}", "the most careful"),
        ("{kind: product, baseline: Claude, port: the agent}", "'baseline' was unexpected"),
        ("{kind: instruction-file, port: 'AGENTS.md, and nothing else'}", "nothing else"),
        ("{kind: instruction-file, port: AGENTS.txt}", "AGENTS.txt"),
        ("{kind: instruction-file, port: a/b.md}", "a/b.md"),
        (
            "{kind: instruction-file, baseline: MEMORY.md, port: AGENTS.md}",
            "'baseline' was unexpected",
        ),
        ("{kind: name, of: tool, baseline: Call, port: Avoid}", "'Call' is no tool that the"),
        ("{kind: name, of: tool, baseline: type, port: kind}", "'type' is no tool that the"),
        ("{kind: name, of: field, baseline: Read, port: read}", "it has name, type"),
        ("{kind: name, of: tool, baseline: Read, port: read or not}", "read or not"),
        ("{kind: name, of: tool, baseline: Read, port: ''}", "''"),
        ("{kind: name, of: verb, baseline: Read, port: read}", "verb"),
        ("{kind: name, baseline: Read, port: read}", "'of' is a required property"),
        ("{kind: section, lines: [14, 20], feature: f, prompts: [memory]}", "ends on line 21, not"),
        ("{kind: section, lines: [14, 24], feature: f, prompts: [memory]}", "ends on line 21, not"),
        ("{kind: section, lines: [15, 21], feature: f, prompts: [memory]}", "line 15 of the basel"),
        ("{kind: section, lines: [14, 21], prompts: [memory]}", "'feature' is a required"),
        ("{kind: section, lines: [14, 21], feature: f}", "'prompts' is a required property"),
        ("{kind: section, lines: [22, 99], feature: f, prompts: [memory]}", "no lines 22 to 99"),
        ("{kind: section, lines: [22, 21], feature: f, prompts: [memory]}", "no lines 22 to 21"),
        ("{kind: section, lines: [1, 24], feature: f, prompts: [memory]}", "nothing of the prompt"),
        ("{kind: section, lines: [0, 24], feature: f, prompts: [memory]}", "less than the minimum"),
    ],
)
def test_what_none_of_the_four_permits(declare, entry, said):
    with pytest.raises(SpecError) as caught:
        declare(f"substitutions:\n  - {entry}\n")
    assert said in str(caught.value)
    assert "substitutions.yaml:2" in str(caught.value)
    assert str(caught.value).count("\n") <= 1


def test_a_section_inside_a_section_may_go_alone(declare):
    entry = "{kind: section, lines: [18, 21], feature: f, prompts: [memory]}"
    assert declare(f"substitutions:\n  - {entry}\n").removed[0].first == 18


def test_nothing_is_removed_twice(declare):
    entries = "".join(
        f"  - {{kind: section, lines: {lines}, feature: f, prompts: [memory]}}\n"
        for lines in ("[18, 21]", "[14, 21]")
    )
    with pytest.raises(SpecError, match="line 18 is removed twice"):
        declare(f"substitutions:\n{entries}")


def test_everything_in_two_parts_is_everything(declare):
    printed = fingerprint_of("# a\nx\n# b\ny")
    entries = "".join(
        f"  - {{kind: section, lines: {lines}, feature: f, prompts: [memory]}}\n"
        for lines in ("[1, 2]", "[3, 4]")
    )
    with pytest.raises(SpecError, match="nothing of the prompt would be left"):
        declare(f"substitutions:\n{entries}", printed)


@pytest.mark.parametrize(("first", "last"), [(1, 7), (2, 5), (3, 4), (5, 5), (6, 7), (8, 8)])
def test_a_section_ends_before_its_like(first, last):
    printed = fingerprint_of("# a\n## b\n### c\n\n### d\n## e\nx\n# f")
    assert section_end(printed, first) == last


def test_a_replacement_is_the_same_throughout(declare):
    two = "{kind: product, port: the agent}\n  - {kind: product, port: the assistant}"
    with pytest.raises(SpecError, match="Claude Code becomes 'the agent' and 'the assistant'"):
        declare(f"substitutions:\n  - {two}\n")
    same = "{kind: product, port: the agent}\n  - {kind: product, port: The agent}"
    assert len(declare(f"substitutions:\n  - {same}\n").terms) == 2


def test_entries_of_other_prompts_do_not_count(declare):
    found = declare(
        "substitutions:\n"
        "  - {kind: name, of: tool, baseline: Glob, port: find, prompts: [dream]}\n"
        "  - {kind: section, lines: [400, 500], feature: f, prompts: [dream]}\n"
        "  - {kind: name, of: tool, baseline: Read, port: read, prompts: [dream, memory]}\n"
        "dynamic:\n"
        "  - {name: session_ids, port: x, prompts: [dream]}\n"
    )
    assert [term.baseline for term in found.terms] == ["Read"]
    assert (found.removed, found.dynamic) == ((), {})


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (
            "[{name: today, port: x}]",
            "has no dynamic value 'today'\n  it declares memory_dir; noth",
        ),
        ("[{name: memory_dir, port: x}, {name: memory_dir, port: y}]", "is declared twice"),
        ("[{name: memory_dir, port: ''}]", "''"),
        ('[{name: memory_dir, port: "a\\0"}]', "holds a NUL"),
        ("[{name: memory_dir}]", "port"),
    ],
)
def test_dynamic_values_are_those_of_the_baseline(declare, entries, said):
    with pytest.raises(SpecError) as caught:
        declare(f"dynamic: {entries}\n")
    assert said in str(caught.value)


def test_one_text_for_two_values_is_refused(declare):
    printed = fingerprint_of("a b", dynamic={"x": "a", "y": "b"})
    with pytest.raises(SpecError, match="'v' stands for two dynamic values"):
        declare("dynamic: [{name: x, port: v}, {name: y, port: v}]\n", printed)


@pytest.mark.parametrize(
    "yaml",
    [
        "",
        "[]",
        "text",
        "{}",
        "substitutions: {kind: name}",
        "more: []",
        "substitutions: [1]",
        "a: [",
    ],
)
def test_what_is_no_file_of_substitutions(declare, yaml):
    with pytest.raises(SpecError, match=r"substitutions\.yaml"):
        declare(yaml)
