"""Reading cassettes: vcrpy's YAML, and a manifest that says where each comes from.

A cassette is refused, with the reason, if anything about it is doubtful: it is what verdicts rest
on.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from attrs import evolve, field, frozen

from memassay.replay.formats import format_of
from memassay.replay.messages_api import recorded_reply
from memassay.replay.playback import Exchange
from memassay.replay.reply import Written
from memassay.spec.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MANIFEST = "manifest.yaml"
MOST_BYTES = 64 * 1024 * 1024
"""The largest cassette that is read."""


@frozen
class CassetteError(Exception):
    """A recording cannot be played: which one, and why."""

    name: str
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        """Render as `cassette NAME: why`, and what to do."""
        text = f"cassette {self.name}: {self.message}"
        return f"{text}\n  {self.hint}" if self.hint else text


@frozen
class Entry:
    """What the manifest says of a cassette (`spec/schema/cassettes.schema.json`)."""

    name: str
    about: str
    recorded: Mapping[str, str]
    bytes: int
    sha256: str
    plays: Mapping[int, Mapping[str, int]] = field(factory=dict)


@frozen
class Cassette:
    """A recording: its exchanges in order, and its entry in the manifest if it has one."""

    name: str
    exchanges: tuple[Exchange, ...]
    entry: Entry | None = None


def stored(name: str) -> Cassette:
    """Return the cassette of that name among those that memassay brings."""
    from memassay.spec.locate import cassettes_root  # noqa: PLC0415 (found when it is needed)

    try:
        root = cassettes_root()
    except SpecError as error:
        raise CassetteError(name, error.message, error.hint) from None
    return _stored(root, name)


@cache
def _stored(root: Path, name: str) -> Cassette:
    return load(root, name)


def load(root: Path, name: str) -> Cassette:
    """Return a cassette of a directory with a manifest, checked against its entry."""
    known = entries(root)
    if name not in known:
        from difflib import get_close_matches  # noqa: PLC0415 (only errors need it)

        near = get_close_matches(name, known, 3, 0.4) or sorted(known)[:5]
        raise CassetteError(name, "is not in the manifest", f"there are: {', '.join(near)}")
    entry, path = known[name], root / f"{name}.yaml"
    content = _content(path, name)
    if len(content) < entry.bytes:
        raise CassetteError(
            name, f"is cut off: {len(content):,} bytes of {entry.bytes:,}", "get the file again"
        )
    digest = hashlib.sha256(content).hexdigest()
    if digest != entry.sha256:
        raise CassetteError(
            name,
            f"was edited: its sha256 is {digest}, the manifest says {entry.sha256}",
            "record it again (`nox -s record`); a recording is not changed by hand",
        )
    exchanges = tuple(_exchanges(content, name, entry.plays))
    return Cassette(name, exchanges, entry)


def load_file(path: Path) -> Cassette:
    """Return a cassette of anybody's: no manifest vouches for it."""
    name = path.stem
    return Cassette(name, tuple(_exchanges(_content(path, name), name, {})))


def entries(root: Path) -> dict[str, Entry]:
    """Return the manifest of a directory of cassettes, by name."""
    from memassay.spec.cache import load_document  # noqa: PLC0415 (a reader of YAML)

    try:
        raw = load_document(root / MANIFEST, "cassettes").value
    except SpecError as error:
        raise CassetteError(MANIFEST, str(error)) from None
    return {
        one["name"]: Entry(
            one["name"],
            one["about"],
            one["recorded"],
            one["bytes"],
            one["sha256"],
            {
                play["interaction"]: {k: v for k, v in play.items() if k != "interaction"}
                for play in one.get("plays", ())
            },
        )
        for one in raw["cassettes"]
    }


def _content(path: Path, name: str) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CassetteError(name, f"is larger than {MOST_BYTES:,} bytes")
        return path.read_bytes()
    except OSError as error:
        raise CassetteError(
            name, f"cannot be read: {error.strerror}", "`memassay replay --list` shows them all"
        ) from None


def _exchanges(
    content: bytes, name: str, plays: Mapping[int, Mapping[str, int]]
) -> Iterator[Exchange]:
    seen: dict[tuple[str, str, bytes], int] = {}
    interactions = list(_interactions(content, name))
    for index in plays:
        if index >= len(interactions):
            raise CassetteError(MANIFEST, f"plays interaction {index} of {name}: there is none")
    for index, (request, response) in enumerate(interactions):
        key = (request["method"], request["uri"], _bytes(request))
        if key in seen:
            raise CassetteError(
                name,
                f"interactions {seen[key]} and {index} have the same request: which answer is "
                "meant cannot be told",
            )
        seen[key] = index
        exchange = _exchange(name, index, request, response)
        yield evolve(exchange, reply=evolve(exchange.reply, **plays.get(index, {})))


def _interactions(content: bytes, name: str) -> Iterator[tuple[Any, Any]]:
    """Yield request and response of every interaction; raise `CassetteError` for other things."""
    from ruamel.yaml import YAML, YAMLError  # noqa: PLC0415 (slow to import)

    try:
        value = YAML(typ="safe").load(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise CassetteError(name, f"is no UTF-8 from byte {error.start:,} on") from None
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = "" if mark is None else f" (line {mark.line + 1})"
        raise CassetteError(name, f"is no YAML{line}: it is cut off or damaged") from None
    interactions = value.get("interactions") if isinstance(value, dict) else None
    if not isinstance(interactions, list) or not interactions:
        raise CassetteError(name, "has no interactions; vcrpy writes a list of that name")
    for index, one in enumerate(interactions):
        if not _is_whole(one):
            raise CassetteError(
                name, f"interaction {index} has not the parts of one: it is damaged"
            )
        yield one["request"], one["response"]


def _is_whole(interaction: Any) -> bool:
    try:
        request, response = interaction["request"], interaction["response"]
        return (
            isinstance(request["method"], str)
            and isinstance(request["uri"], str)
            and isinstance(request["body"], str | bytes | None)
            and isinstance(response["body"]["string"], str | bytes)
            and isinstance(response["status"]["code"], int)
            and isinstance(response.get("headers") or {}, dict)
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _exchange(
    name: str, index: int, request: Mapping[str, Any], response: Mapping[str, Any]
) -> Exchange:
    headers = {
        str(key).lower(): str(value[0] if isinstance(value, list) and value else value)
        for key, value in (response.get("headers") or {}).items()
    }
    encoding = headers.get("content-encoding", "identity")
    if encoding != "identity":
        raise CassetteError(
            name,
            f"the answer of interaction {index} has the encoding {encoding!r}",
            "record it again with decode_compressed_response=True",
        )
    body = response["body"]["string"]
    body = body.encode() if isinstance(body, str) else body
    length = headers.get("content-length")
    if length is not None and length != str(len(body)):
        raise CassetteError(
            name,
            f"the answer of interaction {index} is cut off: {len(body):,} bytes of {length}",
        )
    kind = headers.get("content-type", "application/json")
    stream = kind.partition(";")[0].strip() == "text/event-stream"
    path = urlsplit(request["uri"]).path
    wire = format_of(path)
    if wire is None:
        raise CassetteError(name, f"interaction {index} goes to {path}, which is no model")
    try:
        reply = recorded_reply(Written(response["status"]["code"], kind, body, stream))
        asked = wire.read(json.loads(_bytes(request)))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise CassetteError(name, f"interaction {index} is damaged: {error}") from None
    return Exchange(reply, asked)


def _bytes(request: Mapping[str, Any]) -> bytes:
    body = request["body"]
    if isinstance(body, str):
        return body.encode()
    return body if isinstance(body, bytes) else b""
