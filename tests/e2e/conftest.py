"""Everything here runs on a real Home Assistant. Installing it takes minutes, the first time."""

from pathlib import Path

import pytest

from tests.e2e.real import real_home_assistant

__all__ = ["real_home_assistant"]


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.timeout(900))
