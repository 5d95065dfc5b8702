"""The JSON Schemas of `spec/schema/`, and checking a document against one with file and line."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from memassay.spec.errors import SpecError, Where
from memassay.spec.locate import spec_root

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jsonschema.protocols import Validator
    from referencing import Registry

    from memassay.spec.documents import Document

PREFIX = "memassay:"
"""What the `$id`s of our schemas begin with; the rest is the file name before `.schema.json`."""

SUFFIX = ".schema.json"


@cache
def schema(name: str) -> Mapping[str, Any]:
    """Return the schema in `spec/schema/NAME.schema.json`; `NAME` may have a directory in it."""
    path = spec_root() / "schema" / f"{name}{SUFFIX}"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SpecError(f"there is no schema {name!r}", Where(path)) from None


@cache
def validator(name: str) -> Validator:
    """Return a validator of one of our schemas that can follow references to the others."""
    return validator_of(schema(name))


def validator_of(wanted: Mapping[str, Any]) -> Validator:
    """Return a validator of any schema, an op's for instance, that knows ours by their `$id`s.

    Ours are in its registry from the start: one that has to be found inside `wanted` is looked for
    again at every reference, which costs more than all the rest of a run.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415 (slow to import, seldom needed)

    return Draft202012Validator(wanted, registry=_registry())  # pyright: ignore[reportCallIssue]


@cache
def _registry() -> Registry[Any]:
    from referencing import Registry, Resource  # noqa: PLC0415 (slow to import, seldom needed)

    directory = spec_root() / "schema"
    names = [
        path.relative_to(directory).as_posix().removesuffix(SUFFIX)
        for path in directory.rglob(f"*{SUFFIX}")
    ]
    return Registry().with_resources(
        (f"{PREFIX}{name}", Resource.from_contents(schema(name))) for name in names
    )


def bundled(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with those of ours that it refers to (`memassay:NAME#…`) under `$defs`.

    So an op's schema stands alone, in a validator as in an export. Each is there whole, with its
    `$id`, as JSON Schema bundles documents.
    """
    names = sorted(_references(part))
    if not names:
        return part
    return {**part, "$defs": {name: schema(name) for name in names}}


def _references(part: Any) -> set[str]:
    if isinstance(part, list):
        return set().union(*map(_references, part))
    if not isinstance(part, dict):
        return set()
    found = set().union(*map(_references, part.values()))
    target = part.get("$ref")
    if isinstance(target, str) and target.startswith(PREFIX):
        found.add(target.removeprefix(PREFIX).partition("#")[0])
    return found


def check_document(document: Document, name: str) -> None:
    """Raise `SpecError` for the most telling way in which `document` departs from a schema."""
    from jsonschema.exceptions import best_match  # noqa: PLC0415 (only errors need it)

    error = best_match(validator(name).iter_errors(document.value))
    if error is None:
        return
    steps = list(error.absolute_path)
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    message = error.message if len(error.message) <= 200 else f"{error.message[:200]}…"  # noqa: PLR2004
    raise SpecError(
        f"{place.lstrip('.') or 'the document'}: {message}",
        document.where(steps, _nearest_id(document.value, steps)),
        hint="spec/README.md says what belongs here",
    )


def _nearest_id(value: Any, steps: list[str | int]) -> str | None:
    found = None
    for step in steps:
        value = value[step]
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            found = value["id"]
    return found
