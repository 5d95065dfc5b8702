from types import SimpleNamespace

import pytest

from memassay.replay import scrub


@pytest.mark.parametrize(
    "text",
    [
        "key: sk-ant-api03-abcdefgh",
        "X-Api-Key: x",
        "authorization:\n",
        "Bearer abcdefgh.ijkl",
        "request-id: req_011CabcdefghijklmnopQR",
        "anthropic-organization-id: x",
        "path: /home/alice/project",
        "path: /Users/alice",
        "cwd: /tmp/tmpabc123/w",
        "cwd: /private/var/folders/ab/cd",
        "uri: http://127.0.0.1:40123/v1/messages",
        "host: localhost:8080",
        "from 192.168.1.17",
        "from 10.0.0.5",
        "User-Agent: Anthropic/Python",
        "x-stainless-os: Linux",
    ],
)
def test_what_must_not_be_in_a_cassette_is_found(text):
    assert [line for line, _ in scrub.found_secrets(f"fine\n{text}")] == [2]


@pytest.mark.parametrize(
    "text",
    ["anthropic-version: '2026-10-21'", "the port is 8080", "2.1.296", "request-id", "/m/a.md"],
)
def test_what_is_harmless_is_not_found(text):
    assert list(scrub.found_secrets(text)) == []


def test_a_request_loses_host_query_and_headers():
    request = SimpleNamespace(
        uri="http://127.0.0.1:4/v1/messages?beta=true",
        headers={"X-Api-Key": "k", "Content-Type": "application/json", "User-Agent": "x"},
    )
    scrubbed = scrub.scrub_request(request)
    assert scrubbed.uri == "https://api.example.invalid/v1/messages"
    assert scrubbed.headers == {"Content-Type": "application/json"}


def test_a_response_loses_headers():
    response = {"headers": {"content-type": ["x"], "set-cookie": ["y"]}, "body": {"string": b""}}
    assert scrub.scrub_response(response)["headers"] == {"content-type": ["x"]}


def test_places_become_stand_ins():
    assert scrub.scrub_text("in /r/w and /r/m", ("/r", "/tree")) == "in /tree/w and /tree/m"
