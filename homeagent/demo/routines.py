"""What a household does day after day: routines that a file tells, thrown onto the days up to now by seeded dice.

::

    automations: {automation.hall_light: state of binary_sensor.hall_motion}    # what triggers each
    now:                                       # what led to how the home is now: minutes before now
      - {before: 25, by: automation.hall_light, set: {light.hall: "on"}}
    routines:
      - at: "07:05"                            # local time
        spread: 10                             # minutes earlier or later
        days: [mon, tue, wed, thu, fri]        # absent: every day
        chance: 0.9                            # absent: always
        steps:
          - {after: 2, by: person.anna, set: {light.kitchen_ceiling: "on"}}
          - {after: 40, set: {climate.bedroom: {state: heat, hvac_action: idle}}}

``by`` is an automation, a person, or absent: a hand at the device, a sensor. A list in place of a state: one of them.
A day comes out the same whenever it is looked at, for its dice are thrown for its date.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from homeagent.timers.wanted import WEEKDAYS

_QUIET = timedelta(minutes=45)
"""No routine begins so shortly before now: then there is only what led to how the home is."""


@dataclass(frozen=True, slots=True)
class Happening:
    """An entity that came into a state ``at`` (aware, UTC). ``run``: the occurrence of a routine that it belongs to."""

    at: datetime
    entity_id: str
    state: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    by: str | None = None
    run: str = ""


@dataclass(frozen=True, slots=True)
class Days:
    """The days that are told of. ``now`` is aware, in the home's zone."""

    seed: str
    now: datetime
    count: int

    @property
    def zone(self) -> ZoneInfo:
        """The home's own."""
        zone = self.now.tzinfo
        assert isinstance(zone, ZoneInfo)
        return zone

    @property
    def start(self) -> datetime:
        """The first one's midnight, aware, UTC."""
        return self.moment(self.now.date() - timedelta(days=self.count), 0)

    def __iter__(self) -> Iterator[date]:
        first = self.now.date() - timedelta(days=self.count)
        return (first + timedelta(days=i) for i in range(self.count + 1))

    def moment(self, day: date, minutes: float) -> datetime:
        """So many minutes after midnight by the clock, aware, UTC, whole seconds."""
        clock = datetime.combine(day, time()) + timedelta(seconds=round(minutes * 60))
        return clock.replace(tzinfo=self.zone).astimezone(UTC)

    def dice(self, day: date, what: object) -> random.Random:
        """Dice of one day and one thing."""
        return random.Random(f"{self.seed} {day} {what}")


def happenings(told: Mapping[str, Any], days: Days) -> list[Happening]:
    """All that happened up to now, the oldest first."""
    now = days.now.astimezone(UTC)
    steps = told.get("now") or ()
    quiet = {
        entity_id: now - timedelta(minutes=step["before"]) for step in reversed(steps) for entity_id in step["set"]
    }
    found = [
        h for day in days for h in _finished(list(_of_day(told.get("routines") or (), days, day)), quiet) if h.at < now
    ]
    for number, step in enumerate(steps):
        at = now - timedelta(minutes=step["before"])
        found += _of_step(step, at, f"now {step.get('together', number)}", days.dice(days.now.date(), "now"))
    return sorted(found, key=lambda h: h.at)


def minutes_of(clock: str) -> float:
    """Minutes since midnight of ``07:05``."""
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def _of_day(routines: Sequence[Mapping[str, Any]], days: Days, day: date) -> Iterator[Happening]:
    for number, routine in enumerate(routines):
        dice = days.dice(day, number)
        if WEEKDAYS[day.weekday()] not in routine.get("days", WEEKDAYS) or dice.random() >= routine.get("chance", 1):
            continue
        spread = routine.get("spread", 0)
        begins = minutes_of(routine["at"]) + dice.uniform(-spread, spread)
        if days.moment(day, begins) > days.now - _QUIET:
            continue
        pace = dice.uniform(0.9, 1.1)
        for step in routine["steps"]:
            at = days.moment(day, begins + step.get("after", 0) * pace)
            yield from _of_step(step, at, f"{day} {number}", dice)


def _finished(happened: Sequence[Happening], quiet: Mapping[str, datetime]) -> Iterator[Happening]:
    """Without what an occurrence did to an entity that it would have left only after its ``quiet`` began: what led to
    how that one is now begins from how the occurrence found it.
    """
    open_ones = {(h.run, h.entity_id) for h in happened if h.entity_id in quiet and h.at >= quiet[h.entity_id]}
    return (h for h in happened if (h.run, h.entity_id) not in open_ones)


def _of_step(step: Mapping[str, Any], at: datetime, run: str, dice: random.Random) -> Iterator[Happening]:
    for number, (entity_id, wanted) in enumerate(step["set"].items()):
        given = dict(wanted) if isinstance(wanted, Mapping) else {"state": wanted}
        state = given.pop("state")
        state = dice.choice(state) if isinstance(state, list) else state
        yield Happening(at + timedelta(seconds=number * 0.2), entity_id, str(state), given, step.get("by"), run)
