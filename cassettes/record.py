"""Records the cassettes: the reference asks, vcrpy writes down what is said.

    python cassettes/record.py --against script     # our scripted server on loopback; no key
    python cassettes/record.py --against api        # the vendor's API; needs ANTHROPIC_API_KEY

Without a key only the first is possible, and CI records nothing. `scenarios.yaml` says what is
asked and what the script answers. What only a script can do (errors, cut connections) is never
recorded against the API.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import vcr
from ruamel.yaml import YAML

from memassay.replay import scrub
from memassay.replay.playback import playback_of
from memassay.replay.server import API_KEY, ModelServer
from memassay.spec.builders import Context, build_mapping, clock_ms
from memassay.spec.trees import make_tree
from memassay_reference.adapter import load_ops

HERE = Path(__file__).parent
API = "https://api.anthropic.com"
TREE = "/memassay-tree"


def main() -> int:
    """Record what was asked for; write the manifest."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", choices=["script", "api"], required=True)
    parser.add_argument("--model", default="claude-haiku-4-5", help="for --against api")
    parser.add_argument("names", nargs="*", help="cassettes; all by default")
    options = parser.parse_args()
    if os.environ.get("CI"):
        print("nothing is recorded in CI: a recording is made by somebody who looks at it")
        return 2
    key = os.environ.get("ANTHROPIC_API_KEY")
    if options.against == "api" and not key:
        print("ANTHROPIC_API_KEY is not set; --against script needs none")
        return 2
    yaml = YAML()
    scenarios = yaml.load(HERE / "scenarios.yaml")["scenarios"]
    known = {entry["name"]: entry for entry in _manifest(yaml)}
    for scenario in scenarios:
        name = scenario["name"]
        if options.names and name not in options.names:
            continue
        if options.against == "api" and not scenario.get("real", False):
            print(f"{name}: only a script can do this; kept as it is")
            continue
        _record(scenario, options.against, options.model, key or API_KEY)
        known[name] = _entry(scenario, options.against)
        print(f"{name}: {known[name]['bytes']:,} bytes")
    order = [scenario["name"] for scenario in scenarios]
    entries = [known[name] for name in order if name in known]
    yaml.width = 100
    with (HERE / "manifest.yaml").open("w", encoding="utf-8") as file:
        file.write("# Written by record.py; docs/cassettes.md says what each part means.\n")
        yaml.dump({"cassettes": entries}, file)
    return 0


def _manifest(yaml: YAML) -> list[dict[str, Any]]:
    path = HERE / "manifest.yaml"
    return yaml.load(path)["cassettes"] if path.is_file() else []


def _record(scenario: dict[str, Any], against: str, model: str, key: str) -> None:
    path = HERE / f"{scenario['name']}.yaml"
    path.unlink(missing_ok=True)
    with ExitStack() as stack:
        root = str(Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve())
        context = Context(root, clock_ms(None))
        make_tree(scenario.get("tree", {}), context)
        args = build_mapping(scenario["args"], context)
        if against == "script":
            playback = playback_of(build_mapping({"replies": scenario["replies"]}, context))
            url = stack.enter_context(ModelServer(playback)).url
        else:
            url, args["model"] = API, model
        recorder = vcr.VCR(
            record_mode=vcr.mode.ALL,
            decode_compressed_response=True,
            before_record_request=scrub.scrub_request,
            before_record_response=scrub.scrub_response,
        )
        stack.enter_context(recorder.use_cassette(str(path)))
        answer = load_ops()[scenario["op"]](
            {**args, "base_url": url, "api_key": key}, "claude-code"
        )
    text = scrub.scrub_text(path.read_text(encoding="utf-8"), (root, TREE))
    path.write_text(text, encoding="utf-8")
    for line, kind in scrub.found_secrets(text):
        path.unlink()
        sys.exit(f"{scenario['name']}: line {line} holds {kind}; the recording was thrown away")
    print(f"  the reference makes of it: {answer}")


def _entry(scenario: dict[str, Any], against: str) -> dict[str, Any]:
    content = (HERE / f"{scenario['name']}.yaml").read_bytes()
    entry = {
        "name": scenario["name"],
        "about": scenario["about"],
        "recorded": {
            "against": against,
            "date": datetime.now(UTC).strftime("%Y-%m-%d"),
            "sdk": f"anthropic {version('anthropic')}",
            "recorder": f"vcrpy {version('vcrpy')}",
        },
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    return {**entry, "plays": scenario["plays"]} if "plays" in scenario else entry


if __name__ == "__main__":
    sys.exit(main())
