"""A timer as plain values, for brains and programs."""

from __future__ import annotations

import math
from datetime import datetime

from homeagent.ha.home import HomeConfig
from homeagent.timers.due import After, At, AtSun, Due, Every, Upon, Weekday
from homeagent.timers.next_time import repeats
from homeagent.timers.timer import Timer
from homeagent.timers.wanted import WEEKDAYS


def shown(timer: Timer, now: datetime, config: HomeConfig) -> dict[str, object]:
    """What it is, when it is due by the home's clock, how long is left, and what it does.

    The fields that say when are those of the tool; ``note`` is there where something has to be told.
    """
    left = timer.seconds_left(now)
    told: dict[str, object] = {
        "id": timer.id,
        "kind": timer.kind.value,
        "name": timer.name,
        "state": timer.state.value,
        "due": config.local(timer.next_due) if timer.next_due else None,
        "seconds_left": None if left is None else math.ceil(left),
        "repeats": repeats(timer.due),
        **_when(timer.due),
    }
    today = now.astimezone(config.time_zone).date()
    without = timer.due.without if isinstance(timer.due, Every | AtSun) else frozenset()
    if days := sorted(day.isoformat() for day in without if day >= today):
        told["without"] = days
    if timer.only is not None:
        told |= {"only_entity_id": timer.only.entity_id, "only_state": timer.only.state}
    if timer.calls:
        told["calls"] = [dict(call) for call in timer.calls]
    if timer.set_by.area_id:
        told["area_id"] = timer.set_by.area_id
    if timer.fired_at:
        told["fired_at"] = config.local(timer.fired_at)
    if timer.note:
        told |= {"note": timer.note.value, "detail": timer.detail}
    return told


def _when(due: Due) -> dict[str, object]:
    match due:
        case After(wait):
            return {"in_seconds": wait.total_seconds()}
        case At(clock):
            return {"at": clock.isoformat("minutes")}
        case Every(clock, days):
            return {"at": clock.isoformat("minutes"), "weekdays": _names(days)}
        case AtSun(sun, offset, days):
            weekdays = {"weekdays": _names(days)} if days else {}
            return {"sun": sun.value, "sun_offset_minutes": round(offset.total_seconds() / 60), **weekdays}
        case Upon(entity_id, state):
            return {"upon_entity_id": entity_id, "upon_state": state}


def _names(days: frozenset[Weekday]) -> list[str]:
    return [WEEKDAYS[day] for day in sorted(days)]
