"""A spec of a few rules, and implementations that obey or break it, for the judge's tests."""

from pathlib import Path

from memassay.adapter.connect import connect_callable
from memassay.spec.errors import Where
from memassay.spec.models import Case, Chapter, Kind, Level, Op, Profile, Rule, Spec

DIGEST = "sha256:" + "5" * 64


def result_schema(**properties):
    return {
        "type": "object",
        "required": sorted(properties),
        "additionalProperties": False,
        "properties": properties,
    }


SHOUT = Op(
    name="shout",
    kind=Kind.PURE,
    chapter="shout",
    description="Upper case.",
    args_schema={"type": "object"},
    result_schema=result_schema(text={"type": ["string", "object"]}),
    nulls={
        "nothing": {"text": ""},
        "echo": {"text": {"$arg": "text"}},
        "everything": {"text": {"$arg": "text"}},
    },
)
NOTE = Op(
    name="note",
    kind=Kind.TREE,
    chapter="note",
    description="Writes a file, answers with its path.",
    args_schema={"type": "object"},
    result_schema=result_schema(file={"type": ["string", "null"], "pattern": "^/"}),
    nulls={name: {"file": {"$arg": "file"}} for name in ("nothing", "echo", "everything")},
)


def case(case_id, op, rule, level, args, expect, **more):  # noqa: PLR0917 (a table of cases)
    return Case(
        id=case_id,
        op=op.name,
        args=args,
        expect=expect,
        why="arithmetic",
        chapter=op.chapter,
        rule=rule,
        level=level,
        where=Where(Path("spec.yaml"), 7, case_id),
        **more,
    )


CASES = (
    case("sh-ascii", SHOUT, "SH-1", Level.MUST, {"text": "abc"}, {"text": "ABC"}),
    case("sh-done", SHOUT, "SH-1", Level.MUST, {"text": "ABC"}, {"text": "ABC"}),
    case("sh-should", SHOUT, "SH-2", Level.SHOULD, {"text": "ß"}, {"text": "SS"}),
    case("sh-may", SHOUT, "SH-3", Level.MAY, {"text": "ŉ"}, {"text": {"length_utf16": 2}}),
    case("sh-empty", SHOUT, "SH-4", Level.MUST, {"text": ""}, {"error": {"code": "empty"}}),
    case(
        "no-write",
        NOTE,
        "NO-1",
        Level.MUST,
        {"file": {"path": "d/new.md"}, "text": "hi"},
        {"file": {"path": "d/new.md"}, "tree": {"d/new.md": "hi", "*": "untouched"}},
        tree={"d/old.md": "old"},
    ),
    case(
        "no-keep",
        NOTE,
        "NO-2",
        Level.MUST,
        {"file": {"path": "d/old.md"}, "text": "hi"},
        {"file": {"path": "d/old.md"}, "tree": {"d/old.md": "untouched"}},
        tree={"d/old.md": "old"},
    ),
)


def make_spec(cases=CASES, digest=DIGEST, version="2.1.296"):
    chapters = {}
    for op in (SHOUT, NOTE):
        own = [c for c in cases if c.chapter == op.chapter]
        rules = {}
        for c in own:
            rules.setdefault(c.rule, []).append(c)
        chapters[op.chapter] = Chapter(
            name=op.chapter,
            title=op.chapter,
            status="complete",
            intro="",
            rules=tuple(
                Rule(name, members[0].level, name, op.chapter, cases=tuple(members))
                for name, members in rules.items()
            ),
            path=Path("spec.yaml"),
        )
    return Spec(
        version=version,
        constants={},
        chapters=chapters,
        ops={"shout": SHOUT, "note": NOTE},
        profiles={"claude-code": Profile("claude-code", "the client", version, "")},
        retired={},
        digest=digest,
    )


def obey(op, args, _="claude-code"):
    """Do what the mini spec says."""
    if op == "shout":
        if not args["text"]:
            return {"error": {"code": "empty", "message": "nothing to shout"}}
        return {"result": {"text": args["text"].upper()}}
    file = Path(args["file"])
    if not file.exists():
        file.write_text(args["text"])
    return {"result": {"file": str(file)}}


def connect_to(answering, ops=("shout", "note"), name="mini"):
    about = {"name": name, "version": "1", "language": None, "homepage": None, "targets": []}
    return connect_callable(answering, implementation=about, ops=ops)
