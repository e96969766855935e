"""How many examples a property is tried with: all of them in `make test`, a quarter in `make test-fast`."""

from __future__ import annotations

from hypothesis import settings

ALL = 100
"""Examples of the usual profile."""
settings.register_profile("fast", max_examples=ALL // 4)


def share(examples: int) -> int:
    """So many of these examples as the profile has of its own."""
    return max(1, examples * settings.default.max_examples // ALL)
