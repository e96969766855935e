"""Gives a home a past: what was recorded of it in a month, and a logbook of who and what did it.

What sensors measured and meters counted is told so::

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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from homeagent.demo.logbook import Entry, Logbook, is_continuous
from homeagent.demo.recorded_past import Row
from homeagent.demo.routines import Days, Happening, happenings, minutes_of
from homeagent.demo.state_machine import Context
from homeagent.demo.world import World
from homeagent.domains import profile_of

_SEED = "homeagent"


def live_through(world: World, told: Mapping[str, Any]) -> None:
    """Give the world the past that the file tells (see `routines`, and above), ending now in the states that
    it has, and a logbook."""
    days = Days(_SEED, world.now(), int(told.get("days", 30)))
    logbook = Logbook(world.name_of)
    past = _Past(world, logbook, told, days)
    past.fill()
    world.logbook = logbook


@dataclass(slots=True)
class _Past:
    world: World
    logbook: Logbook
    told: Mapping[str, Any]
    days: Days

    def fill(self) -> None:
        """Put every entity's past before what is recorded."""
        sensors = (self.told.get("measured") or {}).keys() | (self.told.get("meters") or {}).keys()
        lived: dict[str, list[Row]] = {i: [self._first(i)] for i in self.world.devices if i not in sensors}
        contexts: dict[str, Context] = {}
        causes = _Causes(self.logbook, self.told.get("automations") or {}, self._users())
        known = (h for h in self._ending_now() if h.entity_id in lived)
        for happening in known:
            rows = lived[happening.entity_id]
            shown = {**rows[0].attributes, **happening.attributes}
            if (rows[-1].state, rows[-1].attributes) == (happening.state, shown):
                continue
            context = causes.context(happening, contexts)
            if rows[-1].state != happening.state and not is_continuous(happening.entity_id, shown):
                self.logbook.put([Entry(happening.at, happening.entity_id, context, happening.state)])
            since = happening.at if rows[-1].state != happening.state else rows[-1].changed
            rows.append(Row(happening.state, shown, since, happening.at))
            contexts[happening.entity_id] = context
        for entity_id, rows in lived.items():
            self.world.age(entity_id, rows, contexts.get(entity_id))
        for automation, at in causes.last_run.items():
            self.world.devices[automation].put(None, {"last_triggered": at.isoformat()})
        for sensor in sensors & self.world.devices.keys():
            self._measure(sensor)

    def _ending_now(self) -> Iterable[Happening]:
        """What happened, and for what does not end as it is now, that somebody at home brought it there."""
        found = happenings(self.told, self.days)
        last: dict[str, Happening] = {h.entity_id: h for h in found}
        now = self.days.now.astimezone(UTC)
        for entity_id, happening in last.items():
            state = self.world.states.get(entity_id)
            if state is None or state.state == happening.state:
                continue
            at = max(happening.at + (now - happening.at) / 2, now - timedelta(minutes=35))
            by = self.told.get("at_home") if profile_of(state.entity_id.partition(".")[0]).actions else None
            found.append(Happening(at, entity_id, state.state, {}, by, f"now {entity_id}"))
        return sorted(found, key=lambda h: h.at)

    def _first(self, entity_id: str) -> Row:
        """How it was before the first thing that happened to it: as it is now."""
        state = self.world.states.get(entity_id)
        assert state is not None
        start = self.days.start
        return Row(state.state, self.world.recorder.recorded(state).attributes, start, start)

    def _measure(self, sensor: str) -> None:
        """What is measured is made when it is first asked for; a meter ends in what it has counted."""
        state = self.world.states.get(sensor)
        assert state is not None
        told, days = self.told, self.days

        def readings() -> Iterator[Reading]:
            if sensor in (told.get("meters") or {}):
                return counted(sensor, told["meters"][sensor], days)
            return measured(sensor, told["measured"][sensor], days)

        if sensor in (told.get("meters") or {}):
            self.world.set_state(sensor, list(readings())[-1][1])
        self.world.recorder.seed_with(sensor, readings)

    def _users(self) -> Mapping[str, str]:
        """User id of each person that has one."""
        found = {}
        for state in self.world.states:
            if state.entity_id.startswith("person.") and (user := state.attributes.get("user_id")):
                found[state.entity_id] = str(user)
        return found


class _Causes:
    """Contexts of what happened, as Home Assistant would have made them. ``triggers``: what triggers each automation.

    ``last_run``: when each automation last ran.
    """

    def __init__(self, logbook: Logbook, triggers: Mapping[str, str], users: Mapping[str, str]) -> None:
        self._logbook, self._triggers, self._users = logbook, triggers, users
        self._runs: dict[tuple[str, str], Context] = {}
        self._ids = random.Random(_SEED)
        self.last_run: dict[str, datetime] = {}

    def context(self, happening: Happening, contexts: Mapping[str, Context]) -> Context:
        """The context that something happened in. ``contexts``: those of the last changes, by entity."""
        fresh = Context(f"{self._ids.getrandbits(128):032x}")
        by = happening.by
        if by is None:
            return fresh
        if user := self._users.get(by):
            context = replace(fresh, user_id=user)
            domain = happening.entity_id.partition(".")[0]
            self._logbook.put_call(context, domain, _service(domain, happening.state))
            return context
        if by not in self._triggers:
            return fresh
        run = (by, happening.run)
        if run not in self._runs:
            source = self._triggers[by]
            trigger = contexts.get(source.rpartition(" ")[2])
            context = replace(fresh, parent_id=trigger.id if trigger else None)
            self._runs[run] = context
            self._logbook.put([Entry(happening.at, by, context, source=source)])
            self.last_run[by] = happening.at
        return self._runs[run]


def _service(domain: str, state: str) -> str:
    """The service that leads to a state."""
    leading = (s.name for s in profile_of(domain).actions.values() if state in (*s.reaches, *s.under_way))
    return next(leading, "turn_off" if state in ("off", "idle") else "turn_on")


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
