"""What was: every change since the start, and a past that the inventory tells (``x-history``).

``x-history`` of an entity that switches between states::

    daily: {"07:52": open, "07:58": closed}     # each day at these local times
    days: 3                                     # how many days back (default 3, today included)

and of one that measures::

    curve: {mean: 20.5, swing: 1.5, every: 10}  # a daily wave, warmest at 15:00; minutes between readings
    days: 10

The past ends in the state that the entity has now. It is made when it is first asked for.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.demo.state_machine import State
from homeagent.domains import profile_of

_NO_RESET = 0.9
LIMIT = 5000
"""Rows that are kept of one entity."""


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded state. ``changed`` moves with the state, ``updated`` with the attributes too; aware, UTC."""

    state: str
    attributes: Mapping[str, Any]
    changed: datetime
    updated: datetime


class Recorder:
    """What was recorded of every entity, at most `LIMIT` rows each. ``time_zone``: of the inventory's local times."""

    def __init__(self, time_zone: ZoneInfo) -> None:
        self._zone = time_zone
        self._rows: dict[str, deque[Row]] = {}
        self._seeds: dict[str, tuple[Mapping[str, Any], str]] = {}
        self._readings: dict[str, Callable[[], Iterable[tuple[datetime, str]]]] = {}

    def seed(self, entity_id: str, told: Mapping[str, Any], state: str) -> None:
        """Keep what the inventory tells of the past of an entity whose state is ``state`` now."""
        self._seeds[entity_id] = (told, state)

    def seed_with(self, entity_id: str, readings: Callable[[], Iterable[tuple[datetime, str]]]) -> None:
        """Have the past made by ``readings`` (aware times and states, oldest first) when it is first asked for."""
        self._seeds.pop(entity_id, None)
        self._readings[entity_id] = readings

    def last_seeded(self, entity_id: str) -> datetime | None:
        """When the entity came into the state that it has now, as far as the inventory tells."""
        if entity_id not in self._seeds:
            return None
        (told, state), now = self._seeds[entity_id], datetime.now(self._zone)
        if "curve" in told:
            return _last_of_curve(told["curve"], datetime.combine(now, time(), now.tzinfo), now)
        points = list(_past(told, state, now))
        return points[-1][0] if points else None

    def put(self, entity_id: str, points: Sequence[tuple[datetime, str]], attributes: Mapping[str, object]) -> None:
        """Put a past before what is recorded; what was recorded up to its last point goes."""
        past = [Row(state, attributes, at.astimezone(UTC), at.astimezone(UTC)) for at, state in sorted(points)]
        later = [row for row in self._rows.get(entity_id, ()) if not past or row.changed > past[-1].changed]
        self._rows[entity_id] = deque([*past, *later], maxlen=LIMIT)

    def put_rows(self, entity_id: str, rows: Iterable[tuple[datetime, str, Mapping[str, object]]]) -> None:
        """Put a past with attributes of its own before what is recorded: each attribute is kept as it is given."""
        now_recorded = self._rows.get(entity_id, deque(maxlen=LIMIT))
        past = [Row(state, attributes, at.astimezone(UTC), at.astimezone(UTC)) for at, state, attributes in rows]
        self._rows[entity_id] = deque([*past, *now_recorded], maxlen=LIMIT)

    def replace_rows(self, entity_id: str, rows: Iterable[Row]) -> None:
        """These are all that is recorded, in place of what was and of what the inventory tells."""
        self._seeds.pop(entity_id, None)
        self._rows[entity_id] = deque(rows, maxlen=LIMIT)

    def take(self, state: State | None) -> None:
        """Record a new state; None is ignored."""
        if state is not None:
            self._rows.setdefault(state.entity_id, deque(maxlen=LIMIT)).append(self.recorded(state))

    def recorded(self, state: State) -> Row:
        """What is recorded of a state: without the attributes that HA does not record."""
        hidden = profile_of(state.entity_id.partition(".")[0]).simulated.unrecorded
        attributes = {key: value for key, value in state.attributes.items() if key not in hidden}
        return Row(state.state, attributes, state.last_changed, state.last_updated)

    def rows(self, entity_id: str, start: datetime, end: datetime, *, changes_only: bool = False) -> list[Row]:
        """Rows after ``start`` up to ``end``, oldest first, after the one that was current at ``start``.

        ``changes_only`` leaves out rows in which only attributes changed.
        """
        self._grow(entity_id)
        before: Row | None = None
        found: list[Row] = []
        for row in self._rows.get(entity_id, ()):
            if row.updated <= start:
                before = row
            elif row.updated <= end:
                found.append(row)
        if before is not None:
            found.insert(0, Row(before.state, before.attributes, before.changed, start))
        if changes_only:
            found = [row for i, row in enumerate(found) if i == 0 or row.state != found[i - 1].state]
        return found

    def statistics(self, entity_id: str, start: datetime, end: datetime, period: timedelta) -> Iterator[dict[str, Any]]:
        """Mean (weighted by time), min, max, last value and what was counted of each whole period with readings."""
        rows = [(row.updated, value) for row in self.rows(entity_id, start, end) if (value := _value(row)) is not None]
        times = [when for when, _ in rows]
        at = start
        while at + period <= end and rows:
            until = at + period
            used = rows[max(0, bisect_right(times, at) - 1) : bisect_left(times, until)]
            if used:
                yield {"start": at, "end": until} | _summary([(max(when, at), value) for when, value in used], until)
            at = until

    def _grow(self, entity_id: str) -> None:
        made: Iterable[tuple[datetime, str]]
        if readings := self._readings.pop(entity_id, None):
            made = readings()
        elif entity_id in self._seeds:
            made = _past(*self._seeds.pop(entity_id), datetime.now(self._zone))
        else:
            return
        recorded = self._rows.get(entity_id)
        first = recorded[0] if recorded else None
        at = first.updated if first else datetime.now(UTC)
        self.put(entity_id, [p for p in made if p[0] < at], first.attributes if first else {})


