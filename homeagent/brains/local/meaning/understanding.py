"""Whether a clause asks."""

from __future__ import annotations

from homeagent.brains.language.reading import Reading


def is_question(reading: Reading) -> bool:
    """Whether the clause asks and does not order. A polite order ("can you turn …") is none."""
    if reading.asks is not None:
        return reading.asks
    polite = {p for s in reading.of("polite") for p in s.positions}
    if any(not polite & set(s.positions) for s in reading.of("asking")):
        return True
    if _starts_with_question(reading):
        return True
    if not reading.text.rstrip().endswith(("?", "？")):
        return False
    return not reading.has("polite") and not _orders(reading)


def _starts_with_question(reading: Reading) -> bool:
    """ "Will the door be locked" asks, too; the "va" of "va éteindre" sends somebody to do it."""
    opening = reading.opening
    if any(opening in s.positions for s in reading.of("questions")):
        return True
    ahead = next((s for s in reading.of("future") if opening in s.positions), None)
    return ahead is not None and not any(ahead.positions[-1] + 1 in s.positions for s in reading.of("actions", "set"))


def _orders(reading: Reading) -> bool:
    """Whether the clause opens with a verb of doing, of more than a mere "on" or "off"."""
    opening = reading.opening
    return any(opening in s.positions and len(s.positions) > 1 for s in reading.of("actions", "adjust"))
