"""What a stretch of recorded states adds up to: averages by time, extremes, sums, time and count per state.

Pure: rows in, values out. While a thing was ``unavailable`` or ``unknown`` nothing is known of it: such stretches
are gaps, which count for nothing and are told.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from homeagent.ha.home import UNAVAILABLE, UNKNOWN
from homeagent.ha.recorder import HistoryRow, StatisticsRow
from homeagent.history.numbers import (
    Measured,
    as_number,
    measured,
    measured_in_statistics,
    metered,
    metered_in_statistics,
)
from homeagent.values.timespan import Span

GAPS = frozenset({UNAVAILABLE, UNKNOWN, ""})
"""States in which nothing is known of a thing."""
METERS = frozenset({"total", "total_increasing"})
"""State classes of sensors that count up: their sum is what was added, not the sum of what they showed."""


class Aggregate(StrEnum):
    """What recorded states can be summed up to; `figure` says how, TIME is the seconds spent in a state."""

    AVG = "avg"
    MIN = "min"
    MAX = "max"
    SUM = "sum"
    COUNT = "count"
    TIME = "time"
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A state and how long it held. ``entered``: whether it began within the span (else it held before)."""

    state: str
    start: datetime
    end: datetime
    entered: bool

    @property
    def seconds(self) -> float:
        """How long the state held within the span."""
        return (self.end - self.start).total_seconds()

    @property
    def known(self) -> bool:
        """Whether it is no gap."""
        return self.state not in GAPS


