"""Whether a clause orders something."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading


def orders(reading: Reading) -> bool:
    """Whether something is to be done: more than a particle such as the "on" of "on saturday"."""
    if reading.has("timers"):
        return True
    particles = {p for s in reading.of("particles", "weekdays", "horizon", "questions") for p in s.positions}
    opens = [s for s in reading.of("set") if reading.opening in s.positions]
    lists = [s for s in reading.of("lists") if s.concept not in ("show", "into")]
    return any(not set(s.positions) <= particles for s in (*reading.of("actions"), *lists, *opens))
