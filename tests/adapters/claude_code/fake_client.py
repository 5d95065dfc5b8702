"""A stand-in for the client: just enough of its command line and its requests to try the witness.

It holds nothing of the client's text. `MODE` is replaced by the fixture that copies it; the copy is
run as an executable of its own.
"""

# ruff: noqa: T201
# It prints, as clients do.

import http.client
import json
import os
import re
import subprocess
import sys
import time
import uuid
from pathlib import Path
from urllib.parse import urlsplit

MODE = "plain"
VERSION = "9.8.7"

LINES = 200
DAY_S = 86400

seen = set()


def main():
    if "--version" in sys.argv:
        print({"not-the-client": "tool 1.0"}.get(MODE, f"{VERSION} (Claude Code)"))
        return 0
    if MODE == "hang":
        time.sleep(600)
    if MODE == "hang-with-child":
        print("child", subprocess.Popen(["sleep", "600"]).pid, flush=True)
        time.sleep(600)
    if MODE == "exit":
        print("fake: no such luck", file=sys.stderr)
        return 3
    if MODE == "leave-child":
        subprocess.Popen(["sleep", "600"])
    settings = read_settings()
    if "--input-format" in sys.argv:
        return converse(settings)
    print(turn(settings))
    return 0


def converse(settings):
    cleared, stale = 0, True
    copies = resumed_copies()
    for line in sys.stdin:
        text = json.loads(line)["message"]["content"]
        if MODE == "ask":
            say({"type": "control_request", "request": {"subtype": "can_use_tool"}})
            time.sleep(600)
        if MODE == "garble":
            print("this is no JSON", flush=True)
            time.sleep(600)
        if text == "/clear":
            cleared += 1
            say({"type": "conversation_reset"})
            if MODE != "forgetful" and (MODE != "forgets-later" or cleared < 3):
                copies, stale = [], True
        elif text == "/compact":
            copies, stale = [], True
        else:
            if MODE == "die-later" and cleared == 2:
                return 9
            index = read_index(settings) if stale else None
            if index and copies[-1:] != [index]:
                copies.append(index)
            stale = False
            turn(settings, copies)
            if MODE != "late":
                save_session(copies)
        say({"type": "result", "subtype": "success", "session_id": "fake-session"})
    if MODE == "late":
        save_session(copies)
    if MODE == "lingers":
        time.sleep(600)
    return 0


def save_session(copies):
    Path(os.environ["HOME"], "fake-session.json").write_text(json.dumps(copies))


def resumed_copies():
    if "--resume" not in sys.argv:
        return []
    name = sys.argv[sys.argv.index("--resume") + 1]
    return json.loads(Path(os.environ["HOME"], f"{name}.json").read_text())


def say(message):
    print(json.dumps(message), flush=True)


def turn(settings, copies=None):
    """Ask the model once, and again with the results of the tools that it calls."""
    if MODE == "silent":
        return "done"
    copies = [read_index(settings)] if copies is None else copies
    directory = memory_dir(settings)
    system = "be helpful" if directory is None else f"# Memory\n\nfake `{directory}/` fake"
    content = [{"type": "text", "text": "hello"}]
    for number, index in enumerate(filter(None, copies)):
        text = f"<system-reminder>\nContents of {directory}/MEMORY.md (fake):\n\n{index}\n"
        if MODE == "talkative":
            text += "# more\nwords\n"
        if MODE == "restless":
            text += f"# {time.time_ns()}\n"
        if MODE == "reverse":
            text = text.replace(index, index[::-1])
        text += "</system-reminder>" + ("\n" if number else "")
        content.insert(number, {"type": "text", "text": text})
    instructions = Path("CLAUDE.md")
    if instructions.exists():
        text = f"fake\n\nContents of {instructions.resolve()} (fake project instructions):\n\n"
        text += instructions.read_text(encoding="utf-8").strip()
        content.insert(
            0, {"type": "text", "text": f"<system-reminder>\n{text}\n</system-reminder>"}
        )
    messages = [{"role": "user", "content": content}]
    post({"model": "small", "messages": [{"role": "user", "content": "name this"}]})  # a title
    tools = [] if MODE == "other-wire" else [{"name": "Read"}]
    system = [{"type": "text", "text": system}]
    while True:
        body = {"model": "big", "system": system, "messages": messages, "tools": tools}
        answer = post({**body, "stream": True})
        calls = [block for block in answer if block["type"] == "tool_use"]
        if not calls:
            return "done"
        messages.append({"role": "assistant", "content": answer})
        results = [
            {"type": "tool_result", "tool_use_id": call["id"], **use(call, directory)}
            for call in calls
        ]
        said = [*attached(calls), *filter(None, [feedback(calls, directory)])]
        if MODE == "reminders":
            tail = "\n</system-reminder>"
            results += [
                {
                    "type": "text",
                    "text": f"<system-reminder>\n{text}{tail}" + "\n" * (at < len(said) - 1),
                }
                for at, text in enumerate(said)
            ]
        messages.append({"role": "user", "content": results})
        if MODE != "reminders":
            text = "\n\n".join(
                [*said, *["<total_tokens>15 tokens left</total_tokens>"] * (MODE != "uncounted")]
            )
            messages.append({"role": "system", "content": [{"type": "text", "text": text}]})


