"""Protocol version 1 as text: what stands on a line, and whether it is a message at all.

The law is `spec/schema/messages/*.schema.json`. Checking an answer with a JSON Schema library costs
more than everything else that happens to it, so the common, valid message is recognised by the
plain functions `is_answer` and `is_started`, which say exactly what the schemas say (a test holds
them together), and the library is only asked to put into words what is wrong with the others.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeGuard

from memassay.adapter.messages import (
    PROTOCOL,
    Errored,
    Fault,
    FaultKind,
    Implementation,
    Result,
    Skipped,
    Started,
)
from memassay.spec.schemas import validator
from memassay.spec.wire import MOST_DEEP, NestedError, parse_json, to_wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memassay.adapter.connection import Arrival
    from memassay.adapter.messages import Answer, Request

_SHOWN_CHARACTERS = 160


class MessageError(ValueError):
    """A line is no message: its text says why. `kind` says whether it was even a JSON object."""

    def __init__(self, message: str, kind: FaultKind = FaultKind.BAD_MESSAGE) -> None:
        super().__init__(message)
        self.kind = kind


# --- from the runner ------------------------------------------------------------------------------

_encode = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, separators=(",", ":"), check_circular=False, default=to_wire
).encode


def encode(message: Mapping[str, Any]) -> bytes:
    """Return `message` as one line of ASCII.

    Bytes become `{"$bytes": base64}`; text that is no valid Unicode keeps its escapes.
    """
    return _encode(message).encode("ascii") + b"\n"


def start_line(profile: str) -> bytes:
    """Return the `start` message for one profile."""
    return _checked("start", {"cmd": "start", "protocol": PROTOCOL, "profile": profile})


def run_line(request: Request) -> bytes:
    """Return the `run` message of one request.

    Raises `ValueError` if it is none that the schema allows: then the fault is the examiner's.
    """
    message = {"cmd": "run", "id": request.id, "op": request.op, "args": request.args}
    return encode(message) if is_run(message) else _checked("run", message)


STOP_LINE = b'{"cmd":"stop"}\n'
"""The `stop` message."""


def is_run(message: Mapping[str, Any]) -> bool:
    """Return whether a message with the keys of `run` is one, as its schema says."""
    return (
        message["cmd"] == "run"
        and _is_integer(message["id"])
        and message["id"] >= 1
        and _is_name(message["op"])
        and isinstance(message["args"], dict)
    )


def _checked(name: str, message: dict[str, Any]) -> bytes:
    problem = complaint(name, message)
    if problem is not None:
        raise ValueError(f"memassay made a bad `{name}` message: {problem}")
    return encode(message)


# --- from the adapter -----------------------------------------------------------------------------


def parse_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object on a line (without its LF).

    Raises `MessageError` of kind `GARBAGE` if the line is not UTF-8, not JSON, or no object.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _garbage(f"a line that is not UTF-8 (byte {error.start})", line) from None
    try:
        message = parse_json(text)
    except NestedError:
        raise _garbage(f"a line of JSON nested more than {MOST_DEEP} deep", line) from None
    except ValueError as error:
        if not text.strip():
            raise _garbage("an empty line", line) from None
        why = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise _garbage(f"a line that is not JSON ({why})", line) from None
    if not isinstance(message, dict):
        raise _garbage("a line of JSON that is not an object", line)
    return message


def _garbage(what: str, line: bytes) -> MessageError:
    return MessageError(f"{what}: {shown(line)}", FaultKind.GARBAGE)


def decode_started(line: bytes) -> Started:
    """Return what an adapter says about itself.

    Raises `MessageError` if the line is no `started` message of our version of the protocol.
    """
    message = parse_object(line)
    if not is_started(message):
        version = message.get("protocol", PROTOCOL)
        if _is_integer(version) and version != PROTOCOL:
            raise MessageError(
                f"it speaks protocol version {int(version)}; this memassay speaks {PROTOCOL}"
            )
        raise MessageError(complaint("started", message) or "it is no `started` message")
    about = message["implementation"]
    return Started(
        implementation=Implementation(
            name=about["name"],
            version=about.get("version"),
            language=about.get("language"),
            homepage=about.get("homepage"),
            targets=tuple(about.get("targets", ())),
        ),
        ops=tuple(message["ops"]),
    )


def decode_answer(line: bytes) -> Arrival:
    """Return the id on a line and the answer; never raises.

    A message that its schema refuses is a `Fault`, with the id if that much can be read.
    """
    try:
        message = parse_object(line)
    except MessageError as error:
        return None, Fault(error.kind, str(error))
    if is_answer(message):
        return int(message["id"]), read_answer(message)
    number = message.get("id")
    problem = complaint("answer", message) or "it is no `answer` message"
    fault = Fault(FaultKind.BAD_MESSAGE, f"a bad answer: {problem}")
    return (int(number) if _is_integer(number) else None), fault


def read_answer(message: Mapping[str, Any]) -> Answer:
    """Return the answer in a message that `is_answer`."""
    if "result" in message:
        return Result(message["result"])
    if "skipped" in message:
        return Skipped(message["skipped"]["reason"], message["skipped"].get("issue_url"))
    return Errored(message["error"]["code"], message["error"]["message"])


def is_answer(message: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is an `answer`, exactly as its schema says."""
    if len(message) != 2 or not _is_integer(message.get("id")):  # noqa: PLR2004 (id, and one more)
        return False
    if "result" in message:
        return isinstance(message["result"], dict)
    if "error" in message:
        error = message["error"]
        return (
            isinstance(error, dict)
            and error.keys() == {"code", "message"}
            and _is_name(error["code"])
            and isinstance(error["message"], str)
        )
    skipped = message.get("skipped")
    return (
        isinstance(skipped, dict)
        and skipped.keys() <= {"reason", "issue_url"}
        and _is_name(skipped.get("reason"))
        and _is_text_or_null(skipped.get("issue_url"))
    )


