"""`memassay new-adapter`: copy a kit to start an adapter from."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from memassay.cli.output import write

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _languages() -> list[str]:
    from memassay.spec.locate import kits_root  # noqa: PLC0415 (--help needs none of it)

    return sorted(kit.name for kit in kits_root().iterdir() if kit.is_dir() and any(kit.iterdir()))


def _complete(_ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem  # noqa: PLC0415 (only for completion)

    return [CompletionItem(name) for name in _languages() if name.startswith(incomplete)]


@click.command("new-adapter")
@click.option(
    "--language",
    required=True,
    metavar="LANGUAGE",
    shell_complete=_complete,
    help="python, node or shell: the language of the kit.",
)
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
def command(*, language: str, directory: Path) -> None:
    """Copy a kit to start an adapter from.

    The kit answers one op already; its README says what to fill in. Nothing is ever overwritten:
    DIR must be new or empty.
    """
    from memassay.cli.problem import Problem  # noqa: PLC0415 (--help needs none of it)
    from memassay.spec.locate import kits_root  # noqa: PLC0415 (as above)

    languages = _languages()
    if language not in languages:
        raise Problem(
            f"there is no kit for {language!r}", hint=f"there are: {', '.join(languages)}"
        )
    try:
        if directory.exists() and any(directory.iterdir()):
            raise Problem(f"{directory} is not empty", hint="name a new directory")
        shutil.copytree(
            kits_root() / language,
            directory,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("__pycache__", "node_modules"),
        )
    except OSError as error:
        raise Problem(f"{directory} cannot be made: {error.strerror or error}") from None
    copied = sorted(
        path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()
    )
    write(f"Made {directory}: {', '.join(copied)}")
    write(f"Next: read {directory / 'README.md'}")
