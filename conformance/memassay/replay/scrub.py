"""Keeping secrets and the marks of a machine out of cassettes, and finding those that got in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = "api.example.invalid"
"""The host of every recorded request, whoever answered it."""

REQUEST_HEADERS = frozenset({"content-type", "anthropic-version"})
RESPONSE_HEADERS = frozenset({"content-type"})
"""The headers that are kept; all others may tell of an account or a machine."""

_SECRETS = (
    ("an API key", re.compile(r"\bsk-[A-Za-z0-9_-]{8,}")),
    ("a key header", re.compile(r"(?i)\b(x-api-key|authorization|proxy-authorization|cookie)\b")),
    ("a bearer token", re.compile(r"(?i)\bbearer\s+[A-Za-z0-9._-]{8,}")),
    ("a request id of the API", re.compile(r"\breq_[A-Za-z0-9]{16,}")),
    ("an organisation", re.compile(r"(?i)anthropic-organization-id|cf-ray")),
    ("a home directory", re.compile(r"/(?:home|Users|root)/[A-Za-z0-9._-]+")),
    ("a temporary directory", re.compile(r"/(?:private/)?(?:tmp|var/folders)/[A-Za-z0-9._-]+")),
    ("a machine's address", re.compile(r"\b(?:127\.0\.0\.1|localhost)(?::\d+)?\b")),
    (
        "a private address",
        re.compile(r"\b(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2,3}\b"),
    ),
    ("a user agent", re.compile(r"(?i)user-agent|x-stainless")),
)


def found_secrets(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and the kind of everything in `text` that a cassette must not hold."""
    for number, line in enumerate(text.splitlines(), 1):
        for kind, pattern in _SECRETS:
            if pattern.search(line):
                yield number, kind


def scrub_request(request: Any) -> Any:
    """Return a vcrpy request without host, query and headers: a `before_record_request`."""
    parts = urlsplit(request.uri)
    request.uri = urlunsplit(("https", HOST, parts.path, "", ""))
    request.headers = {
        name: value for name, value in request.headers.items() if name.lower() in REQUEST_HEADERS
    }
    return request


def scrub_response(response: dict[str, Any]) -> dict[str, Any]:
    """Return a vcrpy response without headers that tell anything: a `before_record_response`."""
    kept = {
        name: value
        for name, value in response["headers"].items()
        if name.lower() in RESPONSE_HEADERS
    }
    return {**response, "headers": kept}


def scrub_text(text: str, *places: tuple[str, str]) -> str:
    """Return a text with each place (a directory of this machine) replaced by its stand-in."""
    for place, stand_in in places:
        text = text.replace(place, stand_in)
    return text
