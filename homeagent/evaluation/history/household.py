"""Fourteen days of a household, made by seed: what a recorder would have written down of them.

Everything happens by the local clock, so a day on which it changes has its 23 or 25 hours. While the recorder stands
still nothing is written; when it starts again everything is unavailable for some seconds, as after a restart.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.ha.recorder import HistoryRow

_RESTART = timedelta(seconds=20)
_CLIMATE = {"temperature": 21.0, "current_temperature": 20.5, "hvac_modes": ["off", "heat"]}


@dataclass(frozen=True, slots=True)
class Days:
    """The days to be made: from the first one's midnight up to a moment. Local times without a zone."""

    first: date
    until: datetime
    gap: tuple[datetime, datetime]
    reset: datetime
    seed: str
    zone: ZoneInfo

    def moment(self, local: datetime) -> datetime:
        """A local time as a moment, aware, UTC."""
        return local.replace(tzinfo=self.zone).astimezone(UTC)

    @property
    def end(self) -> datetime:
        """The moment up to which the days are made, aware, UTC."""
        return self.moment(self.until)

    def __iter__(self) -> Iterator[date]:
        day = self.first
        while day <= self.until.date():
            yield day
            day += timedelta(days=1)


def record(days: Days) -> dict[str, list[HistoryRow]]:
    """What was recorded of each entity, oldest first."""
    return {i: _through_the_gap(make(_Chance(days, i)), days) for i, make in _HABITS.items()}


class _Chance:
    """Dice of one entity's own, and the clock."""

    def __init__(self, days: Days, entity_id: str) -> None:
        self.days = days
        self._entity_id = entity_id
        self.dice = random.Random(f"{days.seed} {entity_id}")

    def row(self, at: datetime, state: str, attributes: Mapping[str, Any] | None = None) -> HistoryRow:
        """What was written down at ``at`` (aware, UTC, whole seconds)."""
        return HistoryRow(self._entity_id, state, at, attributes or {})

    def at(self, day: date, hour: float, spread: float = 12) -> datetime:
        """About so many hours after midnight by the clock, give or take minutes."""
        seconds = round(hour * 3600 + self.dice.uniform(-spread, spread) * 60)
        clock = datetime.combine(day, time()) + timedelta(seconds=seconds)
        return self.days.moment(clock)

    def every(self, minutes: int) -> Iterator[datetime]:
        at = self.days.moment(datetime.combine(self.days.first, time()))
        while at < self.days.end:
            yield at
            at += timedelta(minutes=minutes, seconds=self.dice.randint(-20, 20))

    def spells(self, hours: Sequence[tuple[float, float]], likely: float = 1.0) -> Iterator[tuple[datetime, datetime]]:
        """Each day at about these hours, for about so many minutes."""
        for day in self.days:
            for hour, minutes in hours:
                if self.dice.random() < likely:
                    start = self.at(day, hour)
                    yield start, start + timedelta(seconds=round(minutes * 60 * self.dice.uniform(0.6, 1.4)))


def _switched(
    on: str, off: str, hours: Sequence[tuple[float, float]], likely: float = 0.9
) -> Callable[[_Chance], list[HistoryRow]]:
    def make(chance: _Chance) -> list[HistoryRow]:
        rows = [chance.row(chance.days.moment(datetime.combine(chance.days.first, time())), off)]
        for start, end in sorted(chance.spells(hours, likely)):
            if start > rows[-1].at:
                rows += [chance.row(start, on), chance.row(end, off)]
        return rows

    return make


def _measured(
    mean: float, swing: float, noise: float, every: int, digits: int = 1
) -> Callable[[_Chance], list[HistoryRow]]:
    def make(chance: _Chance) -> list[HistoryRow]:
        rows, drift = [], 0.0
        for at in chance.every(every):
            local = at.astimezone(chance.days.zone)
            wave = math.cos((local.hour + local.minute / 60 - 15) / 24 * 2 * math.pi)
            drift = 0.98 * drift + chance.dice.gauss(0, noise)
            rows.append(chance.row(at, f"{mean + swing * wave + drift:.{digits}f}"))
        return rows

    return make