def _value(row: Row) -> float | None:
    try:
        return float(row.state)
    except ValueError:
        return None


def _summary(readings: Sequence[tuple[datetime, float]], until: datetime) -> dict[str, float]:
    ends = [when for when, _ in readings[1:]] + [until]
    spans = [(end - when).total_seconds() for (when, _), end in zip(readings, ends, strict=True)]
    values = [value for _, value in readings]
    whole = sum(spans)
    mean = sum(v * s for v, s in zip(values, spans, strict=True)) / whole if whole else values[-1]
    steps = list(itertools.pairwise(values))
    return {
        "mean": mean,
        "min": min(values),
        "max": max(values),
        "state": values[-1],
        "net": values[-1] - values[0],
        # what rises begins anew from 0 where it falls by more than a tenth
        "rise": sum(now - before if now >= _NO_RESET * before else now for before, now in steps),
    }


def _past(
    told: Mapping[str, Any], state: str, now: datetime, *, days: int | None = None
) -> Iterator[tuple[datetime, str]]:
    """Points of the past, oldest first, the last one in ``state``."""
    span = days or int(told.get("days", 3))
    first_day = (now - timedelta(days=span - 1)).date()
    if curve := told.get("curve"):
        yield from _curve(curve, state, datetime.combine(first_day, time(), now.tzinfo), now)
        return
    points = []
    for day in range(span):
        for at, then in told.get("daily", {}).items():
            hour, minute = str(at).split(":")
            moment = datetime.combine(first_day + timedelta(days=day), time(int(hour), int(minute)), now.tzinfo)
            if moment < now:
                points.append((moment, _word(then)))
    points.sort()
    if points and points[-1][1] != state:
        points.append((points[-1][0] + (now - points[-1][0]) / 2, state))
    yield from points


def _curve(curve: Mapping[str, float], state: str, start: datetime, now: datetime) -> Iterator[tuple[datetime, str]]:
    step = timedelta(minutes=curve.get("every", 10))
    at, i = start, 0
    while at < now - step:
        hours = at.hour + at.minute / 60
        ripple = 0.1 * math.sin(i * 1.7)
        value = curve["mean"] + curve.get("swing", 0) * (math.cos((hours - 15) / 24 * 2 * math.pi) + ripple)
        yield at, f"{value:.1f}"
        at, i = at + step, i + 1
    yield _last_of_curve(curve, start, now), state


def _last_of_curve(curve: Mapping[str, float], start: datetime, now: datetime) -> datetime:
    return max(start, now - timedelta(minutes=curve.get("every", 10)))


def _word(state: object) -> str:
    """YAML reads on and off as true and false."""
    return {True: "on", False: "off"}.get(state, str(state)) if isinstance(state, bool) else str(state)
