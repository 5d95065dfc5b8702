"""The witness with a fake client: copies of `fake_client.py`, each with a fault of its own."""

import sys
from pathlib import Path

import pytest

ADAPTER = Path(__file__).parents[3] / "adapters" / "claude_code"
sys.path.insert(0, str(ADAPTER))

from memassay_claude_code import private_root  # noqa: E402 (the path comes first)
from memassay_claude_code.bench import Bench, Options  # noqa: E402
from memassay_claude_code.client import Client  # noqa: E402

FAKE = Path(__file__).with_name("fake_client.py")
FAKE_VERSION = "9.8.7"


def interpreter():
    """Return the interpreter of the fake: the system's, which a private root shows, or our own."""
    system = Path("/usr/bin/python3")
    return str(system if system.exists() else Path(sys.executable).resolve())


needs_private_root = pytest.mark.skipif(
    not private_root.is_available(), reason="this machine allows no mount namespaces"
)
needs_fake_in_private_root = pytest.mark.skipif(
    not (private_root.is_available() and interpreter().startswith("/usr/")),
    reason="no mount namespaces here, or Python lies where they do not show it",
)


@pytest.fixture
def fake(tmp_path_factory):
    """Return a function that makes an executable fake client, faulty in one way (its `MODE`)."""
    place = tmp_path_factory.mktemp("fake")

    def make(mode="plain"):
        path = place / f"fake-{mode}"
        source = FAKE.read_text(encoding="utf-8").replace('MODE = "plain"', f'MODE = "{mode}"')
        path.write_text(f"#!{interpreter()} -IS\n{source}", encoding="utf-8")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def options(fake):
    """Return a function that makes options around a fake client."""

    def make(mode="plain", *, time_limit_s=60.0, private=False, **more):
        client = Client(fake(mode), FAKE_VERSION)
        return Options(client, time_limit_s, private=private, **more)

    return make


@pytest.fixture
def bench(options):
    """Return a function that makes benches, closed at the end."""
    benches = []

    def make(mode="plain", **how):
        benches.append(Bench(options(mode, **how)))
        return benches[-1]

    yield make
    for one in benches:
        one.close()


@pytest.fixture
def tmp_path(nothing_left):
    """Return a directory where a case's tree would be.

    The witness takes a whole directory below the place for temporary files for the case's. With
    pytest's own `tmp_path` that would be the directory of all tests, those of other workers too.
    """
    place = nothing_left / "tmp_path"
    place.mkdir()
    return place


@pytest.fixture(autouse=True)
def nothing_left(tmp_path_factory, monkeypatch):
    """Give each test a directory for temporary files of its own, and see that it is empty after."""
    place = tmp_path_factory.mktemp("t")
    monkeypatch.setattr("tempfile.tempdir", str(place))
    monkeypatch.setenv("TMPDIR", str(place))
    yield place
    assert [path.name for path in place.iterdir() if path.name.startswith("mw")] == []
