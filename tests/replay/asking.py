"""A client without an SDK: what a port in any language does, in the few lines that a test needs."""

import http.client
import json
from urllib.parse import urlsplit

SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}


def body(**more):
    return {
        "model": "m",
        "max_tokens": 512,
        "messages": [{"role": "user", "content": "hello there"}],
        **more,
    }


NATIVE = {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}
TOOL = {
    "tools": [{"name": "pick", "input_schema": SCHEMA}],
    "tool_choice": {"type": "tool", "name": "pick"},
}


def post(url, value, path="/v1/messages", method="POST"):
    """Return status and body of an answer; raises `OSError` or `HTTPException` if there is none."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
    try:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        connection.request(method, path, data, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def ask(url, path="/v1/messages", **more):
    """Return the answer to a good request, read as JSON."""
    status, data = post(url, body(**more), path)
    return status, json.loads(data)
