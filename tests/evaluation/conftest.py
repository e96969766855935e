"""Settings without an embedder: what is measured here are words."""

import pytest

from homeagent.config.settings import Settings


@pytest.fixture
def words_only():
    """No embedder: its address leads nowhere."""
    return Settings.model_validate(
        {"agent": {"brain": "local"}, "index": {"endpoint": "http://127.0.0.1:9", "model": "none"}}
    )
