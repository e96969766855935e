"""Change points, fewer than there were: the first, the last and the extremes stay."""

from __future__ import annotations

from collections.abc import Sequence

from homeagent.history.numbers import as_number
from homeagent.history.sums import Stretch


def sampled(parts: Sequence[Stretch], most: int) -> list[Stretch]:
    """At most ``most`` (2 or more) of these, in order: the first and the last, of numbers the lowest and the highest,
    and of the rest as many as fit, evenly along the list."""
    if len(parts) <= most:
        return list(parts)
    kept = {0, len(parts) - 1, *_extremes(parts)[: max(0, most - 2)]}
    room = most - len(kept)
    others = [i for i in range(len(parts)) if i not in kept]
    step = len(others) / room if room > 0 else 0
    kept |= {others[int(n * step)] for n in range(room)}
    return [parts[i] for i in sorted(kept)]


def _extremes(parts: Sequence[Stretch]) -> list[int]:
    values = [(value, i) for i, part in enumerate(parts) if (value := as_number(part.state)) is not None]
    return [min(values)[1], max(values, key=lambda v: v[0])[1]] if values else []
