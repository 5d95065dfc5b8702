"""The group `memassay`: what commands there are, without importing any of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import rich_click as click

from memassay import __version__
from memassay.cli.guard import guarded

EXAMINE = {
    "run": "Examine an implementation, rule by rule.",
    "report": "Show a stored verdict stream in any view.",
    "diff": "Say what changed between two verdict streams.",
    "verify": "Derive a stream's verdicts again from what it recorded.",
    "gate": "Run two versions of the genuine client, and say what drifted.",
    "processes": "Examine locks, races and killed holders with real processes.",
    "fuzz": "Ask an implementation at random, and compare with the reference.",
}
READ = {
    "list": "List chapters, rules, cases, ops or evidence.",
    "explain": "Explain a rule or case: why, evidence, common mistakes.",
    "show": "Show one case as it goes over the wire.",
    "export": "Write the whole spec as one JSON file.",
    "lint-spec": "Check that the spec keeps its own promises.",
}
PLAY = {
    "replay": "Play a recorded model to an implementation, over HTTP.",
    "prompts": "Compare a port's prompts with a baseline, word for word.",
}
START = {"new-adapter": "Copy a kit to start an adapter from."}

COMMANDS = {**EXAMINE, **READ, **PLAY, **START}
"""Every command with its one sentence; the module is the name with `_`, the function likewise."""


class LazyGroup(click.RichGroup):
    """A group that lists its commands from `COMMANDS` and imports one only to run it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Stand-ins: enough for help, completion and "did you mean".
        self.commands = {
            name: click.RichCommand(name=name, help=sentence) for name, sentence in COMMANDS.items()
        }
        self._listing = False

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names in the order in which one meets them, not by alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the real command, or only its stand-in while commands are being listed."""
        if self._listing or cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module = cmd_name.replace("-", "_")
        return import_module(f"memassay.cli.commands.{module}").command

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help from the stand-ins."""
        self._listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._listing = False

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete command names from the stand-ins."""
        self._listing = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self._listing = False

    def invoke(self, ctx: click.Context) -> int:
        """Run the command; its failures are told here, before click would tell them its way."""
        with guarded() as end:
            end.code = super().invoke(ctx)
        return end.code or 0


HELP = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "rich_help_config": click.RichHelpConfiguration(
        max_width=100,
        text_markup=None,
        style_options_panel_border="dim",
        style_commands_panel_border="dim",
        command_groups={
            "memassay": [
                {"name": "Examine", "commands": list(EXAMINE)},
                {"name": "Read the spec", "commands": list(READ)},
                {"name": "Start", "commands": [*PLAY, *START]},
            ]
        },
    ),
}


@click.group(cls=LazyGroup, context_settings=HELP, no_args_is_help=True)
@click.version_option(__version__, prog_name="memassay", message="%(prog)s %(version)s")
def memassay() -> None:
    """Conformance suite for ports of Claude Code's file-based auto-memory.

    Start with: memassay run -- COMMAND-THAT-STARTS-YOUR-ADAPTER
    """
