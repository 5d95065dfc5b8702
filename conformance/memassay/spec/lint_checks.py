"""The single checks of lint: each yields sentences with the place they are about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memassay.spec.builders import Context, build, build_mapping, clock_ms, is_builder
from memassay.spec.cache import load_document
from memassay.spec.errors import BuilderError, SpecError, Where
from memassay.spec.locate import PACKAGE_ROOT, spec_root
from memassay.spec.models import Kind, Level
from memassay.spec.schemas import validator_of
from memassay.spec.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memassay.spec.models import Case, Chapter, Spec

    Said = Iterator[tuple[str, Where]]


def read_inventory() -> Mapping[str, tuple[str, ...]]:
    """Return the rule ids that each chapter owes, from `spec/inventory.yaml`."""
    document = load_document(spec_root() / "inventory.yaml", "inventory")
    return {entry["chapter"]: tuple(entry["rules"]) for entry in document.value["inventory"]}


def read_observations() -> frozenset[str] | None:
    """Return the ids of all observations of a checkout, or None if they are not there."""
    directory = PACKAGE_ROOT.parent.parent / "docs" / "research" / "observations"
    if not directory.is_dir():
        return None
    found: set[str] = set()
    for path in sorted(directory.glob("*.json")):
        try:
            found.update(entry["id"] for entry in json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SpecError(f"is no list of observations ({error})", Where(path)) from None
    return frozenset(found)


def untested_rules(spec: Spec) -> Said:
    """Check that a MUST or SHOULD has cases, or says in writing why it cannot have any."""
    for rule in spec.rules.values():
        if rule.level is not Level.MAY and not rule.cases and not rule.excluded:
            yield f"a {rule.level} has neither cases nor `excluded:` with a reason", rule.where


def reused_ids(spec: Spec) -> Said:
    """Check that no retired id is used again."""
    for item in (*spec.rules.values(), *spec.cases.values()):
        if item.id in spec.retired:
            yield f"the id was retired ({spec.retired[item.id]}); take a new one", item.where


def constants_and_rules(spec: Spec) -> Said:
    """Check that rules use every constant, and name only constants that exist."""
    used: set[str] = set()
    for rule in spec.rules.values():
        used.update(rule.constants)
        for name in rule.constants:
            if name not in spec.constants:
                yield f"there is no constant {name}", rule.where
    for constant in spec.constants.values():
        if constant.id not in used:
            yield "no rule uses this constant", constant.where


def boundary_cases(spec: Spec, constant: str) -> dict[str, tuple[str, ...]]:
    """Return the ids of the cases at a constant's boundary and past it."""
    return {
        side: tuple(
            case.id
            for case in spec.cases.values()
            if any(b.constant == constant and b.side == side for b in case.boundary)
        )
        for side in ("at", "past")
    }


def boundaries(spec: Spec) -> Said:
    """Check that boundary constants have a case at and past them, and that the claims are true."""
    for constant in spec.constants.values():
        if constant.boundary:
            for side, cases in boundary_cases(spec, constant.id).items():
                if not cases:
                    yield f"no case stands {side} this boundary", constant.where
    for case in spec.cases.values():
        for boundary in case.boundary:
            constant = spec.constants.get(boundary.constant)
            if constant is None or not constant.boundary:
                yield f"{boundary.constant} is no boundary constant", case.where
                continue
            wanted = constant.value + (boundary.side == "past")
            for unit, argument in boundary.measure.items():
                yield from _measured(case, unit, argument, wanted)


def _measured(case: Case, unit: str, argument: str, wanted: int) -> Said:
    try:
        value = build(case.args.get(argument), Context.portable(case.clock))
    except BuilderError:
        return  # `unbuildable` says it
    if not isinstance(value, (str, bytes)):
        yield f"`measure` names {argument}, which is no text argument", case.where
        return
    got = measure(value, unit)
    if got != wanted:
        yield f"claims {wanted} {unit} of {argument}, has {got}", case.where


