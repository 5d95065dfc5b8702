"""Whether a shell command only reads, as far as its text tells (BGT-3).

The check is static and careful: what it does not understand it does not let through. It looks at
every command of a line, not at the paths that a command finds only when it runs.
"""

from __future__ import annotations

import shlex

_READERS = frozenset(
    {
        *("basename", "cat", "cut", "diff", "dirname", "du", "echo", "egrep", "fgrep", "file"),
        *("find", "grep", "head", "ls", "nl", "pwd", "readlink", "realpath", "rg", "sha256sum"),
        *("sort", "stat", "tail", "test", "tr", "true", "wc", "which", "xargs"),
    }
)
"""Commands that change nothing by themselves."""

_CHANGING_OPTIONS = {
    "find": ("-delete", "-exec", "-fls", "-fprint", "-ok"),
    "sort": ("-o", "--o"),
}
"""How the options begin with which some of them do."""

_BETWEEN = frozenset({";", "&", "&&", "|", "||", "\n"})
_PUNCTUATION = ";&|<>()\n"


def is_read_only(command: str) -> bool:
    """Return whether every command of a shell line is known to change nothing."""
    if "`" in command or "$(" in command:
        return False  # a command inside a word, quoted or not
    lexer = shlex.shlex(command, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        words = list(lexer)
    except ValueError:  # a quote that is not closed
        return False
    commands: list[list[str]] = [[]]
    for word in words:
        if word in _BETWEEN:
            commands.append([])
        elif set(word) <= set(_PUNCTUATION) and word != "<":
            return False  # output into a file, a subshell, or something odd
        else:
            commands[-1].append(word)
    return any(commands) and all(_reads(words) for words in commands if words)


def _reads(words: list[str]) -> bool:
    name, arguments = words[0], words[1:]
    if name not in _READERS:
        return False
    if name == "xargs":
        # What it runs is the first word that is no option; it reads the rest from its input, and
        # nobody checks that (BGT-3).
        inner = [word for word in arguments if not word.startswith("-")]
        return bool(inner) and inner[0] not in {"find", "xargs"} and _reads(inner)
    refused = _CHANGING_OPTIONS.get(name, ())
    return not any(word.startswith(refused) for word in arguments if refused)
