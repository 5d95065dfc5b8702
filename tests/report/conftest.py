from pathlib import Path

import pytest

from memassay.spec.loader import load_spec

MINI = Path(__file__).parent.parent / "cli" / "mini" / "spec"


@pytest.fixture(scope="session")
def mini():
    """The little spec of tests/cli/mini: a failure of every kind, and nothing that changes."""
    return load_spec(root=MINI)