def is_started(message: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is a `started` message, exactly as its schema says."""
    if message.keys() != {"protocol", "implementation", "ops"}:
        return False
    protocol, about, ops = message["protocol"], message["implementation"], message["ops"]
    return (
        _is_integer(protocol)
        and protocol == PROTOCOL
        and isinstance(about, dict)
        and about.keys() <= {"name", "version", "language", "homepage", "targets"}
        and _is_name(about.get("name"))
        and all(_is_text_or_null(about.get(key)) for key in ("version", "language", "homepage"))
        and isinstance(about.get("targets", []), list)
        and all(isinstance(target, str) for target in about.get("targets", ()))
        and isinstance(ops, list)
        and all(_is_name(op) for op in ops)
        and len(set(ops)) == len(ops)
    )


def _is_integer(value: Any) -> TypeGuard[int | float]:
    """As JSON Schema has it: 17.0 is an integer, true is none."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_text_or_null(value: Any) -> bool:
    return value is None or isinstance(value, str)


# --- in words -------------------------------------------------------------------------------------


def complaint(name: str, message: Any) -> str | None:
    """Return what the schema of one message says against `message`, or None if nothing."""
    errors = sorted(validator(f"messages/{name}").iter_errors(message), key=_weight)
    return "; ".join(_in_words(error) for error in errors[:3]) or None


def _weight(error: Any) -> tuple[bool, str]:
    """Unknown and missing keys first: they usually explain the rest."""
    return error.validator not in ("additionalProperties", "required"), error.json_path


def _in_words(error: Any) -> str:
    place = error.json_path.removeprefix("$").lstrip(".")
    at = f"{place}: " if place else ""
    if error.validator == "additionalProperties":
        extra = sorted(error.instance.keys() - error.schema["properties"].keys())
        noun = "key" if len(extra) == 1 else "keys"
        return f"{at}unknown {noun} {', '.join(shown(key) for key in extra[:5])}"
    if error.validator == "oneOf":
        options = [option["required"][0] for option in error.validator_value]
        present = [key for key in options if key in error.instance]
        has = f"has {' and '.join(present)}" if present else "has none of them"
        return f"{at}needs exactly one of {', '.join(options)}; {has}"
    if error.validator == "minLength":
        return f"{at}is empty"
    if error.validator == "type":
        wanted = error.validator_value
        wanted = wanted if isinstance(wanted, str) else " or ".join(wanted)
        return f"{at}is {shown(error.instance)}, not of type {wanted}"
    return f"{at}{shorten(error.message)}"


def shown(value: Any) -> str:
    """Return a value as a message may quote it: one line, short, nothing invisible."""
    if isinstance(value, bytes):
        value = value[: _SHOWN_CHARACTERS + 1].decode("utf-8", "backslashreplace")
    elif not isinstance(value, str):
        return shorten(ascii(value))
    return shorten(ascii(value[: _SHOWN_CHARACTERS + 1]))


def shorten(text: str) -> str:
    """Return `text`, cut with an ellipsis if it is long."""
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