def _meter(chance: _Chance) -> list[HistoryRow]:
    rows, value, began_anew = [], 4210.0, False
    for at in chance.every(15):
        hour = at.astimezone(chance.days.zone).hour
        value += chance.dice.uniform(0.02, 0.09) * (3 if 17 <= hour < 22 else 1)
        if not began_anew and at >= chance.days.moment(chance.days.reset):
            value, began_anew = chance.dice.uniform(0.0, 0.05), True
        rows.append(chance.row(at, f"{value:.2f}"))
    return rows


def _heating(chance: _Chance) -> list[HistoryRow]:
    idle = {**_CLIMATE, "hvac_action": "idle"}
    rows = [chance.row(chance.days.moment(datetime.combine(chance.days.first, time())), "heat", idle)]
    for start, end in sorted(chance.spells([(5.5, 70), (8.5, 25), (12, 20), (16.5, 45), (19, 80), (22, 20)])):
        if start > rows[-1].at:
            rows += [chance.row(start, "heat", {**_CLIMATE, "hvac_action": "heating"}), chance.row(end, "heat", idle)]
    return rows


def _person(hours: Sequence[tuple[float, float]]) -> Callable[[_Chance], list[HistoryRow]]:
    return _switched("not_home", "home", hours, 0.95)


def _titles(chance: _Chance) -> list[HistoryRow]:
    rows: list[HistoryRow] = []
    for start, end in sorted(chance.spells([(6.8, 60), (18.2, 120)])):
        at = max(start, rows[-1].at + timedelta(seconds=30)) if rows else start
        while at < end:
            rows.append(chance.row(at, f"Song {chance.dice.randint(1, 900)}"))
            at += timedelta(seconds=chance.dice.randint(150, 260))
        rows.append(chance.row(at, "Silence"))
    return rows


_HABITS: Mapping[str, Callable[[_Chance], list[HistoryRow]]] = {
    "binary_sensor.front_door": _switched("on", "off", [(7.6, 1), (8.1, 1), (12.9, 2), (16.4, 1), (17.7, 3), (20, 1)]),
    "lock.front_door": _switched("unlocked", "locked", [(7.5, 40), (16.3, 90), (20.2, 10)]),
    "cover.garage": _switched("open", "closed", [(7.9, 5), (17.5, 12), (19.9, 4)], 0.75),
    "binary_sensor.garden_motion": _switched("on", "off", [(1.4, 1), (7.2, 2), (13.5, 4), (17.2, 3), (22.6, 1)], 0.7),
    "binary_sensor.bedroom_window": _switched("on", "off", [(6.9, 25), (21.3, 15)], 0.8),
    "light.kitchen": _switched("on", "off", [(6.6, 70), (12.2, 35), (17.8, 100), (21.4, 30)]),
    "light.hall": _switched("on", "off", [(1.6, 55), (6.7, 45), (14.4, 40), (17.2, 200)]),
    "switch.coffee_machine": _switched("on", "off", [(7.4, 35), (14.8, 20)]),
    "climate.heating": _heating,
    "sensor.outdoor_temperature": _measured(8.4, 4.2, 0.22, 5),
    "sensor.living_room_temperature": _measured(20.6, 0.8, 0.07, 5),
    "sensor.bathroom_humidity": _measured(58.0, 3.0, 0.6, 10, 0),
    "sensor.energy": _meter,
    "sensor.radio_title": _titles,
    "person.anna": _person([(8.2, 480)]),
    "person.ben": _person([(9.1, 300), (18.5, 50)]),
}  # fmt: skip


def _through_the_gap(rows: Sequence[HistoryRow], days: Days) -> list[HistoryRow]:
    """What was written down of this: only changes, nothing in the gap, and up to the end."""
    stopped, started = (days.moment(local) for local in days.gap)
    kept: list[HistoryRow] = []
    missed: HistoryRow | None = None
    resumed = False
    for row in rows:
        if row.at >= days.end:
            break
        if stopped <= row.at < started + _RESTART:
            missed = row
            continue
        if row.at >= started and not resumed:
            kept += _restart(missed or (kept[-1] if kept else row), started)
            resumed = True
        if not kept or (kept[-1].state, kept[-1].attributes) != (row.state, row.attributes):
            kept.append(row)
    return kept


def _restart(was: HistoryRow, started: datetime) -> list[HistoryRow]:
    return [replace(was, at=started, state="unavailable", attributes={}), replace(was, at=started + _RESTART)]
