"""`memassay prompts`: fingerprints of prompts, and a port's prompt held against one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from memassay.cli.options import described, format_option, schema_option
from memassay.cli.output import write, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memassay.prompts.fingerprint import Fingerprint

_FILE = click.Path(path_type=Path, dir_okay=False)
_SAME, _DIFFERENT = 0, 1


@click.group("prompts")
def command() -> None:
    """Compare a port's prompts with a baseline, word for word.

    The baseline's text is not needed, only its fingerprint. What may differ, and what a fingerprint
    gives away, is told in docs/prompts.md. Both commands print the JSON Schema of what they write
    with --schema.
    """


@command.command("fingerprint", **described(json="fingerprint"))
@click.argument("file", type=_FILE, metavar="FILE")
@click.option(
    "--prompt",
    required=True,
    metavar="ROLE",
    help="Which prompt it is: memory, selector, extractor, dream.",
)
@click.option("--of", required=True, metavar="WHOSE", help="Whose it is, with the version.")
@click.option(
    "--dynamic",
    "dynamic",
    multiple=True,
    metavar="NAME=TEXT",
    help="A value filled in at run time, and what stands for it in FILE; may be given again.",
)
@click.option("--tool", "tools", multiple=True, metavar="NAME", help="A tool that FILE names.")
@click.option(
    "--parameter", "parameters", multiple=True, metavar="NAME", help="A parameter that FILE names."
)
@click.option("--field", "fields", multiple=True, metavar="NAME", help="A field that FILE names.")
@click.option("--salt", metavar="HEX", help="The key of the hashes; a new one without it.")
@schema_option
def fingerprint(
    *,
    file: Path,
    prompt: str,
    of: str,
    dynamic: Sequence[str],
    tools: Sequence[str],
    parameters: Sequence[str],
    fields: Sequence[str],
    salt: str | None,
) -> None:
    """Write the fingerprint of the prompt in FILE, as JSON, to standard output.

    It holds no text: levels of headings, and a keyed hash for each line.
    """
    from memassay.cli.problem import as_usage  # noqa: PLC0415 (--help needs none of it)
    from memassay.prompts.fingerprint import dumps, make  # noqa: PLC0415 (as above)
    from memassay.prompts.lines import read_prompt  # noqa: PLC0415 (as above)
    from memassay.prompts.names import NameOf  # noqa: PLC0415 (as above)

    names = {NameOf.TOOL: tools, NameOf.PARAMETER: parameters, NameOf.FIELD: fields}
    with as_usage():
        values = _values(dynamic)
        text = read_prompt(file)
        printed = make(text, prompt=prompt, of=of, salt=salt, dynamic=values, names=names)
    write(dumps(printed))


def _values(dynamic: Sequence[str]) -> dict[str, str]:
    from memassay.cli.problem import Problem  # noqa: PLC0415 (--help needs none of it)

    values: dict[str, str] = {}
    for one in dynamic:
        name, equals, text = one.partition("=")
        if not equals:
            raise Problem(f"--dynamic {one}: there is no `=`", hint="like memory_dir=/home/me/m")
        if name in values:
            raise Problem(f"--dynamic {name} is given twice")
        values[name] = text
    return values


@command.command("check", **described(json="prompts"))
@click.option(
    "--baseline",
    required=True,
    metavar="FINGERPRINT",
    help="A file, or a name of one that memassay brings, such as 2.1.296/memory.",
)
@click.option(
    "--port", "file", required=True, type=_FILE, metavar="FILE", help="The port's prompt."
)
@click.option(
    "--substitutions",
    type=_FILE,
    metavar="FILE",
    help="What the port replaces, and what stands for dynamic values.",
)
@format_option("text", "json")
@schema_option
def check(*, baseline: str, file: Path, substitutions: Path | None, form: str) -> int:
    """Say whether a port's prompt is the baseline's but for the permitted replacements.

    Exit code 0: it is. 1: it is not, and the lines are named. 2: something is declared that is no
    permitted replacement, or a file cannot be used.
    """
    from memassay.cli.problem import as_usage  # noqa: PLC0415 (--help needs none of it)
    from memassay.prompts.check import check as compare  # noqa: PLC0415 (as above)
    from memassay.prompts.lines import read_prompt  # noqa: PLC0415 (as above)
    from memassay.prompts.substitutions import NOTHING, load  # noqa: PLC0415 (as above)
    from memassay.prompts.telling import as_json, in_words  # noqa: PLC0415 (as above)

    with as_usage():
        printed = _baseline(baseline)
        declared = NOTHING if substitutions is None else load(substitutions, printed)
        found = compare(printed, read_prompt(file), declared)
    if form == "json":
        write_json(as_json(found))
    else:
        write("\n".join(in_words(found)))
    return _SAME if found.same else _DIFFERENT


def _baseline(name: str) -> Fingerprint:
    from memassay.cli.problem import Problem  # noqa: PLC0415 (--help needs none of it)
    from memassay.prompts.fingerprint import load  # noqa: PLC0415 (as above)
    from memassay.spec.locate import prompts_root  # noqa: PLC0415 (as above)

    path = Path(name)
    if path.is_dir() or (not path.exists() and path.suffix != ".json"):
        root = prompts_root()
        stored = root / f"{name}.json"
        known = sorted(p.relative_to(root).with_suffix("").as_posix() for p in root.rglob("*.json"))
        if name not in known:
            hint = f"memassay brings {', '.join(known) or 'none'}"
            raise Problem(f"there is no fingerprint {name!r}", hint=hint)
        path = stored
    return load(path)
