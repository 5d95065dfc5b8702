"""The commands that only read the spec."""

import json

import pytest

from tests.cli.conftest import SPEC, memassay, validate

MINI = ("--spec-root", SPEC)


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("list", []),
        ("list", ["--chapters"]),
        ("list", ["--rules"]),
        ("list", ["--cases"]),
        ("list", ["--ops"]),
        ("list", ["--evidence", "--chapter", "cutting"]),
        ("explain", ["CUT-1"]),
        ("explain", ["LST-1"]),
        ("explain", ["lst-three"]),
        ("show", ["lst-three"]),
        ("show", ["lst-bytes"]),
        ("lint-spec", []),
    ],
)
def test_json_obeys_the_commands_own_schema(command, args):
    validate(command, memassay(command, *args, "--format", "json", *MINI).json)


def test_export_obeys_its_schema_in_a_pipe_and_in_a_file(tmp_path):
    piped = memassay("export", *MINI)
    validate("export", piped.json)
    out = tmp_path / "export.json"
    assert memassay("export", "--out", out, *MINI).out == ""
    assert json.loads(out.read_text(encoding="utf-8")) == piped.json


def test_the_real_spec_exports_under_the_same_schema():
    validate("export", memassay("export").json)


@pytest.mark.parametrize(
    "args",
    [
        ["list"],
        ["list", "--rules"],
        ["list", "--cases"],
        ["list", "--ops"],
        ["list", "--evidence"],
        ["explain", "CUT-1"],
        ["explain", "lst-three"],
        ["show", "lst-three"],
        ["show", "cut-hidden"],
        ["show", "cut-long"],
    ],
    ids=" ".join,
)
def test_views(args, snapshot):
    ran = memassay(*args, *MINI)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


def test_lines_do_not_end_in_spaces():
    for args in (["list", "--rules"], ["explain", "CUT-1"]):
        assert not [
            line for line in memassay(*args, *MINI).out.splitlines() if line != line.rstrip()
        ]


def test_names_are_for_scripts():
    assert memassay("list", "--format", "names", *MINI).out == "cutting\nlisting\n"
    names = memassay("list", "--cases", "--chapter", "listing", "--format", "names", *MINI).out
    assert names.split() == ["lst-three", "lst-empty", "lst-missing", "lst-bytes"]


def test_colour_only_where_it_is_wanted():
    assert "\x1b" not in memassay("explain", "CUT-1", *MINI).out
    assert "\x1b" in memassay("explain", "CUT-1", *MINI, env={"FORCE_COLOR": "1"}).out
    both = {"FORCE_COLOR": "1", "NO_COLOR": "1"}
    coloured = memassay("explain", "CUT-1", *MINI, env=both).out
    assert "\x1b[31m" not in coloured
    assert "\x1b[32m" not in coloured


def test_a_rule_may_be_named_in_lower_case():
    assert memassay("explain", "cut-1", *MINI).out == memassay("explain", "CUT-1", *MINI).out


def test_a_retired_id_says_why():
    ran = memassay("explain", "cut-old", *MINI)
    assert ran.code == 2
    assert "cut-old was retired: it asked two things at once" in ran.err


def test_show_makes_the_tree_with_real_paths(tmp_path):
    made = tmp_path / "made"
    ran = memassay("show", "lst-three", "--make-tree", made, "--format", "json", *MINI)
    assert ran.json["request"]["args"] == {"dir": f"{made}/memory"}
    assert (made / "memory" / "a.md").read_text() == "alpha"
    assert (made / "memory" / "link.md").is_symlink()


def test_show_makes_no_tree_over_something(tmp_path):
    (tmp_path / "mine").write_text("precious")
    ran = memassay("show", "lst-three", "--make-tree", tmp_path, *MINI)
    assert ran.code == 2
    assert "is not empty" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_show_makes_no_tree_for_a_case_without():
    ran = memassay("show", "cut-at", "--make-tree", "nowhere", *MINI)
    assert ran.code == 2
    assert "cut-at has no directory" in ran.err


def test_lint_of_a_sound_spec_exits_0_and_of_a_broken_one_1(spec_copy):
    chapter = spec_copy / "2.1.296" / "cutting.yaml"
    assert memassay("lint-spec", "--spec-root", SPEC).code == 1  # its observations are invented
    chapter.write_text(chapter.read_text().replace("    excluded: Nobody", "    why: Nobody"))
    ran = memassay("lint-spec", "--spec-root", spec_copy, "--format", "json")
    assert ran.code == 1
    assert not ran.json["ok"]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text.replace("id: cut-at", "id: cut-past"), "this id is there twice"),
        (lambda text: text.replace("chapter: cutting", "chapter: [cutting"), "cutting.yaml:"),
        (lambda text: text.replace("op: cut\n", "op: carve\n", 1), "there is no op 'carve'"),
        (lambda text: text + "\nrules: []\n", "cutting.yaml:"),
    ],
    ids=["duplicate id", "malformed", "unknown op", "duplicate key"],
)
def test_a_damaged_spec_is_told_with_file_and_line(spec_copy, damage, said):
    chapter = spec_copy / "2.1.296" / "cutting.yaml"
    chapter.write_text(damage(chapter.read_text()))
    for command, code in (("list", 4), ("lint-spec", 1)):
        ran = memassay(command, "--spec-root", spec_copy)
        assert ran.code == code
        told = ran.err if command == "list" else ran.out
        assert said in told
        assert "cutting.yaml:" in told
    document = memassay("lint-spec", "--spec-root", spec_copy, "--format", "json").json
    validate("lint-spec", document)
    assert not document["ok"]


@pytest.mark.parametrize("name", ["KEY-2", "key-2"])
def test_explain_of_a_split_rule_has_every_part(name):
    parts = memassay("explain", name, "--format", "json").json  # of the real spec
    validate("explain", parts)
    assert [part["rule"]["id"] for part in parts][:2] == ["KEY-2a", "KEY-2b"]


@pytest.mark.parametrize(("name", "near"), [("KEY-9", "KEY-3"), ("key-plan", "key-plain")])
def test_explain_knows_the_nearest_names(name, near):
    done = memassay("explain", name)
    assert done.code == 2
    assert near in done.err
