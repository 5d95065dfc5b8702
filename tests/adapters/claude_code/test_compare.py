import json

from memassay_claude_code.compare import compare, read_requests

REQUESTS = [
    *({"id": f"idx-{n}", "op": "index_window", "args": {"text": f"- {n}"}} for n in range(8)),
    *(
        {"id": f"san-{n}", "op": "sanitise", "args": {"text": f"<system-reminder> {n}"}}
        for n in range(4)
    ),
    {"id": "san-half", "op": "sanitise", "args": {"text": "\ud83d"}},
    {"id": "stl", "op": "staleness", "args": {"now_ms": 864_000_000, "mtime_ms": 0}},
]


def test_both_ways_give_the_same_answers(options):
    assert compare(options(), REQUESTS) == []


def test_a_client_that_cannot_be_shared_is_found_out(options):
    differences = compare(options("forgets-later"), REQUESTS)
    assert differences
    assert all(text.startswith(("idx-", "san-")) for text in differences)


def test_requests_of_an_export():
    rule = {"cases": [REQUESTS[0], {"id": "key", "op": "project_key", "args": {"path": "/"}}]}
    document = json.dumps({"chapters": [{"rules": [rule]}]}, indent=1)
    assert read_requests(document) == [REQUESTS[0]]


def test_requests_of_lines():
    lines = "\n".join(json.dumps(request) for request in REQUESTS)
    assert read_requests(lines) == REQUESTS
