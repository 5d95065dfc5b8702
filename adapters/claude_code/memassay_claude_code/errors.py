"""What can go wrong between the witness and the client, each by name and with what to do."""

from __future__ import annotations


class WitnessError(Exception):
    """The client cannot testify. `code` names what went wrong, `hint` says what to do."""

    code = "witness"
    hint: str | None = None

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or type(self).hint

    def __str__(self) -> str:
        """Render as one line: code, what happened, what to do."""
        advice = f" ({self.hint})" if self.hint else ""
        return f"{self.code}: {self.message}{advice}"


class NoClientError(WitnessError):
    """There is no executable at the path that was named."""

    code = "no-client"
    hint = "give --client the path of the client's executable, or npm:VERSION"


class NotTheClientError(WitnessError):
    """The executable runs, but it is not the client."""

    code = "not-the-client"
    hint = "its --version must print `X.Y.Z (Claude Code)`; check the path"


class WrongVersionError(WitnessError):
    """The client is another version than the one that was asked for."""

    code = "wrong-version"
    hint = "name the version you mean, or delete the cached copy and fetch it again"


class TermsError(WitnessError):
    """The client would have to be fetched, and nobody has accepted its owner's terms."""

    code = "terms-not-accepted"
    hint = "read the terms named above, then repeat with --accept-vendor-terms"


class NoNpmError(WitnessError):
    """`npm` is needed to fetch the client and cannot be run."""

    code = "no-npm"
    hint = "install Node.js with npm, or give --client the path of an executable you have"


class NoPackageError(WitnessError):
    """The package cannot be had: no network, no such version, or no build for this machine."""

    code = "no-package"
    hint = "check the version and the network (`npm ping`), or give --client a path"


class IntegrityError(WitnessError):
    """What was fetched is not what the registry's metadata describes."""

    code = "bad-integrity"
    hint = "nothing of it was kept; fetch again, and suspect a proxy if it happens twice"


class ClientExitedError(WitnessError):
    """The client ended before it had answered."""

    code = "client-exited"
    hint = "its own words are above; run the case alone with --isolate to see it again"


class ClientHungError(WitnessError):
    """The client did not come to an end within the time limit, and was killed."""

    code = "client-hung"
    hint = "repeat with a longer --time-limit; a loaded machine needs one"


class ClientAskedError(WitnessError):
    """The client wants an answer from a person; there is nobody."""

    code = "client-asked"
    hint = "this version needs a permission or a consent that print mode has not needed so far"


class WireChangedError(WitnessError):
    """The client works, but not in the form that the witness knows how to read."""

    code = "wire-changed"
    hint = "this version needs a new look: adapters/claude_code/memassay_claude_code/observe.py"


class BadArgumentsError(WitnessError):
    """An op was asked with arguments that it cannot take."""

    code = "bad-arguments"


class UnknownOpError(WitnessError):
    """An op was asked that the witness does not list."""

    code = "unknown-op"
    hint = "ask only what the answer to `start` lists"


class EndedError(Exception):
    """The witness is coming to its end: nothing may be started any more."""


class CannotWitnessError(Exception):
    """One case cannot be shown by the client from outside; `str()` is the reason."""


class TimeNotHeldError(CannotWitnessError):
    """A file system cannot hold the time that a case needs; another one might."""
