import signal

import pytest

from memassay.judge.workspace import Workspace
from tests.judge import mini


@pytest.fixture(autouse=True)
def _ctrl_c_works():
    """Undo what a shell does to the children that it puts in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def spec():
    return mini.make_spec()


@pytest.fixture
def workspace():
    with Workspace.create() as place:
        yield place
