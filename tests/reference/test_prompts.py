"""The memory section: what varies in it, and when there is none."""

from importlib.resources import files
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay_reference.prompts import load
from memassay_reference.prompts.section import OPS, memory_section

PATHS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1).map(
    "/m/{}".format
)


def sections(*directories, **how):
    return OPS["memory_sections"]({"memory_dirs": list(directories), **how}, "claude-code")[
        "sections"
    ]


@given(PATHS, PATHS)
def test_only_the_path_varies(one, other):
    first, second = (memory_section(path, enabled=True) for path in (one, other))
    assert first is not None
    assert second is not None
    assert one in first
    assert (first == second) == (one == other)
    assert first.split(one) == second.split(other)


def test_what_is_in_the_directory_does_not_matter(tmp_path):
    before = memory_section(str(tmp_path), enabled=True)
    (tmp_path / "MEMORY.md").write_text("- [a](a.md)\n" * 300)
    assert memory_section(str(tmp_path), enabled=True) == before


@given(st.lists(PATHS, min_size=1, max_size=4))
def test_sessions_that_are_on_are_told_the_same(paths):
    assert sections(*paths) == [0] * len(paths)


@given(st.lists(PATHS, min_size=1, max_size=4))
def test_sessions_that_are_off_are_told_nothing(paths):
    assert sections(*paths, enabled=False) == [None] * len(paths)


@pytest.mark.parametrize(
    ("prompt", "values"),
    [
        ("memory", {"memory_dir"}),
        ("selector", set()),
        ("extractor", {"messages", "max_turns"}),
        ("dream", {"session_dir", "session_ids", "max_turns"}),
        ("tools", {"tools", "memory_dir", "cwd"}),
    ],
)
def test_what_varies_is_declared(prompt, values):
    """PRM-2: exactly these values vary."""
    assert {field for _, field, _, _ in Formatter().parse(load(prompt)) if field} == values


def test_every_prompt_is_known_here():
    names = {path.name for path in files("memassay_reference.prompts").iterdir()}
    assert {name for name in names if name.endswith(".md")} == {
        "memory.md", "selector.md", "extractor.md", "dream.md", "tools.md",
    }  # fmt: skip


@pytest.mark.parametrize("prompt", ["memory", "selector", "extractor", "dream", "tools"])
def test_our_prompts_name_no_product(prompt):
    assert not [word for word in ("Claude", "Anthropic", "CLAUDE.md") if word in load(prompt)]
