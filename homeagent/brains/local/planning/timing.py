"""What a request about another time asks of the tool `timer`."""

from __future__ import annotations

from typing import Any

from homeagent.timers.due import After, At, AtSun, Due, Every, Upon
from homeagent.understanding.request import Timing

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ALL = "all"


def parameters(timing: Timing) -> dict[str, Any]:
    """The parameters of the call, but for what an action does."""
    said: dict[str, Any] = {"action": timing.deed.value}
    if timing.timer_id:
        said["id"] = timing.timer_id
    elif timing.every:
        said["id"] = _ALL
    if timing.kind is not None and not timing.timer_id:
        said["kind"] = timing.kind.value
    if timing.name:
        said["name"] = timing.name
    if timing.more is not None:
        said["add_seconds"] = _plain(timing.more.total_seconds())
    return said | (when(timing.due) if timing.due is not None else {})


def when(due: Due) -> dict[str, Any]:
    """When it is due, in the fields of the tool."""
    match due:
        case After(wait):
            return {"in_seconds": _plain(wait.total_seconds())}
        case At(clock, day):
            text = clock.isoformat("minutes")
            return {"at": f"{day.isoformat()}T{text}" if day is not None else text}
        case Every(clock, days):
            return {"at": clock.isoformat("minutes"), "weekdays": [_DAYS[d] for d in sorted(days)]}
        case AtSun(sun, offset, days):
            said: dict[str, Any] = {"sun": sun.value}
            if offset:
                said["sun_offset_minutes"] = round(offset.total_seconds() / 60)
            return said | ({"weekdays": [_DAYS[d] for d in sorted(days)]} if days else {})
        case Upon(entity_id, state):
            return {"upon_entity_id": entity_id, "upon_state": state}


def _plain(seconds: float) -> float:
    return int(seconds) if float(seconds).is_integer() else seconds
