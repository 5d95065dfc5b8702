"""From the files of one client version to a `Spec`, with errors that name file, line and id."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from memassay.spec.cache import load_document
from memassay.spec.errors import SpecError
from memassay.spec.locate import DEFAULT_VERSION, spec_root
from memassay.spec.models import (
    Adaptation,
    Boundary,
    Case,
    Chapter,
    Constant,
    Evidence,
    Grade,
    Kind,
    Level,
    Op,
    Profile,
    Rule,
    Spec,
)
from memassay.spec.overlay import chapter_files, laid_over, lineage, removed_rules, without
from memassay.spec.schemas import bundled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from memassay.spec.documents import Document, Step
    from memassay.spec.errors import Where


def load_spec(version: str = DEFAULT_VERSION, root: Path | None = None) -> Spec:
    """Read everything known about a client version.

    `root` is a directory like `spec/`; the installed one by default. Raises `SpecError` for the
    first file that is damaged, disagrees with its schema, repeats an id or names an unknown op.
    """
    base = spec_root() if root is None else root
    folders = lineage(version, base)
    profile_paths = sorted((base / "profiles").glob("*.yaml"))
    ops = _ops(base / "schema" / "ops")
    chapters: dict[str, Chapter] = {}
    constants: dict[str, Constant] = {}
    removed: dict[str, str] = {}
    for folder in folders:
        chapters = without(chapters, removed_rules(folder))
        removed |= removed_rules(folder)
        for path in chapter_files(folder):
            chapter = _chapter(load_document(path, "chapter"))
            _refuse_repeated_ids([chapter])
            chapters[chapter.name] = laid_over(chapters.get(chapter.name), chapter)
        if (folder / "constants.yaml").is_file():
            constants |= _constants(load_document(folder / "constants.yaml", "constants"))
    spec = Spec(
        version=version,
        constants=constants,
        chapters=dict(sorted(chapters.items())),
        ops=ops,
        profiles=_profiles(load_document(path, "profile") for path in profile_paths),
        retired=_retired(load_document(base / "retired.yaml", "retired")),
        removed=removed,
        digest=_digest(base, folders),
    )
    _refuse_repeated_ids(spec.chapters.values())
    _refuse_unknown_ops(spec.chapters.values(), ops)
    return spec


def _digest(base: Path, folders: Iterable[Path]) -> str:
    """Return the sha256 over every file that a verdict depends on, by name and content."""
    digest = hashlib.sha256()
    files = [path for folder in folders for path in folder.rglob("*.yaml")]
    files += [*(base / "schema" / "ops").glob("*.json")]
    files += [*(base / "profiles").glob("*.yaml"), *(base / "schema").glob("session.schema.json")]
    # The manifest has the digest of every cassette.
    files += [path for path in [base.parent / "cassettes" / "manifest.yaml"] if path.is_file()]
    for path in sorted(files):
        content = path.read_bytes()
        name = path.relative_to(base.parent if path.name == "manifest.yaml" else base)
        digest.update(f"{name.as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return f"sha256:{digest.hexdigest()}"


def _constants(document: Document) -> dict[str, Constant]:
    found: dict[str, Constant] = {}
    for index, raw in enumerate(document.value["constants"]):
        where = document.where(["constants", index], raw["id"])
        if raw["id"] in found:
            raise SpecError(f"the constant {raw['id']} is there twice", where)
        found[raw["id"]] = Constant(
            id=raw["id"],
            value=raw["value"],
            unit=raw["unit"],
            text=raw["text"],
            boundary=raw.get("boundary", False),
            profiles=_names_or_none(raw, "profiles"),
            evidence=_evidence(raw),
            where=where,
        )
    return found


def _chapter(document: Document) -> Chapter:
    raw = document.value
    if raw["chapter"] != document.path.stem:
        raise SpecError(
            f"the chapter is called {raw['chapter']}, its file is not",
            document.where(["chapter"]),
            hint=f"chapter: {document.path.stem}",
        )
    rules = (
        _rule(document, ["rules", index], raw_rule) for index, raw_rule in enumerate(raw["rules"])
    )
    return Chapter(
        name=raw["chapter"],
        title=raw["title"],
        status=raw["status"],
        intro=raw["intro"].strip(),
        missing=raw.get("missing"),
        rules=tuple(rules),
        path=document.path,
    )


def _rule(document: Document, steps: list[Step], raw: Mapping[str, Any]) -> Rule:
    level = Level(raw["level"])
    chapter = document.value["chapter"]
    cases = (
        _case(document, [*steps, "cases", index], raw_case, (chapter, raw["id"], level))
        for index, raw_case in enumerate(raw.get("cases", ()))
    )
    return Rule(
        id=raw["id"],
        level=level,
        text=raw["text"].strip(),
        chapter=chapter,
        why=raw.get("why"),
        constants=tuple(raw.get("constants", ())),
        evidence=_evidence(raw),
        mistakes=tuple(raw.get("mistakes", ())),
        disputed=raw.get("disputed"),
        profiles=_names_or_none(raw, "profiles"),
        excluded=raw.get("excluded"),
        cases=tuple(cases),
        where=document.where(steps, raw["id"]),
    )


def _case(
    document: Document,
    steps: list[Step],
    raw: Mapping[str, Any],
    owner: tuple[str, str, Level],
) -> Case:
    chapter, rule, level = owner
    return Case(
        id=raw["id"],
        op=raw["op"],
        args=raw["args"],
        expect=raw["expect"],
        why=raw["why"].strip(),
        chapter=chapter,
        rule=rule,
        level=level,
        tree=raw.get("tree"),
        clock=raw.get("clock"),
        boundary=tuple(
            Boundary(entry["constant"], entry["side"], entry.get("measure", {}))
            for entry in raw.get("boundary", ())
        ),
        profiles=_names_or_none(raw, "profiles"),
        observations=tuple(raw.get("observations", ())),
        requires=tuple(raw.get("requires", ())),
        model=raw.get("model"),
        cell=raw.get("cell"),
        where=document.where(steps, raw["id"]),
    )


def _evidence(raw: Mapping[str, Any]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            grade=Grade(entry["grade"]),
            client=entry.get("client"),
            observations=tuple(entry.get("observations", ())),
            source=entry.get("source"),
            section=entry.get("section"),
            url=entry.get("url"),
            rules=tuple(entry.get("from", ())),
        )
        for entry in raw["evidence"]
    )


def _names_or_none(raw: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    return tuple(raw[key]) if key in raw else None


def _profiles(documents: Iterable[Document]) -> dict[str, Profile]:
    found = {}
    for document in documents:
        raw = document.value
        if raw["profile"] != document.path.stem:
            raise SpecError(
                f"the profile is called {raw['profile']}, its file is not",
                document.where(["profile"]),
            )
        found[raw["profile"]] = Profile(
            name=raw["profile"],
            title=raw["title"],
            client=raw["client"],
            about=raw["about"].strip(),
            excluded_rules={e["rule"]: e["reason"] for e in raw.get("excluded_rules", ())},
            adaptations=tuple(
                Adaptation(**{**row, "rules": tuple(row.get("rules", ()))})
                for row in raw.get("adaptations", ())
            ),
        )
    return found


def _retired(document: Document) -> dict[str, str]:
    return {entry["id"]: entry["reason"] for entry in document.value["retired"]}


def _ops(directory: Path) -> dict[str, Op]:
    found = {}
    for path in sorted(directory.glob("*.json")):  # JSON is YAML, so one reader does for both
        document = load_document(path, "op")
        raw = document.value
        if raw["title"] != path.stem:
            raise SpecError(
                f"the op is called {raw['title']}, its file is not", document.where(["title"])
            )
        found[raw["title"]] = Op(
            name=raw["title"],
            kind=Kind(raw["x-kind"]),
            chapter=raw["x-chapter"],
            description=raw["description"],
            args_schema=bundled(raw["properties"]["args"]),
            result_schema=bundled(raw["properties"]["result"]),
            nulls=raw["x-nulls"],
        )
    return found


def _refuse_repeated_ids(chapters: Iterable[Chapter]) -> None:
    seen: dict[str, Where] = {}
    for chapter in chapters:
        for rule in chapter.rules:
            for item in (rule, *rule.cases):
                if item.id in seen:
                    raise SpecError(
                        "this id is there twice", item.where, hint=f"first at {seen[item.id]}"
                    )
                seen[item.id] = item.where


def _refuse_unknown_ops(chapters: Iterable[Chapter], ops: Mapping[str, Op]) -> None:
    for chapter in chapters:
        for rule in chapter.rules:
            for case in rule.cases:
                if case.op not in ops:
                    raise SpecError(
                        f"there is no op {case.op!r}",
                        case.where,
                        hint=f"there are: {', '.join(ops) or 'none'}",
                    )
