import pytest

from memassay.judge.workspace import Workspace
from tests.judge import mini


@pytest.fixture
def spec():
    return mini.make_spec()


@pytest.fixture
def workspace():
    with Workspace.create() as place:
        yield place
