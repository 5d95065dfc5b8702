import pytest

from memassay.prompts.check import TOOL_SENTENCE, Span, check
from memassay.prompts.names import NameOf
from memassay.prompts.substitutions import Declared, Kind, Removed, Term
from memassay.prompts.telling import in_words
from tests.prompts.conftest import fingerprint_of

READ = Term(Kind.NAME, "Read", "read", 1, of=NameOf.TOOL)


def spans(found):
    return [(one.baseline, one.port) for one in found.differences]


def notes(found):
    return [note for one in found.differences for note in one.notes]


def test_a_prompt_is_itself(baseline, text):
    assert check(baseline, text, Declared(dynamic={"memory_dir": "{memory_dir}"})).same


def test_the_example_port_is_the_baseline(baseline, port, declared):
    found = check(baseline, port, declared)
    assert found.same
    assert found.unused == ()
    times = {
        source if isinstance(source, str) else source.baseline: n
        for source, n in found.used.items()
    }
    assert times == {
        "Claude Code": 1, "CLAUDE.md": 2, "Read": 1, "Write": 1, "file_path": 1, "type": 1,
        "memory_dir": 1,
    }  # fmt: skip


@pytest.mark.parametrize("kind", [*Kind, "dynamic"])
def test_each_kind_is_needed(baseline, port, declared, kind):
    less = Declared(
        tuple(term for term in declared.terms if term.kind != kind),
        () if kind == Kind.SECTION else declared.removed,
        {} if kind == "dynamic" else declared.dynamic,
    )
    assert not check(baseline, port, less).same


def test_replacing_is_permitted_and_not_required(baseline, text, declared):
    kept = Declared(declared.terms, (), {"memory_dir": "{memory_dir}"})
    found = check(baseline, text, kept)
    assert found.same
    assert len(found.unused) == len(declared.terms)


@pytest.mark.parametrize(
    ("port", "differing"),
    [
        ("a\nX\nc", [(Span(2, 2), Span(2, 2))]),
        ("a\nc", [(Span(2, 2), None)]),
        ("a\nb\nX\nc", [(None, Span(3, 3))]),
        ("a\nb\nc\n", [(None, Span(4, 4))]),
        ("\na\nb\nc", [(None, Span(1, 1))]),
        ("b\na\nc", [(None, Span(1, 1)), (Span(2, 2), None)]),
        ("X", [(Span(1, 3), Span(1, 1))]),
        ("a \nb\nc", [(Span(1, 1), Span(1, 1))]),
        ("a\nb\nc\nc", [(None, Span(4, 4))]),
        ("", [(Span(1, 3), Span(1, 1))]),
    ],
)
def test_which_lines_differ(port, differing):
    assert spans(check(fingerprint_of("a\nb\nc"), port)) == differing


def test_numbers_of_the_baseline_count_removed_sections():
    printed = fingerprint_of("# a\n# b\n# c\nend")
    found = check(printed, "# a\n# c\nEND", Declared(removed=(Removed(2, 2, "f", 1),)))
    assert spans(found) == [(Span(4, 4), Span(3, 3))]


def test_blank_lines_before_a_removed_last_section_go_with_it():
    printed = fingerprint_of("# a\nx\n\n# b\ny")
    removed = Declared(removed=(Removed(4, 5, "f", 1),))
    assert check(printed, "# a\nx", removed).same
    assert check(printed, "# a\nx\n", removed).same
    assert not check(printed, "# a\nx\ny", removed).same


def test_nothing_but_blank_lines_may_be_left_of_a_baseline():
    printed = fingerprint_of("\n# a\nx")
    found = check(printed, "y", Declared(removed=(Removed(2, 3, "f", 1),)))
    assert [one.port for one in found.differences] == [Span(1, 1)]


def test_half_a_removed_section_that_stays_is_seen(baseline, port, declared):
    found = check(baseline, port.replace("## In the end", "Ask.\n\n## In the end"), declared)
    assert not found.same


@pytest.mark.parametrize(
    ("port", "same"),
    [
        # Two lines of the baseline of which the port makes one; the place decides which it is.
        ("- read\n- read", True),
        ("- Read\n- read", True),
        ("- Read\n- Read", False),
        ("- read\n- Read", False),
    ],
)
def test_a_line_that_could_be_two(port, same):
    printed = fingerprint_of("- Read\n- read", names={NameOf.TOOL: ["Read"]})
    assert check(printed, port, Declared((READ,))).same is same


