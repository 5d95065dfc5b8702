import re

import pytest
from rich.text import Text

from memassay.cli.output import render
from memassay.report.rows import Role, Row
from memassay.report.tables import table
from memassay.report.terminal import grid

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("colour", [True, False])
def test_no_line_ends_in_spaces(capsys, monkeypatch, colour):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if colour:
        monkeypatch.setenv("FORCE_COLOR", "1")
    rows = [Row(Role.EXPECTED, "expected", '"a  b"'), Row(Role.GOT, "got", "c")]
    render(*grid(rows), table(("name", "name"), ("why", "text"), rows=[["x", Text("y", "red")]]))
    shown = capsys.readouterr().out
    assert bool(_ESCAPE.search(shown)) is colour
    plain = _ESCAPE.sub("", shown)
    assert '"a  b"' in plain
    assert all(line == line.rstrip() for line in plain.splitlines())
