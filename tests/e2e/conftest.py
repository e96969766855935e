"""Everything here runs on a real Home Assistant. Installing it takes minutes, the first time."""

import pytest

from tests.e2e.real import real_home_assistant

__all__ = ["real_home_assistant"]
_SHARED = {"client": "the whole home", "house": "the shared home", "real_home_assistant": "the shared home"}


def pytest_collection_modifyitems(items):
    """What runs on the same home runs in the same worker (`--dist loadgroup`), and each home is started once."""
    for item in items:
        if item.nodeid.startswith("tests/e2e/"):
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.timeout(900))
        if item.get_closest_marker("e2e"):
            homes = [_SHARED[name] for name in item.fixturenames if name in _SHARED]
            item.add_marker(pytest.mark.xdist_group(homes[0] if homes else item.path.stem))
