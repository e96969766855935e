"""Damage planted in the vector store of a stopped service: it must start, say so, and be well again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.chaos.folder import Watch, size_of
from tests.chaos.rounds import Rounds


def planted(rounds: Rounds, damage: Callable[[Path], None]) -> dict[str, Any]:
    """Damage the files of a service that has been well, give it something to write, start it, and see."""
    victim = rounds.victim
    victim.end()
    rounds.change()
    before = victim.rebuilds()
    damage(victim.data / "chroma")
    with Watch(victim.data) as watch:
        victim.start()
        seconds = victim.wait_until_well(rounds.entities)
        largest, healthy = watch.largest, size_of(victim.data)
    return {
        "seconds until well": round(seconds, 1),
        "made anew": victim.rebuilds() - before,
        "largest size / healthy size": round(largest / healthy, 2),
    }
