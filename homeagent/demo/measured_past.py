"""What sensors measured and meters counted in the days up to now, as a file tells it.

::

    measured:
      sensor.bathroom_humidity: {mean: 52, swing: 3, drift: 2, every: 10, bumps: {"06:50": [22, 40]}}
    meters:
      sensor.energy_today: {per_hour: 0.2, every: 15, more: {"18:00": [1.6, 90]}}

A measured value goes in a daily wave (highest at ``warmest``, 15:00), differs from day to day by ``drift``, ripples by
``noise``, and rises after each bump by so much, halved every so many minutes. A meter begins anew at midnight, and
counts ``more`` per hour from a time on for so many minutes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from homeagent.demo.routines import Days, minutes_of

_DAY = 24 * 60

Reading = tuple[datetime, str]


def measured(entity_id: str, told: Mapping[str, Any], days: Days) -> Iterator[Reading]:
    """The readings of a sensor, the oldest first."""
    digits = int(told.get("digits", 1))
    bumps = [(minutes_of(at), *rises) for at, rises in (told.get("bumps") or {}).items()]
    drift = {day: days.dice(day, f"{entity_id} drift").gauss(0, told.get("drift", 0)) for day in days}
    for at, day, minutes, dice in _clock(entity_id, told, days):
        part = minutes / _DAY
        wave = math.cos((part - minutes_of(told.get("warmest", "15:00")) / _DAY) * 2 * math.pi)
        of_day = drift[day] * (1 - part) + drift.get(day + timedelta(days=1), drift[day]) * part
        value = told["mean"] + told.get("swing", 0) * wave + of_day + dice.gauss(0, told.get("noise", 0))
        value += sum(rise * 0.5 ** ((minutes - begins) % _DAY / halved) for begins, rise, halved in bumps)
        yield at, f"{value:.{digits}f}"


def counted(entity_id: str, told: Mapping[str, Any], days: Days) -> Iterator[Reading]:
    """The readings of a meter, the oldest first."""
    every = told.get("every", 10)
    more = [(minutes_of(at), *rate) for at, rate in (told.get("more") or {}).items()]
    value, of = 0.0, None
    for at, day, minutes, dice in _clock(entity_id, told, days):
        if day != of:
            value, of = 0.0, day
        else:
            rate = told["per_hour"] + sum(rate for begins, rate, lasts in more if begins <= minutes < begins + lasts)
            value += rate * every / 60 * dice.uniform(0.7, 1.3)
        yield at, f"{value:.2f}"


def _clock(entity_id: str, told: Mapping[str, Any], days: Days) -> Iterator[tuple[datetime, date, int, random.Random]]:
    """When it is read, up to now: the moment (aware, UTC), the day, the minute of it, and the day's dice."""
    now = days.now.astimezone(UTC)
    for day in days:
        dice, midnight = days.dice(day, entity_id), days.moment(day, 0)
        ends = min(now, days.moment(day + timedelta(days=1), 0))
        for minutes in range(0, _DAY, told.get("every", 10)):
            at = midnight + timedelta(minutes=minutes)
            if at < ends:
                yield at, day, minutes, dice
