"""What a clause wants done, before it is known to whom: an action and the settings that go with it."""

from __future__ import annotations

from homeagent.brains.language.lexicon import Spot
from homeagent.brains.language.reading import Reading


def says_no_verb(reading: Reading) -> bool:
    """Whether nothing but a bare particle, if that, says what is to be done."""
    return not _strong(reading) and not reading.of("adjust", "set")


def _strong(reading: Reading) -> list[Spot]:
    """The words for an action that are more than a particle."""
    particles = {p for s in reading.of("particles") for p in s.positions}
    return [s for s in reading.ordered("actions") if not set(s.positions) <= particles]