@dataclass(frozen=True, slots=True)
class StateShare:
    """How long a state held in all, and how often it was entered."""

    seconds: float
    count: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that sums up a span. ``readings``: how many recorded values it rests on; ``at``: when an extreme was."""

    value: float
    readings: int
    at: datetime | None = None


def stretches(rows: Iterable[HistoryRow], span: Span) -> list[Stretch]:
    """The rows as stretches within the span, in order, neighbours of one state joined.

    Rows at or before the start tell the state at the start; nothing is known before the first row.
    """
    ordered = sorted((row for row in rows if row.at < span.end), key=lambda row: row.at)
    before = [row for row in ordered if row.at <= span.start]
    points = [(before[-1].state, span.start, False)] if before else []
    points += [(row.state, row.at, True) for row in ordered if row.at > span.start]
    joined: list[tuple[str, datetime, bool]] = []
    for point in points:
        if not joined or joined[-1][0] != point[0]:
            joined.append(point)
    if not joined:
        return []
    ends = [start for _, start, _ in joined[1:]] + [span.end]
    return [Stretch(state, start, end, entered) for (state, start, entered), end in zip(joined, ends, strict=True)]


def occurrences(parts: Iterable[Stretch], states: Container[str]) -> list[Stretch]:
    """The times that a thing was in any of these states, in order; neighbours are one. A gap between two is no end:
    the thing is taken to have stayed, and the gap counts for nothing. The first may have begun before the span, which
    ``entered`` tells."""
    found: list[Stretch] = []
    within = False
    for part in parts:
        if not part.known:
            continue
        if part.state in states:
            found = [*found[:-1], _longer(found[-1], part)] if within else [*found, part]
        within = part.state in states
    return found


def known_seconds(parts: Iterable[Stretch]) -> float:
    """Seconds in all that are no gap."""
    return sum(part.seconds for part in parts if part.known)


def is_numeric(parts: Iterable[Stretch]) -> bool:
    """Whether something is known and all of it is numbers."""
    known = [part for part in parts if part.known]
    return bool(known) and all(as_number(part.state) is not None for part in known)


def figure(
    rows: Sequence[HistoryRow], span: Span, aggregate: Aggregate, *, meter: bool = False, net: bool = False
) -> Figure | None:
    """The aggregate of numeric states; None where nothing is known in the span, or where numbers have no such thing.

    avg: weighted by the time that each value held. min, max: of all values that held, the one from before the span
    included. count: values recorded within the span. sum: these added up, or for a ``meter`` what it counted: the
    increases, where a fall of more than a tenth is a new start from 0, as Home Assistant has it; a ``net`` meter may
    also count down. first, last: the value that held first or last, and since when.
    """
    found = measured(rows, span)
    if found is None or aggregate not in (Aggregate.COUNT, Aggregate.SUM):
        return _of_measured(found, aggregate)
    recorded = [v for row in rows if span.start < row.at < span.end and (v := as_number(row.state)) is not None]
    if aggregate is Aggregate.COUNT:
        return Figure(len(recorded), len(recorded))
    counted = metered(rows, span, only_rises=not net) if meter else None
    return Figure(counted.change if counted else math.fsum(recorded), len(recorded))


def _of_measured(found: Measured | None, aggregate: Aggregate) -> Figure | None:
    if found is None:
        return None
    match aggregate:
        case Aggregate.AVG:
            return Figure(found.mean, found.readings)
        case Aggregate.MIN:
            return Figure(found.low, found.readings, found.low_at)
        case Aggregate.MAX:
            return Figure(found.high, found.readings, found.high_at)
        case Aggregate.FIRST:
            return Figure(found.first, found.readings, found.first_at)
        case Aggregate.LAST:
            return Figure(found.last, found.readings, found.last_at)
        case _:
            return None


def shares(parts: Iterable[Stretch]) -> dict[str, StateShare]:
    """Time and count per state, longest first. A gap between two stretches of one state is no new entering."""
    seconds: dict[str, float] = {}
    counts: dict[str, int] = {}
    last: str | None = None
    for part in parts:
        if not part.known:
            continue
        seconds[part.state] = seconds.get(part.state, 0.0) + part.seconds
        counts[part.state] = counts.get(part.state, 0) + (part.entered and part.state != last)
        last = part.state
    longest = sorted(seconds, key=lambda state: -seconds[state])
    return {state: StateShare(seconds[state], counts[state]) for state in longest}


def figure_from_statistics(rows: Sequence[StatisticsRow], aggregate: Aggregate, *, meter: bool) -> Figure | None:
    """The aggregate from long-term statistics; None where these rows do not have it."""
    if aggregate in (Aggregate.AVG, Aggregate.MIN, Aggregate.MAX):
        return _of_measured(measured_in_statistics(rows), aggregate)
    if aggregate is Aggregate.SUM and meter and (counted := metered_in_statistics(rows)) is not None:
        return Figure(counted.change, counted.readings)
    return None


def attribute_rows(rows: Iterable[HistoryRow], attribute: str) -> list[HistoryRow]:
    """The history of one attribute as if it were a state; absent is unknown."""
    return [HistoryRow(row.entity_id, _text(row.attributes, attribute), row.at) for row in rows]


def _text(attributes: Mapping[str, object], name: str) -> str:
    value = attributes.get(name)
    return UNKNOWN if value is None else str(value)


def _longer(before: Stretch, more: Stretch) -> Stretch:
    """A stretch that went on after a gap or in another state: its length is that of the known parts."""
    return Stretch(before.state, before.start, before.end + (more.end - more.start), before.entered)


def sampled(parts: Sequence[Stretch], most: int) -> list[Stretch]:
    """At most ``most`` (2 or more) of these, in order: the first and the last, of numbers the lowest and the highest,
    and of the rest as many as fit, evenly along the list."""
    if len(parts) <= most:
        return list(parts)
    kept = {0, len(parts) - 1, *_extreme_places(parts)[: max(0, most - 2)]}
    room = most - len(kept)
    others = [i for i in range(len(parts)) if i not in kept]
    step = len(others) / room if room > 0 else 0
    kept |= {others[int(n * step)] for n in range(room)}
    return [parts[i] for i in sorted(kept)]


def _extreme_places(parts: Sequence[Stretch]) -> list[int]:
    values = [(value, i) for i, part in enumerate(parts) if (value := as_number(part.state)) is not None]
    return [min(values)[1], max(values, key=lambda v: v[0])[1]] if values else []
