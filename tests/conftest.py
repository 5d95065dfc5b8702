import pytest
from hypothesis import HealthCheck, settings

# No test asserts timing, and the machines that run them are shared.
settings.register_profile("memassay", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("memassay")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep the developer's cache of parsed spec files out of the tests, and theirs out of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMASSAY_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
