"""What a background task asks its model over HTTP, and the bounded loop of tools that follows.

Extraction and dream share it. A request stands on its parent's (`prefix`: the whole history, the
parent's system and tools, instructions in a last user message) or on its own (`independent`: only
what is after the cursor, the six tools declared); EXT-7 to EXT-9 and CCH-3 say when and how.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define

from memassay.spec import constants
from memassay_reference import model_calls, prompts
from memassay_reference.background_request import without_foreign_proofs
from memassay_reference.background_tools import DECLARATIONS, Tools

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anthropic import AsyncAnthropic

EXTRACTION_TURNS = 20
"""How long our extraction may go on if nobody says so; no source states the client's number."""

ANSWER_TOKENS = 4096
"""How much our background tasks may say at once; a choice of ours."""


def is_prefix(args: Mapping[str, Any]) -> bool:
    """Return whether the parent's request is the beginning of the task's (EXT-8, CCH-3)."""
    return (
        args["model"] == args["parent"]["model"]
        and args.get("snapshot", True)
        and args.get("recent_messages") is None
    )


def request(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first request of a task."""
    parent, model = args["parent"], args["model"]
    prefix = is_prefix(args)
    fresh = parent["messages"][args["cursor"] :]
    most = args.get("recent_messages")
    if prefix:
        sent = parent["messages"]
    else:
        sent = fresh if most is None else fresh[max(0, len(fresh) - most) :]
    messages = [_message(message, parent["model"], model) for message in sent]
    memory = args["memory_prompt"]
    rules = [] if memory in parent["system"] else [memory]  # EXT-9
    task = _instructions(args, len(fresh))
    tools = prompts.load("tools").format(
        tools=", ".join(tool["name"] for tool in DECLARATIONS),
        memory_dir=args["memory_dir"],
        cwd=args["cwd"],
    )
    if prefix:
        system, asked = [parent["system"]], [*rules, tools, task]
    else:
        system, asked = [parent["system"], *rules, tools], [task]
    blocks = [{"type": "text", "text": text} for text in asked]
    messages.append(
        {
            "role": "user",
            "content": [*blocks[:-1], {**blocks[-1], "cache_control": model_calls.SHORT}],
        }
    )
    system_blocks: list[dict[str, Any]] = [
        {"type": "text", "text": text} for text in system if text
    ]
    if system_blocks:
        system_blocks[-1]["cache_control"] = model_calls.SHORT
    return {
        "model": model,
        "max_tokens": ANSWER_TOKENS,
        "system": system_blocks,
        "tools": parent.get("tools", []) if prefix else list(DECLARATIONS),
        "messages": messages,
    }


def _instructions(args: Mapping[str, Any], messages: int) -> str:
    turns = max_turns(args)
    if args["task"] == "dream":
        return prompts.load("dream").format(
            max_turns=turns,
            session_dir=args.get("session_dir", ""),
            session_ids=", ".join(args.get("session_ids", ())),
        )
    return prompts.load("extractor").format(max_turns=turns, messages=messages)


def max_turns(args: Mapping[str, Any]) -> int:
    """Return how many requests a task may make (DRM-1e)."""
    default = constants()["dream_max_turns"] if args["task"] == "dream" else EXTRACTION_TURNS
    return args.get("max_turns", default)


def _message(message: Mapping[str, Any], parent: str, model: str) -> dict[str, Any]:
    """Return a message as `model` may see it (EXT-7)."""
    content = message["content"]
    foreign = message["role"] == "assistant" and message.get("model", parent) != model
    if foreign and not isinstance(content, str):
        content = without_foreign_proofs(content)
    return {"role": message["role"], "content": content}


@define
class Work:
    """One task at work. What it has come to is known at any moment, for it may be stopped."""

    args: Mapping[str, Any]
    tools: Tools
    outcome: str = "aborted"
    turns: int = 0

    async def go_on(self, client: AsyncAnthropic) -> None:
        """Ask, run the tools that are called, and ask again, until the model has had its turns."""
        body = request(self.args)
        while self.turns < max_turns(self.args):
            self.turns += 1
            answer = await model_calls.ask_async(client, body)
            if isinstance(answer, model_calls.Failure):
                self.outcome = "api_error"
                return
            calls = answer.calls()
            if not calls:
                self.outcome = "normal"
                return
            said = {"role": "assistant", "content": list(answer.blocks)}
            results = {"role": "user", "content": [self.tools.result(call) for call in calls]}
            body = {**body, "messages": [*body["messages"], said, results]}
        self.outcome = "max_turns"


async def _work(args: Mapping[str, Any]) -> Work:
    work = Work(args, Tools(args["cwd"], args["memory_dir"]))
    limit_ms = args.get("abort_after_ms")
    async with model_calls.async_client(args["base_url"], args["api_key"]) as client:
        with suppress(TimeoutError):
            async with asyncio.timeout(None if limit_ms is None else limit_ms / 1000):
                await work.go_on(client)
    return work


def _background_run(args: dict[str, Any], _profile: str) -> dict[str, Any]:
    Path(args["memory_dir"]).mkdir(parents=True, exist_ok=True)
    work = asyncio.run(_work(args))
    changed = work.tools.changed_files()
    return {"outcome": work.outcome, "turns": work.turns, "changed": changed}


OPS = {"background_run": _background_run} if model_calls.has_sdk() else {}
