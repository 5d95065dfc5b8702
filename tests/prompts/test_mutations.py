"""Prompts of the reference, rewritten as a port might, and then spoilt in every way.

What a port may write is found a second time here, from the other end: with the baseline's text in
hand, each line becomes a pattern with a choice at each place that may be replaced. The check has
only hashes and goes from the port's text back; both must always agree.
"""

import re
from importlib.resources import files

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memassay.prompts.check import TOOL_SENTENCE, check
from memassay.prompts.fingerprint import make
from memassay.prompts.lines import split
from memassay.prompts.names import NameOf
from memassay.prompts.substitutions import Declared, Kind, Removed, Term
from tests.prompts.conftest import SALT

PROMPTS = {
    path.name.removesuffix(".md"): path.read_text(encoding="utf-8").rstrip("\n")
    for path in files("memassay_reference.prompts").iterdir()
    if path.name.endswith(".md")
}

# Lines of our own with everything that may be replaced, to stand between those of a prompt.
RICH = (
    "You are Claude Code; Claude Code's notes outlive the session.",
    "What CLAUDE.md says is no memory: CLAUDE.md is read anyway.",
    "Call Read, then Write; the reader may Read twice.",
    "Give `file_path` whole; a file_path is never guessed.",
    "Its `type` is of one type of four, `type` again.",
    "Ask the agent, never an agent; AGENTS.md is a file.",
    "",
)
SECTION = ("## For a team", "", "Notes for all.", "### Inside", "Ask Claude Code.", "")
ENDING = "## In the end"

TERMS = (
    Term(Kind.PRODUCT, "Claude Code", "the agent", 1),
    Term(Kind.INSTRUCTION_FILE, "CLAUDE.md", "AGENTS.md", 2),
    Term(Kind.NAME, "Read", "read", 3, of=NameOf.TOOL),
    Term(Kind.NAME, "Write", "write", 4, of=NameOf.TOOL),
    Term(Kind.NAME, "file_path", "path", 5, of=NameOf.PARAMETER),
    Term(Kind.NAME, "type", "kind", 6, of=NameOf.FIELD),
)
PORT_WORDS = {term.baseline: term.port for term in TERMS}
DYNAMIC = re.compile(r"\{([a-z_]+)\}")
# Our lines have `type` as a name exactly where it is all that stands between back-ticks.
REPLACEABLE = re.compile(
    r"\{[a-z_]+\}|Claude Code|\bCLAUDE\.md\b|\bRead\b|\bWrite\b|\bfile_path\b|(?<=`)type(?=`)"
)


@st.composite
def baselines(draw):
    """Draw the name and the lines of a prompt, and where a section stands in it (or None)."""
    name = draw(st.sampled_from(sorted(PROMPTS)))
    lines = PROMPTS[name].split("\n")
    for extra in draw(st.lists(st.sampled_from(RICH), min_size=2, max_size=6)):
        lines.insert(draw(st.integers(0, len(lines))), extra)
    removed = None
    if draw(st.booleans()):
        removed = (len(lines), len(lines) + len(SECTION))
        lines += SECTION
    return name, [*lines, ENDING, "Be brief."], removed


def values(lines):
    return {name: f"{{{name}}}" for line in lines for name in DYNAMIC.findall(line)}


def fingerprint(name, lines):
    text = "\n".join(lines)
    held = {
        NameOf.TOOL: [word for word in ("Read", "Write") if re.search(rf"\b{word}\b", text)],
        NameOf.PARAMETER: ["file_path"] if "file_path" in text else [],
        NameOf.FIELD: ["type"] if "`type`" in text else [],
    }
    return make(text, prompt=name, of="us", salt=SALT, dynamic=values(lines), names=held)


def declaration(lines, removed):
    gone = () if removed is None else (Removed(removed[0] + 1, removed[1], "a team", 7),)
    return Declared(TERMS, gone, {name: f"<{name}>" for name in values(lines)})


@st.composite
def rewrites(draw):
    """Draw a baseline and a port of it in which any place may have been replaced."""
    name, lines, removed = draw(baselines())
    drop = removed is not None and draw(st.booleans())
    kept = [*lines[: removed[0]], *lines[removed[1] :]] if removed and drop else lines

    def replace(found):
        word = found[0]
        if DYNAMIC.fullmatch(word):
            return f"<{word[1:-1]}>"
        return PORT_WORDS[word] if draw(st.booleans()) else word

    port = [REPLACEABLE.sub(replace, line) for line in kept]
    return name, lines, removed if drop else None, port


def permitted(lines, removed, port):
    """Return whether a port is a permitted rewriting, found from the baseline's text."""
    kept = lines if removed is None else [*lines[: removed[0]], *lines[removed[1] :]]
    return len(kept) == len(port) and all(
        re.fullmatch(_pattern(line), other) for line, other in zip(kept, port, strict=True)
    )