def test_a_dynamic_value_of_several_lines():
    printed = fingerprint_of("ids: 1\n2\nend", dynamic={"ids": "1\n2"})
    assert len(printed.lines) == 2
    declared = Declared(dynamic={"ids": "7\n8\n9"})
    found = check(printed, "ids: 7\n8\n9\nend", declared)
    assert found.same
    assert found.used == {"ids": 1}
    assert spans(check(printed, "ids: 7\n8\n9\nEND", declared)) == [(Span(2, 2), Span(4, 4))]


def test_a_value_where_none_is_declared_differs():
    printed = fingerprint_of(
        "in /m\nnever /m twice".replace("never /m", "never"), dynamic={"d": "/m"}
    )
    declared = Declared(dynamic={"d": "/x"})
    assert check(printed, "in /x\nnever twice", declared).same
    assert not check(printed, "in /x\nnever /x twice", declared).same


def test_a_value_left_as_in_the_baseline_is_not_the_value():
    printed = fingerprint_of("in {dir}", dynamic={"dir": "{dir}"})
    found = check(printed, "in {dir}")
    assert notes(found) == ["dir is filled in there, and nothing says what stands for it"]


def test_the_level_of_a_heading_is_told():
    found = check(fingerprint_of("## a\nb"), "# a\n## b")
    assert notes(found) == [
        "baseline line 1 is a heading of level 2, here stands a heading of level 1",
        "baseline line 2 is no heading, here stands a heading of level 2",
    ]


@pytest.mark.parametrize("separator", [" ", "\n", "\n\n"])
def test_the_tool_sentence_may_end_the_selector(separator):
    printed = fingerprint_of("Choose.\nList names.", prompt="selector")
    found = check(printed, f"Choose.\nList names.{separator}{TOOL_SENTENCE}")
    assert found.same
    assert found.tool_sentence
    assert not check(printed, "Choose.\nList names.").tool_sentence


@pytest.mark.parametrize(
    ("prompt", "port"),
    [
        ("memory", f"Choose.\n{TOOL_SENTENCE}"),
        ("extractor", f"Choose. {TOOL_SENTENCE}"),
        ("selector", f"{TOOL_SENTENCE}\nChoose."),
        ("selector", f"Choose.\n{TOOL_SENTENCE}\n{TOOL_SENTENCE}"),
        ("selector", f"Choose.{TOOL_SENTENCE}"),
        ("selector", f"Choose.\n{TOOL_SENTENCE[:-1]}"),
        ("selector", f"Choose.\n{TOOL_SENTENCE.replace('once', 'twice')}"),
        ("selector", f"Choose.\n{TOOL_SENTENCE}\n"),
        ("selector", f"Choose.\n\n\n{TOOL_SENTENCE}"),
    ],
)
def test_the_tool_sentence_anywhere_else_is_a_difference(prompt, port):
    assert not check(fingerprint_of("Choose.", prompt=prompt), port).same


def test_a_baseline_that_has_the_tool_sentence_itself():
    text = f"Choose. {TOOL_SENTENCE}"
    assert check(fingerprint_of(text, prompt="selector"), text).same


def test_more_places_than_can_be_tried_are_told():
    text = "Read " * 30
    printed = fingerprint_of(text, names={NameOf.TOOL: ["Read"]})
    assert check(printed, text.replace("Read", "read"), Declared((READ,))).same
    some = check(printed, text.replace("Read Read", "x read", 15), Declared((READ,)))
    assert notes(some) == [
        "port line 1 has 15 places for replacements, too many to try every choice"
    ]


def test_an_immense_port_is_compared_in_one_block():
    printed = fingerprint_of("\n".join(f"line {n}" for n in range(3000)))
    found = check(printed, "\n".join(f"LINE {n}" for n in range(3000)))
    assert spans(found) == [(Span(1, 3000), Span(1, 3000))]


def test_the_report_says_what_only_a_person_can_see(baseline, port, declared):
    told = "\n".join(in_words(check(baseline, port, declared)))
    assert "removed: baseline lines 14-21, for shared storage of a team" in told
    assert "only a person" in told
