"""Writing to standard output: texts as they are, rich renderables through one kind of console."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

_TRAILING = re.compile(r"(?: |\x1b\[[0-9;]*m)+$", re.MULTILINE)

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def write(text: str) -> None:
    """Write `text` to standard output, with a line break at its end."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def write_json(value: Any) -> None:
    """Write one JSON document. Lone surrogates stay escapes."""
    write(dumps(value))


def dumps(value: Any) -> str:
    """Return `value` as an indented JSON document that any UTF-8 reader takes."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: only an escape can carry it
        text = json.dumps(value, indent=2, ensure_ascii=True)
    return text


def console(*, stderr: bool = False) -> Console:
    """Return a console that highlights nothing by itself and takes no markup."""
    from rich.console import Console  # noqa: PLC0415 (rich is loaded only to render)

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def render(*parts: RenderableType, fold: bool = True) -> None:
    """Render `parts` on standard output, one after another.

    Without `fold`, long lines stay one line: for what other programs like to search.
    """
    out = console()
    with out.capture() as capture:
        for part in parts:
            out.print(part, soft_wrap=not fold, crop=False)
    # rich fills the cells of a table with spaces; nobody wants them at the ends of lines.
    sys.stdout.write(_TRAILING.sub(lambda end: end[0].replace(" ", ""), capture.get()))
