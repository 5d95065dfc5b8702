"""Fingerprints: a prompt as the levels of its headings and a keyed hash for each line.

A fingerprint lets anyone see whether a text is the one that was fingerprinted, without holding it.
It is no secret: a short line can be guessed by trying. The salt, one for each fingerprint, only
prevents that guesses are computed once for all fingerprints (docs/prompts.md).
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from memassay.prompts.lines import marks, split, with_marks
from memassay.prompts.names import NAME, NameOf, name_places
from memassay.spec.documents import Document, read_text
from memassay.spec.errors import SpecError, Where
from memassay.spec.schemas import check_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from memassay.prompts.lines import Line

VERSION = 1
_SALT_BYTES = 16
_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*")
_SALT = re.compile(r"(?:[0-9a-f]{2}){16,}")


@frozen
class PrintedLine:
    """One line: the level of its heading or 0, its hash, the dynamic values in it, in order."""

    level: int
    hash: str
    dynamic: tuple[str, ...] = ()


@frozen
class Fingerprint:
    """What is known of a prompt: never its words.

    `prompt` is its role (`memory`, `selector`, …), `of` says whose it is, `salt` is hexadecimal,
    `dynamic` names the values that are filled in at run time, `names` the tools, parameters and
    fields that it names.
    """

    prompt: str
    of: str
    salt: str
    lines: tuple[PrintedLine, ...]
    dynamic: tuple[str, ...] = ()
    names: Mapping[NameOf, tuple[str, ...]] = field(factory=dict)

    def hash(self, text: str) -> str:
        """Return the hash that a marked line has under this fingerprint's salt."""
        return line_hash(self.salt, text)


def line_hash(salt: str, text: str) -> str:
    """Return the HMAC-SHA256 of a marked line as UTF-8, keyed with the salt (hexadecimal)."""
    return hmac.digest(bytes.fromhex(salt), text.encode(), "sha256").hex()


def new_salt() -> str:
    """Return a random salt."""
    return secrets.token_hex(_SALT_BYTES)


def make(
    text: str,
    *,
    prompt: str,
    of: str,
    salt: str | None = None,
    dynamic: Mapping[str, str] | None = None,
    names: Mapping[NameOf, Iterable[str]] | None = None,
) -> Fingerprint:
    """Return the fingerprint of a text as `read_prompt` gives it (PRM-2).

    `dynamic` maps the name of each dynamic value to the literal text that stands for it here.
    Raises `SpecError` for a value or name that is not in the text, or cannot be one.
    """
    values = dict(dynamic or {})
    if not _IDENTIFIER.fullmatch(prompt):
        raise SpecError(f"{prompt!r} is no name of a prompt", hint="like memory or selector")
    if not of.strip():
        raise SpecError("nobody is named whose prompt it is", hint="like claude-code 2.1.296")
    salt = new_salt() if salt is None else salt
    if not _SALT.fullmatch(salt):
        raise SpecError(f"{salt!r} is no salt", hint="16 bytes or more, in lower-case hexadecimal")
    _check_values(text, values)
    lines = split(with_marks(text, values))
    kept = {kind: tuple(sorted(set(words))) for kind, words in (names or {}).items()}
    for kind, words in kept.items():
        for word in words:
            _check_name(kind, word, lines)
    printed = (
        PrintedLine(line.level, line_hash(salt, line.text), marks(line.text)) for line in lines
    )
    return Fingerprint(prompt, of, salt, tuple(printed), tuple(sorted(values)), kept)


def _check_values(text: str, values: Mapping[str, str]) -> None:
    seen: dict[str, str] = {}
    for name, value in values.items():
        if not _IDENTIFIER.fullmatch(name):
            raise SpecError(f"{name!r} cannot name a dynamic value", hint="like memory_dir")
        if not value or value not in text:
            raise SpecError(f"the text does not hold {value!r}, which {name} is to stand for")
        if value in seen:
            raise SpecError(f"{name} and {seen[value]} are the same text, {value!r}")
        seen[value] = name


def _check_name(kind: NameOf, word: str, lines: Iterable[Line]) -> None:
    if not NAME.fullmatch(word):
        raise SpecError(f"{word!r} cannot be the name of a {kind}")
    if all(next(name_places(kind, word, line), None) is None for line in lines):
        raise SpecError(
            f"the text does not hold {word!r} as the name of a {kind}",
            hint="an ordinary word is the name of a parameter or field only in code",
        )


def dumps(printed: Fingerprint) -> str:
    """Return a fingerprint as JSON, a line of the file for each line of the prompt."""
    head = {
        "fingerprint": VERSION,
        "prompt": printed.prompt,
        "of": printed.of,
        "salt": printed.salt,
        "dynamic": list(printed.dynamic),
        "names": {kind.value: list(printed.names.get(kind, ())) for kind in NameOf},
    }
    rows = []
    for line in printed.lines:
        row: dict[str, Any] = {"level": line.level, "hash": line.hash}
        if line.dynamic:
            row["dynamic"] = list(line.dynamic)
        rows.append(f"    {json.dumps(row)}")
    opening = json.dumps(head, indent=2, ensure_ascii=False).removesuffix("\n}")
    lines = ",\n".join(rows)
    return f'{opening},\n  "lines": [\n{lines}\n  ]\n}}\n'


def load(path: Path) -> Fingerprint:
    """Read a fingerprint. Raises `SpecError` if the file is none."""
    text = read_text(path)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise SpecError(f"is not JSON: {error.msg}", Where(path, error.lineno)) from None
    except RecursionError:
        raise SpecError("is not JSON that can be read: nested too deeply", Where(path)) from None
    try:
        check_document(Document(path, value, {}), "fingerprint")
    except SpecError as error:
        hint = "`memassay prompts fingerprint` writes them"
        raise SpecError(error.message, error.where, hint=hint) from None
    lines = tuple(
        PrintedLine(line["level"], line["hash"], tuple(line.get("dynamic", ())))
        for line in value["lines"]
    )
    dynamic = tuple(value["dynamic"])
    for number, line in enumerate(lines, 1):
        for name in line.dynamic:
            if name not in dynamic:
                raise SpecError(f"line {number} holds {name}, which is not declared", Where(path))
    names = {NameOf(kind): tuple(words) for kind, words in value["names"].items()}
    return Fingerprint(value["prompt"], value["of"], value["salt"], lines, dynamic, names)
