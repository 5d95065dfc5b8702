from jsonschema import Draft202012Validator

from memassay.spec.loader import load_spec
from memassay.spec.schemas import bundled, schema


def test_a_schema_without_references_is_left_alone():
    part = {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {}}}
    assert bundled(part) is part


def test_what_is_referred_to_comes_along_and_resolves_without_a_registry():
    part = {"type": "array", "items": {"anyOf": [{"$ref": "memassay:session#/$defs/event"}]}}
    whole = bundled(part)
    assert whole["$defs"] == {"session": schema("session")}
    assert "$defs" not in part
    validator = Draft202012Validator(whole)
    assert validator.is_valid([{"type": "clock", "at_ms": 0}])
    assert not validator.is_valid([{"type": "clock", "at_ms": -1}])


def test_the_schemas_of_an_op_stand_alone():
    op = load_spec().ops["session"]
    assert not Draft202012Validator(op.result_schema).is_valid({"actions": [[{"type": "sing"}]]})
    assert Draft202012Validator(op.result_schema).is_valid({"actions": [[]]})
