"""Replays: what an observation says it was given, put to the reference, against what was observed.

For families of observations whose `given` is regular enough to be rebuilt from the record itself.
A replay takes the record and an empty directory and asserts; its name is a pattern of ids.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

from memassay_reference.index_backfill import backfill
from memassay_reference.js_text import length_units
from memassay_reference.memory_dir import OPS as MEMORY_DIR_OPS
from memassay_reference.project_key import project_key
from memassay_reference.project_root import project_root
from memassay_reference.staleness import OPS as STALENESS_OPS

CLIENT = "claude-code"
Replay = Callable[[dict, Path], None]
REPLAYS: list[tuple[re.Pattern[str], Replay]] = []


def replays(pattern: str) -> Callable[[Replay], Replay]:
    def register(function: Replay) -> Replay:
        REPLAYS.append((re.compile(pattern), function))
        return function

    return register


def replay_of(observation_id: str) -> Replay | None:
    found = [function for pattern, function in REPLAYS if pattern.fullmatch(observation_id)]
    assert len(found) <= 1, f"two replays claim {observation_id}"
    return found[0] if found else None


def topic(description: str) -> str:
    return f"---\nname: x\ndescription: {description}\nmetadata:\n  type: project\n---\n\nBody\n"


def index_of(place: Path, topics: dict[str, str]) -> str:
    """Backfill a directory of topics, the first one newest, and return the index ("" for none)."""
    for age, (name, content) in enumerate(topics.items()):
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        os.utime(path, (1_800_000_000 - age,) * 2)
    return backfill(place, profile=CLIENT) or ""


def assert_size(index: str, observed: dict) -> None:
    assert index.count("\n") == observed["lines"]
    assert length_units(index) == observed["units"]
    assert index.endswith("\n") == observed["ends_nl"]
    assert index.endswith("\n\n") == observed["ends_2nl"]


# --- C: backfill ----------------------------------------------------------------------------------


def numbered(count: int, description: str) -> dict[str, str]:
    return {f"t{n:03}.md": topic(description) for n in range(count)}


@replays(r"C15-topics-\d+(-ends)?")
def many_topics(record: dict, place: Path) -> None:
    count = int(record["id"].split("-")[2])
    index = index_of(place, numbered(count, "DDDDD"))
    if record["id"].endswith("-ends"):
        lines = index.splitlines()
        assert lines[0] == record["observed"]["first"]
        assert lines[-3:] == record["observed"]["last3"]
    else:
        assert_size(index, record["observed"])


@replays(r"C16-long-\d+x\d+(-ends)?")
def long_descriptions(record: dict, place: Path) -> None:
    count, length = re.fullmatch(r"C16-long-(\d+)x(\d+).*", record["id"]).groups()
    index = index_of(place, numbered(int(count), "D" * int(length)))
    observed = record["observed"]
    if not record["id"].endswith("-ends"):
        assert_size(index, observed)
        return
    lines = index.splitlines()
    assert lines[0].startswith(observed["first"])
    assert length_units(lines[-1]) == observed["last_line_len"]
    assert max(map(length_units, lines)) == observed["max_line"]
    if "last2" in observed:  # shortened in the record: head, ellipsis, tail
        heads = [shown.split("  … ")[0] for shown in observed["last2"]]
        tails = [shown.split("  … ")[1] for shown in observed["last2"]]
        if int(count) > 2:
            assert all(map(str.startswith, lines[-2:], heads))
        assert all(map(str.endswith, lines[-2:], tails))


@replays(r"C07-long-desc")
def two_long_descriptions(record: dict, place: Path) -> None:
    topics = {"d.md": topic("d" * 500), "e.md": topic("e" * 5000)}
    assert_size(index_of(place, topics), record["observed"])


@replays(r"C17b-emoji-100x150")
def emoji_descriptions(record: dict, place: Path) -> None:
    assert_size(index_of(place, numbered(100, "😀" * 150)), record["observed"])


@replays(r"C37-cap-\d+")
def lines_of_one_length(record: dict, place: Path) -> None:
    length = int(re.search(r"every line (\d+) units", record["given"])[1])
    bare = length_units("- [t000](t000.md) — ")
    assert_size(index_of(place, numbered(180, "D" * (length - bare))), record["observed"])


@replays(r"C08b-control-names")
def control_names(record: dict, place: Path) -> None:
    names = ["a\nb.md", "a\tb.md", "bk`t.md"]
    assert index_of(place, {name: topic("q") for name in names}) == record["observed"]["text"]


@replays(r"C36-trunc-boundary")
def about_the_longest_line(record: dict, place: Path) -> None:
    topics = {f"{name}.md": topic("d" * n) for name, n in zip("abcd", range(130, 134), strict=True)}
    topics["e.md"] = topic(("wordy " * 40).strip())
    assert_size(index_of(place, topics), record["observed"])


@replays(r"C32-depth")
def deep_folders(record: dict, place: Path) -> None:
    depths = [1, 2, 5, 6, 8, 10, 12, 15, 20, 25, 30]
    topics = {"/".join(["d"] * (depth - 1) + [f"f{depth}.md"]): topic("q") for depth in depths}
    assert index_of(place, topics).count("\n") == record["observed"]["lines"]


@replays(r"C30-desc-line-limit")
def description_lines(record: dict, place: Path) -> None:
    rows = [5, 20, 24, 25, 26, 27, 28, 29, 30, 31, 32, 40]
    filler = "".join(f"k{n}: v\n" for n in range(60))
    topics = {}
    for row in rows:
        before = "".join(filler.splitlines(keepends=True)[: row - 2])
        topics[f"f{row}.md"] = f"---\n{before}description: d{row}\n---\nBody\n"
    index = index_of(place, topics)
    assert index.count("\n") == record["observed"]["lines"]
    assert [row for row in rows if f"— d{row}" in index] == rows[:8]


@replays(r"C43-fm-byte-limit")
def header_bytes(record: dict, place: Path) -> None:
    sizes = record["observed"]["with"] + record["observed"]["without"]
    topics = {
        f"n{size}.md": f"---\nname: {'x' * int(size)}\ndescription: seen\n---\n" for size in sizes
    }
    shown = re.findall(r"\[n(\d+)\].*— seen", index_of(place, topics))
    assert sorted(shown) == sorted(record["observed"]["with"])


@replays(r"C33-dir-names")
def folder_names(record: dict, place: Path) -> None:
    words = record["given"].split(": ")[1].split()
    start = words.index("with")
    names = [*words[:start], "with space", "par(en)", "unié"]
    topics = {f"{name}/a.md": topic("q") for name in names}
    topics |= {f"n/{name}/a.md": topic("q") for name in names}
    assert index_of(place, topics).count("\n") == record["observed"]["lines"]


# --- E: the memory directory ----------------------------------------------------------------------

SCOPES = ("managed", "local", "project", "user")


def located(place: Path, env: dict, settings: dict) -> str | None:
    """Return where the reference puts the memory, written as the records write it."""
    work, home = place / "work", place / "home"
    project = work / "p"
    for directory in (project, home):
        directory.mkdir(parents=True)
    fill = lambda value: value.replace("<work>", str(work)) if isinstance(value, str) else value  # noqa: E731
    answer = MEMORY_DIR_OPS["memory_dir"](
        {
            "cwd": str(project),
            "home": str(home),
            "env": {name: fill(value) for name, value in env.items()},
            "settings": {
                scope: {name: fill(value) for name, value in values.items()}
                for scope, values in settings.items()
            },
        },
        CLIENT,
    )
    if not answer["enabled"]:
        return None
    shown = answer["dir"] + "/"
    for real, sign in ((str(work), "<work>"), (str(home), "~")):
        shown = shown.replace(real, sign)
    return shown.replace(project_key(str(project)), "<W>-p")


def assert_located(record: dict, place: Path, env: dict, settings: dict) -> None:
    assert located(place, env, settings) == record["observed"]["path"]


@replays(
    r"E02h-user-short|E03-proj-abs|E03b-proj-tilde|E04-local-abs|E05c-flag-settings"
    r"|E06c-config-dir-tilde|E08-cowork|E10-disable-env='(true|0|false|no|off|abc)'"
)
def settings_and_environment(record: dict, place: Path) -> None:
    env, settings = {}, {}
    for name, value in record["given"].items():
        scope = "flag" if name == "--settings" else name
        if scope in (*SCOPES, "flag"):
            settings[scope] = {"autoMemoryDirectory": value}
        else:
            env[name] = value
    assert_located(record, place, env, settings)


@replays(r"E21-(~/\.|\./x)")
def odd_directories(record: dict, place: Path) -> None:
    value = record["id"].removeprefix("E21-")
    assert_located(record, place, {}, {"user": {"autoMemoryDirectory": value}})


@replays(r"E21-<work>/cafe\\u0301|E20b-user-good\+proj-root|E22-managed\+user")
def directories_in_words(record: dict, place: Path) -> None:
    settings = {
        "E21-<work>/cafe\\u0301": {"user": "<work>/cafe\u0301"},
        "E20b-user-good+proj-root": {"user": "<work>/u1", "project": "/"},
        "E22-managed+user": {"managed": "<work>/managed", "user": "<work>/u1"},
    }[record["id"]]
    assert_located(
        record, place, {}, {scope: {"autoMemoryDirectory": v} for scope, v in settings.items()}
    )


@replays(r"C42-injected-same-run|C42b|C45-backfill-(autoMemoryDirectory|cowork)")
def backfilled_where_it_is_and_injected_at_once(record: dict, place: Path) -> None:
    project, home, elsewhere = place / "work/p", place / "home", place / "elsewhere"
    default = home / ".claude/projects" / project_key(str(project)) / "memory"
    env, settings, directory = {}, {}, default
    if record["id"].endswith("autoMemoryDirectory"):
        settings, directory = {"user": {"autoMemoryDirectory": str(elsewhere)}}, elsewhere
    elif record["id"].endswith("cowork"):
        env, directory = {"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": str(elsewhere)}, elsewhere
    project.mkdir(parents=True)
    directory.mkdir(parents=True)
    (directory / "a.md").write_text(topic("q"))
    answer = MEMORY_DIR_OPS["memory_dir_open"](
        {"cwd": str(project), "home": str(home), "env": env, "settings": settings}, CLIENT
    )
    assert answer["kept"] == "- [a](a.md) — q"
    assert (directory / "MEMORY.md").read_text() == "- [a](a.md) — q\n"


# --- A: staleness ---------------------------------------------------------------------------------


@replays(r"A02-23h|A21-CLAUDE\.md|A31-custom-dir|A31b-default-dir-while-custom")
def reminders(record: dict, place: Path) -> None:
    memory, file = place / "memory", place / "memory/m.md"
    if record["id"].startswith(("A21", "A31b")):
        file = place / "elsewhere/m.md"
    given = record["given"]
    age_s = given["age_s"] if isinstance(given, dict) else 5 * 86_400
    now_ms = 1_796_040_000_000
    for directory in {memory, file.parent}:
        directory.mkdir()
    file.write_text("text\n")
    os.utime(file, (now_ms / 1000 - age_s,) * 2)
    answer = STALENESS_OPS["staleness_read"](
        {"memory_dir": str(memory), "file": str(file), "now_ms": now_ms}, CLIENT
    )
    assert (answer["days"] is not None) == record["observed"]["reminder"]


# --- G: roots and keys ----------------------------------------------------------------------------


@replays(r"G15-home")
def home_itself(record: dict, place: Path) -> None:
    assert record["observed"]["key"] == "<HOME>"
    assert project_root(str(place.resolve()), CLIENT) == str(place.resolve())