def _pattern(line):
    parts, end = [], 0
    for found in REPLACEABLE.finditer(line):
        parts.append(re.escape(line[end : found.start()]))
        end = found.end()
        word = found[0]
        if DYNAMIC.fullmatch(word):
            parts.append(re.escape(f"<{word[1:-1]}>"))
        else:
            parts.append(f"(?:{re.escape(word)}|{re.escape(PORT_WORDS[word])})")
    return "".join([*parts, re.escape(line[end:])])


def any_place(draw, items):
    return draw(st.integers(0, len(items) - 1))


def change_a_character(draw, lines):
    text = "\n".join(lines)
    at = draw(st.integers(0, len(text)))
    width = draw(st.integers(0, 1))
    new = draw(
        st.sampled_from(
            ["", " ", "a", "Z", "`", ".", "\u00e9", "e\u0301", "漢", "😀", "\n", "\u200b"]
        )
    )
    return f"{text[:at]}{new}{text[at + width :]}".split("\n")


def change_a_word(draw, lines):
    at = any_place(draw, lines)
    words = lines[at].split(" ")
    words[any_place(draw, words)] = draw(
        st.sampled_from(["never", "always", "the agent", "Read", "pi"])
    )
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


def change_case(draw, lines):
    at = any_place(draw, lines)
    return [*lines[:at], lines[at].swapcase(), *lines[at + 1 :]]


def drop_a_line(draw, lines):
    at = any_place(draw, lines)
    return [*lines[:at], *lines[at + 1 :]]


def double_a_line(draw, lines):
    at = any_place(draw, lines)
    return [*lines[:at], lines[at], *lines[at:]]


def swap_lines(draw, lines):
    one, other = any_place(draw, lines), any_place(draw, lines)
    swapped = list(lines)
    swapped[one], swapped[other] = lines[other], lines[one]
    return swapped


def drop_half_a_section(draw, lines):
    heads = [number for number, line in enumerate(lines) if line.startswith("#")]
    at = draw(st.sampled_from(heads))
    return [*lines[: at + 1], *lines[at + 2 :]]


def change_a_level(draw, lines):
    heads = [number for number, line in enumerate(lines) if line.startswith("#")]
    at = draw(st.sampled_from(heads))
    return [*lines[:at], f"#{lines[at]}", *lines[at + 1 :]]


def use_another_term(draw, lines):
    one, other = draw(
        st.sampled_from([
            ("Claude Code", "Pi"), ("the agent", "the assistant"), ("AGENTS.md", "PI.md"),
            ("CLAUDE.md", "MEMORY.md"), ("read", "open"), ("Write", "Edit"), ("path", "file"),
            ("kind", "sort"), ("<", "{"), ("type", "kind"), ("an agent", "Claude Code"),
        ])
    )  # fmt: skip
    return [line.replace(one, other) for line in lines]


def append_the_tool_sentence(draw, lines):
    return [*lines, *[TOOL_SENTENCE] * draw(st.integers(1, 2))]


MUTATIONS = (
    change_a_character, change_a_word, change_case, drop_a_line, double_a_line, swap_lines,
    drop_half_a_section, change_a_level, use_another_term, append_the_tool_sentence,
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(rewrites())
def test_every_permitted_rewriting_is_accepted(rewrite):
    name, lines, removed, port = rewrite
    assert permitted(lines, removed, port)
    found = check(fingerprint(name, lines), "\n".join(port), declaration(lines, removed))
    assert found.differences == ()


@settings(max_examples=400, deadline=None)
@given(rewrites(), st.sampled_from(MUTATIONS), st.data())
def test_what_is_spoilt_is_accepted_only_if_it_is_permitted_all_the_same(rewrite, mutate, data):
    name, lines, removed, port = rewrite
    spoilt = mutate(data.draw, port)
    assume(spoilt != port)
    found = check(fingerprint(name, lines), "\n".join(spoilt), declaration(lines, removed))
    judged = list(spoilt)
    if name == "selector" and judged[-1] == TOOL_SENTENCE:
        judged.pop()
    assert found.same == permitted(lines, removed, judged)


@settings(max_examples=100, deadline=None)
@given(rewrites(), st.data())
def test_a_spoilt_line_is_named(rewrite, data):
    name, lines, removed, port = rewrite
    at = any_place(data.draw, port)
    spoilt = [*port[:at], f"{port[at]} and more", *port[at + 1 :]]
    found = check(fingerprint(name, lines), "\n".join(spoilt), declaration(lines, removed))
    (difference,) = found.differences
    assert (difference.port.first, difference.port.last) == (at + 1, at + 1)
    gone = removed[1] - removed[0] if removed and at >= removed[0] else 0
    assert (difference.baseline.first, difference.baseline.last) == (at + 1 + gone, at + 1 + gone)


@given(baselines())
def test_what_is_removed_here_is_a_whole_section(drawn):
    _, lines, removed = drawn
    assume(removed is not None)
    levels = [line.level for line in split("\n".join(lines))]
    assert levels[removed[0]] == levels[removed[1]] == 2
    assert 2 not in levels[removed[0] + 1 : removed[1]]
