"""Whether a shell command only reads, as far as its text tells (BGT-3a).

The check is static and careful: what it does not understand it does not let through. It looks at
every command of a line as it is written, not at the paths that a command finds only when it runs,
nor at the names that the shell puts in place of a `*`.
"""

from __future__ import annotations

import re
import shlex

_READERS = frozenset(
    {
        *("basename", "cat", "cut", "diff", "dirname", "du", "echo", "egrep", "fgrep", "find"),
        *("grep", "head", "ls", "nl", "pwd", "readlink", "realpath", "sha256sum", "sort", "stat"),
        *("tail", "test", "tr", "true", "wc", "which", "xargs"),
    }
)
"""Commands that change nothing by themselves, and run no others that are not named in the line."""

_CHANGING_OPTIONS = {
    "find": re.compile(r"-(delete|exec|fls|fprint|ok)"),
    "sort": re.compile(r"-[^-]*o|--(o|co)"),  # -o, also in -no; --output; --compress-program
}
"""How the options begin with which some of them do."""

_XARGS_SWITCHES = frozenset({"-0", "-r", "-t"})
"""The options of xargs that take no argument, which could be mistaken for the command."""

_OPAQUE = re.compile(
    r"`|\\\n"  # a command inside a word; a word that goes on in the next line
    r"|\$[\w{(@*#?$!-]"  # whatever a dollar sign makes of a word, quoted or not
    r"|(?:^|[\s;&|()<>])#"  # a comment: quotes in it are none
)
_STEP = re.compile(r"""\\.|\$['"]|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
"""An escape, a quotation, or a dollar sign that gives a quotation other rules."""

_BRACES = re.compile(r"\{.*(,|\.\.).*\}", re.DOTALL)
_BETWEEN = frozenset({";", "&", "&&", "|", "||", "\n"})
_PUNCTUATION = ";&|<>()\n"


def is_read_only(command: str) -> bool:
    """Return whether every command of a shell line is known to change nothing."""
    if _OPAQUE.search(command) or any(step[0][0] == "$" for step in _STEP.finditer(command)):
        return False
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
        elif word and set(word) <= set(_PUNCTUATION) and word != "<":
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
        # nobody checks that.
        while arguments and arguments[0] in _XARGS_SWITCHES:
            arguments = arguments[1:]
        return bool(arguments) and arguments[0] not in _UNFIT and _reads(arguments)
    changing = _CHANGING_OPTIONS.get(name)
    if changing is None:
        return True
    return not any(changing.match(word) or _BRACES.search(word) for word in arguments)


_UNFIT = frozenset({*_CHANGING_OPTIONS, "xargs"})
"""What xargs may not run: commands that could get a changing option from its input."""
