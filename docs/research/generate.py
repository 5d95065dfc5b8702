"""Write drift.md and disputes.md anew, from the spec and the streams in verdicts/."""

from __future__ import annotations

from pathlib import Path

from memassay.judge.reading import read_stream
from memassay.report.drift import disputes_page, drift_page
from memassay.spec.loader import load_spec
from memassay.spec.testimony import read_testimony

HERE = Path(__file__).resolve().parent


def pages() -> dict[Path, str]:
    """Return the pages, by the files in which they belong."""
    spec = load_spec()
    paths = sorted((HERE / "verdicts").glob("claude-code-*.jsonl"), key=_version)
    runs = [read_stream(path) for path in paths]
    testimony = read_testimony(spec.version)
    unwitnessed = {} if testimony is None else testimony.unwitnessed
    made = {HERE / "disputes.md": disputes_page(spec, runs, unwitnessed)}
    if runs:
        made[HERE / "drift.md"] = drift_page(runs, spec)
    return made


def _version(path: Path) -> list[int]:
    return [int(part) for part in path.stem.rpartition("-")[2].split(".")]


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
