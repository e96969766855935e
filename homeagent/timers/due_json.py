"""When something is due, as JSON for the database and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time, timedelta
from typing import Any

from homeagent.timers.due import After, At, AtSun, Due, Every, Sun, Upon, Weekday


def as_json(due: Due) -> dict[str, Any]:
    """Which kind of due it is under ``type``, then its fields; `from_json` reads it."""
    match due:
        case After(wait):
            return {"type": "after", "seconds": wait.total_seconds()}
        case At(clock, day):
            return {"type": "at", "time": clock.isoformat(), "day": day.isoformat() if day else None}
        case Every(clock, days):
            return {"type": "every", "time": clock.isoformat(), "days": sorted(days), **_left_out(due.without)}
        case AtSun(sun, offset, days):
            told = {"type": "sun", "sun": sun.value, "offset": offset.total_seconds(), "days": sorted(days)}
            return told | _left_out(due.without)
        case Upon(entity_id, state):
            return {"type": "upon", "entity_id": entity_id, "state": state}


def from_json(data: Mapping[str, Any]) -> Due:
    """The due that `as_json` wrote. Raises KeyError or ValueError for anything else."""
    kind = data["type"]
    if kind == "after":
        return After(timedelta(seconds=data["seconds"]))
    if kind == "at":
        return At(time.fromisoformat(data["time"]), date.fromisoformat(data["day"]) if data["day"] else None)
    if kind == "every":
        return Every(time.fromisoformat(data["time"]), _days(data), _without(data))
    if kind == "sun":
        return AtSun(Sun(data["sun"]), timedelta(seconds=data["offset"]), _days(data), _without(data))
    if kind == "upon":
        return Upon(data["entity_id"], data["state"])
    raise ValueError(f"There is no due of type {kind!r}.")


def _days(data: Mapping[str, Any]) -> frozenset[Weekday]:
    return frozenset(map(Weekday, data["days"]))


def _left_out(without: frozenset[date]) -> dict[str, list[str]]:
    return {"without": sorted(day.isoformat() for day in without)} if without else {}


def _without(data: Mapping[str, Any]) -> frozenset[date]:
    return frozenset(map(date.fromisoformat, data.get("without", ())))