def use(call, directory):
    name, wanted = call["name"], call["input"]
    if name == "Read":
        return read(wanted, directory)
    if MODE == "deny":
        return {"content": "no permission", "is_error": True}
    if MODE == "lazy":
        return {"content": "done"}
    if name == "Bash":
        subprocess.run(["/bin/sh", "-c", wanted["command"]], check=True)
        return {"content": "done"}
    path = Path(wanted["file_path"])
    if MODE == "careful" and path.exists() and path not in seen:
        return {"content": "read it first", "is_error": True}
    if name == "Edit":
        text = path.read_bytes().decode().replace(wanted["old_string"], wanted["new_string"], 1)
    else:
        text = wanted["content"]
        if MODE == "reads-escapes":
            text = re.sub(r"\\\\|\\u([0-9a-f]{4})", decoded, text)
        elif MODE == "drops-escapes":
            text = re.sub(r"\\u[0-9a-f]{4}", "", text)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(signed(path, text, directory).encode())
    return {"content": "done"}


def decoded(match):
    return chr(int(match[1], 16)) if match[1] else match[0]


def signed(path, text, directory):
    """Put this session and the time under the header's first line, as a save does."""
    inside = directory is None or os.path.normpath(path).startswith(directory + "/")
    if path.suffix != ".md" or not inside or not text.startswith("---\n"):
        return text
    moment = time.time_ns() // 10**6
    if MODE == "other-time":
        moment -= 3_600_000
    seconds, rest = divmod(moment, 1000)
    now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03}Z"
    ids = [uuid.uuid4() for _ in range(2 if MODE == "two-sessions" else 1)]
    return f"---\nby: {' '.join(map(str, ids))}\nat: {now}\n{text[4:]}"


def attached(calls):
    """Return the instructions of the folders from here down to what is read."""
    if MODE == "detached":
        return []
    found = []
    for call in calls:
        path = Path(call["input"].get("file_path", "/none"))
        below = [folder for folder in path.parents if Path.cwd() in folder.parents]
        for file in (folder / "CLAUDE.md" for folder in reversed(below)):
            if call["name"] == "Read" and path.is_file() and file.exists():
                text = file.read_text(encoding="utf-8")
                found.append(f"Contents of {file}:\n\n{text[::-1] if MODE == 'reverse' else text}")
    return found


def feedback(calls, directory):
    """Return what is said about an index that a tool has left too long, or None."""
    index = Path(directory or "/none", "MEMORY.md")
    changed = {call["input"].get("file_path") for call in calls if call["name"] != "Read"}
    if MODE == "mute" or str(index) not in changed or not index.exists():
        return None
    lines = len(index.read_text(encoding="utf-8").strip().split("\n"))
    if lines <= LINES:
        return None
    return (
        "PostToolUse:Write hook additional context: fake memory index at MEMORY.md"
        f" is {lines} lines, over its {LINES}-line read limit. Cut it to under 140 lines now: ok."
    )


