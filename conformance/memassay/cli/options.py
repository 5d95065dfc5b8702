"""Options that several commands share, and the class of command that can print its own schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from click.shell_completion import CompletionItem

    from memassay.spec.models import Spec

    Function = Callable[..., Any]


class DescribedCommand(click.RichCommand):
    """A command whose `--schema` prints the JSON Schema of its output, whatever else is given.

    `schemas` maps a machine format of the command to the name of its schema (see
    `memassay.report.schemas`); the first one is meant unless `--format` names another.
    """

    schemas: dict[str, str]

    def __init__(self, *args: Any, schemas: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.schemas = schemas

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Answer `--schema` before anything is missed: it needs no argument of the command."""
        if "--schema" in args and not ctx.resilient_parsing:
            # As click reads it, for what follows an adapter's command is the adapter's.
            given, _, _ = self.make_parser(ctx).parse_args(list(args))
            if "schema" in given:
                from memassay.report.schemas import report_schema  # noqa: PLC0415 (rarely asked for)

                default = next(iter(self.schemas.values()))
                schema = report_schema(self.schemas.get(given.get("form", ""), default))
                click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
                ctx.exit()
        return super().parse_args(ctx, args)


def described(**schemas: str) -> dict[str, Any]:
    """Return the arguments that make `click.command` a `DescribedCommand` of these formats."""
    return {"cls": DescribedCommand, "schemas": schemas}


def schema_option(function: Function) -> Function:
    """Add `--schema`; `DescribedCommand` answers it."""
    return click.option(
        "--schema",
        is_flag=True,
        expose_value=False,
        help="Print the JSON Schema of this command's output, and stop.",
    )(function)


def format_option(*forms: str) -> Callable[[Function], Function]:
    """Add `--format`, one of `forms`, the first of them by default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        help="How to write it.",
    )


def spec_options(function: Function) -> Function:
    """Add what names a spec: its version, and a directory other than the installed one."""
    function = click.option(
        "--spec-root",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        metavar="DIR",
        help="A directory like spec/ to use instead of the installed one.",
    )(function)
    return click.option(
        "--spec-version",
        metavar="VERSION",
        help="The client version whose spec is meant.",
    )(function)


def load(spec_version: str | None, spec_root: Path | None) -> Spec:
    """Return the spec that `spec_options` name.

    An unknown version is the user's problem; a spec that cannot be loaded is a fault (exit 4).
    """
    from memassay.cli.problem import as_usage  # noqa: PLC0415 (completion of options needs none)
    from memassay.spec.loader import load_spec  # noqa: PLC0415 (as above)
    from memassay.spec.locate import DEFAULT_VERSION, version_root  # noqa: PLC0415 (as above)

    version = spec_version or DEFAULT_VERSION
    with as_usage():
        version_root(version, spec_root)
    return load_spec(version=version, root=spec_root)


def complete_names(kind: str) -> Callable[..., list[CompletionItem]]:
    """Return a completion of the spec's names of a `kind`: an attribute of `Spec`, or several."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415 (only for completion)

        from memassay.spec.errors import SpecError  # noqa: PLC0415 (only for completion)

        try:
            spec = load(ctx.params.get("spec_version"), ctx.params.get("spec_root"))
        except (SpecError, OSError, click.ClickException):
            return []  # a completion has nowhere to say what is wrong; the command will
        names: Iterable[str] = (name for part in kind.split() for name in getattr(spec, part))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete


def chapter_option(function: Function) -> Function:
    """Add `--chapter`, repeatable."""
    return click.option(
        "--chapter",
        "chapters",
        multiple=True,
        metavar="CHAPTER",
        shell_complete=complete_names("chapters"),
        help="Only this chapter; may be given again.",
    )(function)


def profile_option(function: Function) -> Function:
    """Add `--profile`."""
    return click.option(
        "--profile",
        default="claude-code",
        show_default=True,
        metavar="PROFILE",
        shell_complete=complete_names("profiles"),
        help="Whose rules bind: the client's own, or those of a port with declared differences.",
    )(function)


ADAPTER_LAST: dict[str, Any] = {"allow_interspersed_args": False}
"""Settings of a command that `adapter_argument` belongs to.

Everything from the first word of the adapter's command on is its own.
"""


def adapter_argument(function: Function) -> Function:
    """Add the command that starts an adapter, as the last argument: `-- CMD…`."""
    return click.argument("adapter", nargs=-1, type=click.UNPROCESSED, metavar="-- CMD…")(function)


def time_limit_option(function: Function) -> Function:
    """Add `--time-limit`, in seconds."""
    return click.option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        default=10.0,
        show_default=True,
        metavar="SECONDS",
        help="How long one answer may take.",
    )(function)


def max_shown_option(function: Function) -> Function:
    """Add `--max-shown`."""
    return click.option(
        "--max-shown",
        type=click.IntRange(min=0),
        metavar="N",
        help="Tell at most N cases in full, 0 for all.  [default: 10; in Markdown and HTML, all]",
    )(function)


def strict_option(function: Function) -> Function:
    """Add `--strict`."""
    return click.option("--strict", is_flag=True, help="Let a failing SHOULD count like a MUST.")(
        function
    )