def measure(value: str | bytes, unit: str) -> int:
    """Return the size of a text or bytes in `units` (UTF-16), `lines` (LF-separated) or `bytes`."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if unit == "units":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    if unit == "lines":
        return text.count("\n") + (not text.endswith("\n") and text != "")
    return len(value if isinstance(value, bytes) else text.encode("utf-8", "surrogatepass"))


def unknown_names(spec: Spec) -> Said:
    """Check that the profiles and rules that are named exist."""
    for item in (*spec.constants.values(), *spec.rules.values(), *spec.cases.values()):
        for name in item.profiles or ():
            if name not in spec.profiles:
                yield f"there is no profile {name}", item.where
    for profile in spec.profiles.values():
        for rule in profile.excluded_rules:
            if rule not in spec.rules and rule not in spec.removed:
                yield f"profile {profile.name} excludes {rule}, which is no rule", Where()
    for rule in spec.rules.values():
        for evidence in rule.evidence:
            for name in evidence.rules:
                if name not in spec.rules:
                    yield f"is derived from {name}, which is no rule", rule.where


def adaptations(spec: Spec, owed: Mapping[str, tuple[str, ...]]) -> Said:
    """Check that the rules exist by which a port's adaptations are checked, and have cases.

    A rule of a chapter that has not landed is taken on trust.
    """
    coming = {rule for name, rules in owed.items() if name not in spec.chapters for rule in rules}
    for profile in spec.profiles.values():
        for row in profile.adaptations:
            said = f"profile {profile.name}, {row.mechanism}"
            cases = False
            for name in row.rules:
                rules = [rule for rule in spec.rules.values() if _is_part_of(rule.id, name)]
                if not rules and name not in coming:
                    yield f"{said}: there is no rule {name}", Where()
                cases = cases or name in coming or any(rule.cases for rule in rules)
            if not cases and row.excluded is None:
                yield f"{said}: neither a rule with cases nor a reason why there is none", Where()


def _is_part_of(rule_id: str, name: str) -> bool:
    return rule_id == name or (rule_id[:-1] == name and rule_id[-1].isalpha())


def uncited(spec: Spec, known: frozenset[str] | None) -> Said:
    """Check that what was observed cites observations, and that those exist."""
    for item in (*spec.rules.values(), *spec.constants.values()):
        for evidence in item.evidence:
            if evidence.grade == "observed" and not evidence.observations:
                yield "claims to be observed but cites no observation", item.where
            yield from _unknown_observations(evidence.observations, known, item.where)
    for case in spec.cases.values():
        yield from _unknown_observations(case.observations, known, case.where)


def _unknown_observations(
    cited: tuple[str, ...], known: frozenset[str] | None, where: Where
) -> Said:
    for name in cited:
        if known is not None and name not in known:
            yield f"cites observation {name}, which is not on record", where


def unbuildable(spec: Spec) -> Said:
    """Check that every builder builds, and that the arguments fit the op."""
    validators = {name: validator_of(op.args_schema) for name, op in spec.ops.items()}
    for case in spec.cases.values():
        kind = spec.ops[case.op].kind
        needs_tree, needs_model = kind is Kind.TREE, kind is Kind.MODEL
        if needs_tree != (case.tree is not None) and not needs_model:
            yield f"{case.op} takes {'a' if needs_tree else 'no'} tree", case.where
        if needs_model != (case.model is not None):
            yield f"{case.op} takes {'a' if needs_model else 'no'} model", case.where
        try:
            context = Context("/tree", clock_ms(case.clock))
            args = build_mapping(case.args, context)
            build_mapping(case.expect, context)
            for node in (case.tree or {}).values():
                build(node.get("file") if _is_plain_file(node) else node, context)
        except BuilderError as error:
            yield error.message, case.where
            continue
        for error in validators[case.op].iter_errors(to_wire(args)):
            yield f"args do not fit {case.op}: {error.message[:200]}", case.where


def _is_plain_file(node: Any) -> bool:
    return isinstance(node, dict) and "file" in node and not is_builder(node)


def repeated_questions(spec: Spec) -> Said:
    """Check that no two cases of a rule put the same question under the same profile."""
    seen: dict[str, Case] = {}
    for case in spec.cases.values():
        question = json.dumps(
            [case.rule, case.op, case.args, case.tree, case.model, case.clock, case.profiles],
            sort_keys=True,
        )
        if question in seen:
            yield f"asks what {seen[question].id} asks", case.where
        seen.setdefault(question, case)


def cells(spec: Spec) -> Said:
    """Check that the cases of a rule that stand in a table have its columns, and a cell each."""
    for rule in spec.rules.values():
        columns: list[str] = []
        taken: dict[tuple[str, ...], str] = {}
        for case in rule.cases:
            if case.cell is None:
                continue
            columns = columns or list(case.cell)
            if list(case.cell) != columns:
                others = ", ".join(columns)
                yield f"its cell has not the columns of the others: {others}", case.where
            first = taken.setdefault(tuple(case.cell.values()), case.id)
            if first != case.id:
                yield f"stands in the cell of {first}", case.where


def missing_rules(chapter: Chapter, owed: tuple[str, ...]) -> Iterator[str]:
    """Yield the owed rule ids that a chapter has neither whole nor split (`IDX-5` as `IDX-5a`)."""
    present = {rule.id for rule in chapter.rules}
    split = {rule_id.rstrip("abcdefghijklmnopqrstuvwxyz") for rule_id in present}
    for rule_id in owed:
        if rule_id not in present and rule_id not in split:
            yield rule_id


def owed_rules(spec: Spec, owed: Mapping[str, tuple[str, ...]]) -> Said:
    """Check that a chapter is in the inventory and has every rule that it owes."""
    for name, chapter in spec.chapters.items():
        if name not in owed:
            yield "the chapter is not in spec/inventory.yaml", Where(chapter.path)
        if chapter.status == "complete":
            for rule_id in missing_rules(chapter, owed.get(name, ())):
                yield f"the chapter owes rule {rule_id}", Where(chapter.path)
