"""The selector: a small question to a model, which topics help with what the user asks.

Chapter selector. The rules are about four things: when it is asked at all (SEL-4), what it is sent
(SEL-1, SEL-2, SEL-8), what is made of its answer (SEL-3, SEL-5, SEL-7), and what happens where the
model cannot promise a structured answer (SEL-6).
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from memassay.spec import constants
from memassay_reference import layout, model_calls, prompts
from memassay_reference.js_text import has_inner_whitespace
from memassay_reference.topics import manifest_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from memassay_reference.model_calls import Answer, Failure

    Ask = Callable[[Mapping[str, Any]], Awaitable[Answer | Failure]]

KEY = "selected_memories"

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {KEY: {"type": "array", "items": {"type": "string"}}},
    "required": [KEY],
    "additionalProperties": False,
}
"""The schema of the answer, keys in this order (SEL-1)."""

TOOL = "select_memories"
"""The tool whose input takes the place of a structured answer (SEL-6)."""

TOOL_SENTENCE = (
    "Call the select_memories tool exactly once with the JSON object you would otherwise return."
)
"""What the prompt then ends in (SEL-6)."""

UNSUPPORTED = 400
"""The status by which the API says that it does not know a parameter."""


@frozen
class Selection:
    """What came of a question: the files, best first, and whether the user is warned."""

    files: tuple[str, ...] = ()
    warning: bool = False
    started: bool = True


NOTHING = Selection(started=False)
FAILED = Selection(warning=True)
SILENT = Selection()


def starts(query: str) -> bool:
    """Return whether a query is worth asking: one word is not, in any script (SEL-4)."""
    return has_inner_whitespace(query)


def parse(text: str | None) -> list[str] | None:
    """Return the names in the text of an answer, or None if it does not fit the schema (SEL-5)."""
    if not text:
        return None
    try:
        return valid(json.loads(text))
    except (ValueError, RecursionError):
        return None


def valid(value: Any) -> list[str] | None:
    """Return the names in an answer that fits the schema, else None: nothing is made to fit."""
    if not isinstance(value, dict) or value.keys() != {KEY}:
        return None
    names = value[KEY]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    return names


def choose(names: Sequence[str], candidates: Collection[str], used: Collection[str]) -> list[str]:
    """Return the files that an answer chooses: candidates, each once, five at most (SEL-2, SEL-3).

    `used` are those that are not to be recalled again (SEL-7) or that the agent has read (SEL-8).
    """
    chosen: dict[str, None] = {}
    for name in names:
        file = name if name in candidates else without_type(name)
        if file in candidates and file not in used:
            chosen[file] = None
        if len(chosen) == constants()["selector_max_names"]:
            break
    return list(chosen)


def without_type(name: str) -> str:
    """Return a name without the `[type] ` that the catalog writes before it (SEL-3)."""
    for known in layout.TYPES:
        if name.startswith(f"[{known}] "):
            return name.removeprefix(f"[{known}] ")
    return name


@define
class Selector:
    """A selector with its history on one branch of a session.

    `native` is whether the model is known to take a schema for its answer.
    """

    model: str
    session_id: str
    native: bool = True
    history: list[tuple[str, list[str]]] = Factory(list)
    chosen: set[str] = Factory(set)

    async def select(
        self,
        ask: Ask,
        query: str,
        topics: Sequence[Mapping[str, Any]],
        read: Collection[str] = (),
    ) -> Selection:
        """Ask which topics help with `query`. `read` are files that the agent knows unchanged."""
        if not starts(query):
            return NOTHING
        native = self.native
        answer = await ask(self.request(query, topics, native=native))
        if native and isinstance(answer, model_calls.Failure) and answer.status == UNSUPPORTED:
            native = False
            answer = await ask(self.request(query, topics, native=False))
        if isinstance(answer, model_calls.Failure):
            return SILENT if answer.aborted else FAILED
        names = None if answer.length_stop else _names(answer, native=native)
        if names is None:
            return FAILED
        self.native = native
        files = choose(names, {topic["path"] for topic in topics}, {*self.chosen, *read})
        self.history.append((query, names))
        self.chosen.update(files)
        return Selection(tuple(files))

    def request(
        self, query: str, topics: Sequence[Mapping[str, Any]], *, native: bool
    ) -> dict[str, Any]:
        """Return the request: prompt, catalog, the questions and answers so far, this question.

        What stays the same comes first, so that the provider's cache can keep it (SEL-8).
        """
        prompt = prompts.load("selector")
        catalog = "\n".join(manifest_line(dict(topic)) for topic in topics)
        messages: list[dict[str, Any]] = []
        for asked, names in self.history:
            messages.append(_message("user", asked))
            messages.append(_message("assistant", json.dumps({KEY: names}, ensure_ascii=False)))
        messages.append(_message("user", query))
        messages[0]["content"].insert(
            0, {"type": "text", "text": catalog, "cache_control": model_calls.SHORT}
        )
        messages[-1]["content"][-1]["cache_control"] = model_calls.SHORT
        return {
            "model": self.model,
            "max_tokens": constants()["selector_max_tokens"],
            "system": [
                {
                    "type": "text",
                    "text": prompt if native else f"{prompt}\n\n{TOOL_SENTENCE}",
                    "cache_control": model_calls.SHORT,
                }
            ],
            "messages": messages,
            "metadata": {"user_id": self.session_id},
            **(_NATIVE if native else _TOOL),
        }


_NATIVE = {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}
_TOOL = {
    "tools": [{"name": TOOL, "description": "Takes your choice.", "input_schema": SCHEMA}],
    "tool_choice": {"type": "tool", "name": TOOL},
}


def _message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}]}


def _names(answer: Answer, *, native: bool) -> list[str] | None:
    if native:
        return parse(answer.text)
    return next((valid(call["input"]) for call in answer.calls() if call["name"] == TOOL), None)


# --- the ops --------------------------------------------------------------------------------------


def _starts(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    return {"starts": starts(args["query"])}


def _answer(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    cut = args.get("stop", "end_turn") == "max_tokens"
    names = None if cut else parse(args["text"])
    if names is None:
        return {"files": [], "warning": True}
    used = {*args.get("chosen", ()), *args.get("read", ())}
    return {"files": choose(names, set(args["candidates"]), used), "warning": False}


def _selector(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    return {"turns": asyncio.run(_turns(args))}


async def _turns(args: Mapping[str, Any]) -> list[dict[str, Any]]:
    selector = Selector(args["model"], args["session_id"], args.get("native", True))
    answers = []
    async with model_calls.async_client(args["base_url"], args["api_key"]) as client:
        for turn in args["turns"]:
            limit = turn.get("abort_after_ms")

            async def ask(body: Mapping[str, Any], limit: int | None = limit) -> Answer | Failure:
                return await model_calls.until(model_calls.ask_async_streamed(client, body), limit)

            found = await selector.select(ask, turn["query"], turn["topics"], turn.get("read", ()))
            answers.append(
                {"started": found.started, "files": list(found.files), "warning": found.warning}
            )
    return answers


OPS = {"selector_starts": _starts, "selector_answer": _answer}
if model_calls.has_sdk():
    OPS["selector"] = _selector