def read(wanted, directory):
    path = Path(wanted["file_path"])
    seen.add(path)
    if MODE == "deny":
        return {"content": "no permission", "is_error": True}
    if not path.is_file():
        return {"content": "not there", "is_error": True}
    lines = path.read_text(encoding="utf-8").split("\n")
    if MODE == "touch":
        os.utime(path, (0, 0))
    first = wanted.get("offset", 1)
    shown = lines[first - 1 : first - 1 + wanted.get("limit", len(lines))]
    text = "\n".join(f"{first + n}\t{line}" for n, line in enumerate(shown))
    days = int((time.time() - path.stat().st_mtime) // DAY_S)
    if directory and str(path).startswith(directory + "/") and days > 1 and text:
        text = f"<system-reminder>This memory is {days} days old. Fake.</system-reminder>\n{text}"
    return {"content": text}


def post(body):
    """Send one request; return the content of the answer, read from a stream or not."""
    address = urlsplit(os.environ["ANTHROPIC_BASE_URL"])
    connection = http.client.HTTPConnection(address.hostname, address.port)
    connection.request("POST", "/v1/messages?beta=true", json.dumps(body))
    response = connection.getresponse()
    data = response.read().decode()
    connection.close()
    if response.status != http.HTTPStatus.OK:
        raise SystemExit(f"fake: the API says {response.status}")
    if not body.get("stream"):
        return json.loads(data)["content"]
    blocks = {}
    for line in data.split("\n"):
        event = json.loads(line[6:]) if line.startswith("data: ") else {}
        if event.get("type") == "content_block_start":
            blocks[event["index"]] = event["content_block"]
        elif event.get("type") == "content_block_delta":
            delta, block = event["delta"], blocks[event["index"]]
            if delta["type"] == "text_delta":
                block["text"] += delta["text"]
            else:
                block["input"] = json.loads(delta["partial_json"])
    return list(blocks.values())


def read_settings():
    """Merge the user's, the project's and the flag's settings, and the machine's over them."""
    home, flags = os.environ["HOME"], sys.argv
    flag = flags[flags.index("--settings") + 1] if "--settings" in flags else "{}"
    merged = {}
    for place in (
        f"{home}/.claude/settings.json",
        ".claude/settings.json",
        flag,
        "/etc/claude-code/managed-settings.json",
    ):
        if place.startswith("{"):
            merged.update(json.loads(place))
        elif Path(place).exists():
            merged.update(json.loads(Path(place).read_text(encoding="utf-8")))
    return merged


def memory_dir(settings):
    """Return the memory directory, made if it is missing; None if memory is off."""
    if os.environ.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY") == "1":
        return None
    key = re.sub("[^A-Za-z0-9]", "-", project_root())
    home = os.environ["HOME"]
    directory = settings.get("autoMemoryDirectory") or f"{home}/.claude/projects/{key}/memory"
    Path(directory).mkdir(parents=True, exist_ok=True)
    Path(home, ".claude.json").write_text("{}")  # the state that a client keeps
    return directory


def project_root():
    here = Path.cwd()
    holders = [path for path in (here, *here.parents) if (path / ".git").exists()]
    return str(holders[0] if holders else here)


def read_index(settings):
    """Return what of the index is shown; made from the topics if it is missing."""
    directory = memory_dir(settings)
    if directory is None:
        return ""
    path = Path(directory, "MEMORY.md")
    if not path.is_symlink() and not path.exists():
        topics = sorted(topic.name for topic in Path(directory).glob("*.md"))
        if topics:
            path.write_text("".join(f"- [{name[:-3]}]({name})\n" for name in topics))
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
    lines = text.strip().split("\n")
    shown = "\n".join(lines[:LINES]).replace("\u200b", "")
    shown = re.sub("<(/?system-reminder)", r"<\\\1", shown)
    if len(lines) > LINES:
        shown += f"\n\n> WARNING: MEMORY.md is {len(lines)} lines. Fake."
    return shown


if __name__ == "__main__":
    sys.exit(main())
