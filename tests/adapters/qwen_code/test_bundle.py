"""Linking single declarations out of a bundle that must not run as a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.adapters.conversation import finish, needs_node

pytestmark = needs_node

HERE = Path(__file__).parent


def link(expression: str, bundle: Path = HERE / "fixtures" / "bundle.js"):
    code, stdout, stderr = finish(["node", HERE / "link.mjs", bundle], expression.encode())
    assert (code, stderr) == (0, "")
    return json.loads(stdout)


def value(expression: str):
    answer = link(expression)
    assert "error" not in answer, answer
    return answer.get("value")


def test_a_function_ends_where_the_language_says_not_at_a_brace_in_a_text():
    # {1}, the separator of three lines, {2}, then the lengths of a text and of a pattern
    assert value("b.get('braces')([1, 2])") == "{1}\n}\nfunction decoy(x3) {\n{2}1610"


def test_code_stays_strict():
    assert value("b.get('sloppy').call(undefined)") == "undefined"


def test_async_functions_and_generators_are_linked():
    assert value("b.get('later')(3)") == 3


def test_imports_of_node_modules_in_every_form():
    assert value("b.get('joined')()") == "a/be3b0"
    assert value("b.get('defaults')()") == ["function"] * 4


def test_an_import_of_anything_else_is_refused_by_name():
    answer = link("b.get('usesYaml')()")
    assert answer["error"] == "BundleError"
    assert "yaml" in answer["message"]


def test_classes_are_linked():
    assert value("[b.get('Point').origin, new (b.get('Point'))().x]") == [0, 3]


def test_a_bare_variable_gets_its_value_from_its_own_module():
    assert value("[b.get('limitOf')(300), b.get('limitOf')(7)]") == [200, 7]


def test_a_module_starts_once_and_only_when_needed():
    assert value("b.get('startedModules')") == []
    needs_two = "(b.get('limitOf')(1), b.get('limitOf')(2), b.get('Base'), b.get('startedModules'))"
    assert value(needs_two) == ["other", "lazy"]  # Shape extends Base, so other comes first


def test_a_class_made_in_a_module_reaches_its_base_in_another():
    assert value("new (b.get('Shape'))().area()") == 201
    assert value("b.get('Shape').name") == "Shape"


def test_assignments_are_seen_by_all():
    assert value("[b.get('count')(), b.get('count')(), b.get('counter')]") == [1, 2, 2]


def test_a_variable_that_its_module_leaves_alone_is_undefined():
    assert value("[b.get('unset') === undefined, b.get('Base') !== undefined]") == [True, True]


def test_commonjs_modules_get_nodes_own_require():
    assert value("b.get('require_old')()") == {"os": "function"}


def test_a_replacement_is_what_the_bundle_sees():
    assert value("(b.replace('Date', { now: () => 5 }), b.get('now')())") == 5
    assert value("(b.replace('LIMIT', 10), b.get('limitOf')(300))") == 10


def test_a_name_that_is_not_declared_is_an_error_that_says_so():
    assert link("b.get('nothingLikeThis')") == {
        "error": "BundleError",
        "message": "the bundle declares no nothingLikeThis",
    }


def test_inside_the_bundle_such_a_name_is_the_languages_own_error():
    assert link("b.get('usesNothing')()")["error"] == "ReferenceError"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("twice", "more than once"), ("unclosed", "does not end"), ("things_exports", "namespace")],
)
def test_what_cannot_be_cut_out_with_certainty_is_refused(name, reason):
    answer = link(f"b.get('{name}')")
    assert answer["error"] == "BundleError"
    assert name in answer["message"]
    assert reason in answer["message"]


def test_crlf_and_no_final_newline_are_not_mistaken_for_a_bundle(tmp_path):
    bundle = tmp_path / "bundle.js"
    bundle.write_bytes(b"function a() {\r\n  return 1;\r\n}")
    assert link("b.get('a')()", bundle)["error"] == "BundleError"
