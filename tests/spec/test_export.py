import json

from memassay.spec.export import export, export_case
from memassay.spec.loader import load_spec

from .test_loader import edit


def test_everything_is_json_with_builders_expanded(small_spec):
    document = json.loads(json.dumps(export(load_spec("1.2.3", small_spec))))
    (chapter,) = document["chapters"]
    case = chapter["rules"][0]["cases"][1]
    assert case["args"] == {"text": "1\n2\n3\n4"}
    assert chapter["rules"][0]["cases"][0]["expect"] == {"kept": {"contains": "3"}}
    assert document["constants"][0]["value"] == 3
    assert document["client"] == "1.2.3"


def test_trees_are_written_out(small_spec):
    edit(
        small_spec,
        '        expect: {kept: "1"}',
        "        tree:\n"
        "          d: {files: {from: 0, to: 1, name: 't{n}.md', text: 'x{n}', age_step: 1s}}\n"
        "          raw: {hex: ff}\n"
        "          link: {symlink: {path: d}}\n"
        "          repo: {git: repository}\n"
        '        expect: {kept: "1"}',
    )  # fmt: skip
    case = load_spec("1.2.3", small_spec).cases["win-four"]
    assert export_case(case)["tree"] == {
        "d/t0.md": {"file": "x0", "age": "0us"},
        "d/t1.md": {"file": "x1", "age": "1000000us"},
        "raw": {"$bytes": "/w=="},
        "link": {"symlink": "<TREE>/d"},
        "repo": {"git": "repository"},
    }


def test_the_real_spec_exports_without_a_path_of_this_machine(tmp_path):
    text = json.dumps(export(load_spec()))
    assert str(tmp_path.parent) not in text
