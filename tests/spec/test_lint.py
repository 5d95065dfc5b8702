import pytest

from memassay.spec.lint import Severity, lint
from memassay.spec.lint_checks import measure
from memassay.spec.loader import load_spec
from memassay.spec.models import Grade

from .test_loader import edit

INVENTORY = {"window": ("WIN-1", "WIN-2"), "door": ("DOR-1",)}


def report(root, **options):
    options = {"inventory": INVENTORY, "observations": frozenset({"O1"}), **options}
    return lint(load_spec("1.2.3", root), **options)


def test_a_clean_spec_is_clean(small_spec):
    clean = report(small_spec)
    assert clean.findings == ()
    assert clean.ok
    (chapter,) = clean.chapters
    assert (chapter.rules, chapter.cases, chapter.excluded) == (2, 2, ("WIN-2",))
    (boundary,) = clean.boundaries
    assert (boundary.at, boundary.past) == (("win-three",), ("win-four",))
    assert clean.grades[Grade.OBSERVED] == 1
    assert clean.grades[Grade.DERIVED] == 1
    assert clean.not_landed == ("door",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    excluded: It cannot be seen.\n", "", "WIN-2]: a SHOULD has neither cases nor"),
        ("constants: [most_lines]", "why: x", "[most_lines]: no rule uses this constant"),
        ("constants: [most_lines]", "constants: [most_lines, x]", "there is no constant x"),
        ("side: past", "side: at", "[most_lines]: no case stands past this boundary"),
        ("to: 3", "to: 5", "win-three]: claims 3 lines of text, has 5"),
        ("{lines: text}", "{lines: txt}", "`measure` names txt"),
        ("constant: most_lines", "constant: most", "most is no boundary constant"),
        ("observations: [O1]", "observations: [O2]", "cites observation O2"),
        (", observations: [O1]", "", "claims to be observed but cites no observation"),
        ("from: [WIN-1]", "from: [WIN-9]", "is derived from WIN-9, which is no rule"),
        ("{from: 1, to: 3, ", "{from: x, to: 3, ", "win-three]: `lines` counts"),
        ("args: {text:", "args: {texts:", "args do not fit cut"),
        ("op: cut", "tree: {a: b}\n        op: cut", "cut takes no tree"),
        ("op: cut", "model: {replies: []}\n        op: cut", "cut takes no model"),
        ("why: three", "profiles: [port]\n        why: three", "there is no profile port"),
        ("id: WIN-2", "id: WIN-3", "the chapter owes rule WIN-2"),
        ("status: complete", "status: partial\nmissing: the rest", "is partial: the rest"),
        ("to: 4, ", "to: 3, ", "win-four]: asks what win-three asks"),
    ],
)
def test_each_broken_promise_is_found(small_spec, old, new, said):
    edit(small_spec, old, new)
    assert any(said in str(finding) for finding in report(small_spec).findings)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("{lines: three}", "win-four]: stands in the cell of win-three"),
        ("{ways: four}", "win-four]: its cell has not the columns of the others: lines"),
        ("{lines: four}", None),
    ],
)
def test_the_cells_of_a_table_differ_and_have_the_same_columns(small_spec, cell, said):
    edit(small_spec, "why: three are allowed", "why: three\n        cell: {lines: three}")
    edit(small_spec, "why: four are not", f"why: four\n        cell: {cell}")
    found = [str(finding) for finding in report(small_spec).findings]
    assert (found == []) if said is None else (said in found[0])


def test_a_partial_chapter_is_only_a_note(small_spec):
    edit(small_spec, "status: complete", "status: partial\nmissing: the rest")
    edit(small_spec, "id: WIN-2", "id: WIN-3")
    partial = report(small_spec)
    assert [finding.severity for finding in partial.findings] == [Severity.NOTE]
    assert partial.ok
    assert partial.chapters[0].owed == ("WIN-2",)


def test_split_rules_count_for_the_one_they_split(small_spec):
    edit(small_spec, "id: WIN-2", "id: WIN-2a")
    assert report(small_spec).findings == ()


def test_retired_ids_stay_retired(small_spec):
    edit(small_spec, "retired: []", "retired: [{id: win-four, reason: wrong}]", "retired.yaml")
    (finding,) = report(small_spec).findings
    assert "win-four]: the id was retired (wrong)" in str(finding)


def test_a_chapter_outside_the_inventory_is_found(small_spec):
    (finding,) = report(small_spec, inventory={}).findings
    assert "not in spec/inventory.yaml" in str(finding)


PORT = """profile: port
title: P
client: 1.2.3
about: A port.
adaptations:
  - {mechanism: Cutting, table: T, strategy: keep, text: As it is., ROW}
"""


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("rules: [WIN-1]", None),
        ("rules: [WIN-1, NEW-1]", None),
        ("rules: [NEW-1]", None),
        ("excluded: nothing to ask for", None),
        ("rules: [WIN-9]", "profile port, Cutting: there is no rule WIN-9"),
        ("rules: [WIN-2]", "neither a rule with cases nor a reason"),
        ('rules: [WIN-2], excluded: "out of reach"', None),
    ],
)
def test_an_adaptation_has_cases_or_a_reason(small_spec, row, said):
    (small_spec / "profiles/port.yaml").write_text(PORT.replace("ROW", row))
    findings = report(small_spec, inventory={**INVENTORY, "coming": ("NEW-1",)}).findings
    if said is None:
        assert findings == ()
    else:
        assert any(said in str(finding) for finding in findings)


def test_an_adaptation_may_name_a_split_rule_whole(small_spec):
    edit(small_spec, "id: WIN-1", "id: WIN-1a")
    edit(small_spec, "[WIN-1]", "[WIN-1a]")
    (small_spec / "profiles/port.yaml").write_text(PORT.replace("ROW", "rules: [WIN-1]"))
    assert report(small_spec).findings == ()


def test_further_checks_of_cases_can_be_added(small_spec):
    findings = report(small_spec, case_checks=[lambda case: [f"{case.id} is odd"]]).findings
    assert [f.message for f in findings] == ["win-three is odd", "win-four is odd"]


@pytest.mark.parametrize(
    ("value", "units", "lines", "size"),
    [("", 0, 0, 0), ("a\n", 2, 1, 2), ("a\nb", 3, 2, 3), ("😀", 2, 1, 4), (b"\xff", 1, 1, 1)],
)
def test_sizes(value, units, lines, size):
    assert (measure(value, "units"), measure(value, "lines"), measure(value, "bytes")) == (
        units,
        lines,
        size,
    )


def test_the_real_spec_keeps_its_promises():
    findings = [str(f) for f in lint(load_spec()).findings if f.severity is Severity.ERROR]
    assert findings == []
