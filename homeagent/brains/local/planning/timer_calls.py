"""From a request about another time to calls of the tool `timer`, and of what is done at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import time, timedelta
from typing import Any

from homeagent.brains.local.planning.plans import CONTROL, TIMER, Plan, Saying, call
from homeagent.brains.local.surroundings import Surroundings
from homeagent.domains import SET_VALUE
from homeagent.domains.actions import OPPOSITE
from homeagent.timers.due import After, At, AtSun, Due, Every, Upon
from homeagent.timers.timer import Timer, TimerAction, TimerKind, TimerState
from homeagent.timers.wanted import WEEKDAYS
from homeagent.turn import ToolCall
from homeagent.turns.question_back import QuestionBack, QuestionKind
from homeagent.understanding.frames.home_assistants_timers import TIME, TIME_STEP
from homeagent.understanding.request import Act, Request, Timing

_ALL = "all"
_NOON = time(12)
"""Who is woken later than this is so once."""
_RESTORED: Mapping[str, tuple[str, float]] = {
    "temperature": ("temperature", 1),
    "brightness_pct": ("brightness", 100 / 255),
    "brightness_step_pct": ("brightness", 100 / 255),
    "volume_level": ("volume_level", 1),
    "volume_step_pct": ("volume_level", 1),
    "position": ("current_position", 1),
    "percentage": ("percentage", 1),
    "humidity": ("humidity", 1),
}
"""By the parameter that is set: the attribute that tells what it was, and what that is multiplied with."""
_SET_BY = {
    "temperature_step": "temperature",
    "brightness_step_pct": "brightness_pct",
    "volume_step_pct": "volume_level",
}
"""The parameter that sets what another one moves."""


def plan_timing(
    request: Request, timing: Timing, around: Surroundings, plan: Callable[[Request, Surroundings], Plan]
) -> Plan:
    """The calls, or a question for when; where what is ordered cannot be, or is asked about, what is said of that."""
    if timing.also:
        plans = [plan_timing(request, replace(one, also=()), around, plan) for one in (timing, *timing.also)]
        unsaid = next((p for p in plans if not p.calls), None)
        return unsaid or Plan(request, tuple(c for p in plans for c in p.calls))
    ordered: list[dict[str, object]] = []
    now: list[ToolCall] = []
    for one in timing.ordered:
        made = plan(one, around)
        if not made.calls or any(c.name != CONTROL for c in made.calls):
            return Plan(request, saying=made.saying)  # an answer to its question would act at once
        now += made.calls
        ordered += [c.parameters for c in made.calls]
    if request.scope.named and (of_home := _of_the_home(request, timing, around)) is not None:
        return plan(of_home, around)
    if timing.deed is TimerAction.SET and timing.due is None:
        asked = "ask_how_long" if timing.kind is TimerKind.TIMER else "ask_when"
        return Plan(request, saying=Saying(asked), question=QuestionBack(QuestionKind.WHEN))
    if timing.which is not None:
        meant = [t for t in around.timers if t.kind is timing.kind and _is_due(t, timing.which)]
        if not meant:
            return Plan(request, saying=Saying("timer_unknown"))
        timing = replace(timing, timer_id=meant[0].id if len(meant) == 1 else "")
    if timing.deed is TimerAction.CANCEL and not timing.name and _rings(timing, around):
        timing = replace(timing, deed=TimerAction.DISMISS)
    if timing.back:
        taken_back = [_taken_back(c, around) for c in ordered]
        if any(c is None for c in taken_back):
            return Plan(request, saying=Saying("timer_no_back"))
        ordered = [c for c in taken_back if c is not None]
    later = call(TIMER, parameters(timing) | ({"calls": ordered} if ordered else {}))
    return Plan(request, (*(now if timing.back else ()), later))


def _of_the_home(request: Request, timing: Timing, around: Surroundings) -> Request | None:
    """The same asked or ordered of what wakes people in the home; None where an alarm is meant, or what rings."""
    alarms = any(t.kind is TimerKind.ALARM or t.state is TimerState.RINGING for t in around.timers)
    if timing.deed is TimerAction.LIST:
        return None if alarms else Request(Act.QUERY, request.scope)
    kept = Request(Act.CONTROL, request.scope, action=SET_VALUE)
    if timing.more is not None or timing.deed is TimerAction.SNOOZE:
        more = timing.more or (timing.due.wait if isinstance(timing.due, After) else None)
        return None if alarms or more is None else replace(kept, parameters={TIME_STEP: more.total_seconds()})
    if not isinstance(timing.due, At) or timing.due.time >= _NOON or (alarms and timing.deed is TimerAction.CHANGE):
        return None
    today = around.home.now().astimezone(around.home.config.time_zone).date()
    soon = timing.due.day is None or timing.due.day <= today + timedelta(days=1)  # it is kept for each day
    return replace(kept, parameters={TIME: f"{timing.due.time:%H:%M}"}) if soon else None


def _is_due(timer: Timer, which: Due) -> bool:
    """Whether a timer is due at the time that was said of it."""
    due = timer.due
    if isinstance(which, At) and isinstance(due, At):
        return due.time == which.time and which.day in (None, due.day)
    if isinstance(which, At | Every) and isinstance(due, Every):
        return due.time == which.time
    return due == which


def _rings(timing: Timing, around: Surroundings) -> bool:
    """Whether one that may be meant rings now."""
    ids = (None, "", *(t.id for t in around.timers if t.state is TimerState.RINGING and timing.kind in (None, t.kind)))
    return len(ids) > 2 and timing.timer_id in ids and not timing.every


def _taken_back(parameters: Mapping[str, Any], around: Surroundings) -> dict[str, object] | None:
    """What puts back what a call changes, as it is now; None where that is not known."""
    action, said = str(parameters.get("action")), parameters.get("parameters") or {}
    if not said:
        return {**parameters, "action": OPPOSITE[action]} if action in OPPOSITE else None
    ids = parameters.get("entity_id")
    only = ids[0] if isinstance(ids, list) and len(ids) == 1 else ids
    state = around.home.state(only) if isinstance(only, str) else None
    if state is None:
        return None
    if state.state == "off":
        return {"action": "turn_off", "entity_id": only}
    restored: dict[str, object] = {}
    for name in said:
        attribute, factor = _RESTORED.get(_SET_BY.get(name, name), ("", 1))
        was = state.attributes.get(attribute)
        if not isinstance(was, int | float):
            return None
        restored[_SET_BY.get(name, name)] = round(was * factor, 2) if factor == 1 else round(was * factor)
    return {"action": action, "entity_id": only, "parameters": restored}


def parameters(timing: Timing) -> dict[str, object]:
    """The parameters of the call, but for what an action does."""
    said: dict[str, object] = {"action": timing.deed.value}
    if timing.timer_id:
        said["id"] = timing.timer_id
    elif timing.every and timing.deed is TimerAction.CANCEL:
        said["id"] = _ALL
    if timing.kind is not None and not timing.timer_id:
        said["kind"] = timing.kind.value
    if timing.day is not None:
        said["at"] = timing.day.isoformat()
    if timing.name:
        said["name"] = timing.name
    if timing.more is not None:
        said["add_seconds"] = _plain(timing.more.total_seconds())
    if timing.only is not None:
        said |= {"only_entity_id": timing.only.entity_id, "only_state": timing.only.state}
    return said | (when(timing.due) if timing.due is not None else {})


def when(due: Due) -> dict[str, object]:
    """When it is due, in the fields of the tool."""
    match due:
        case After(wait):
            return {"in_seconds": _plain(wait.total_seconds())}
        case At(clock, day):
            text = clock.isoformat("minutes")
            return {"at": f"{day.isoformat()}T{text}" if day is not None else text}
        case Every(clock, days):
            return {"at": clock.isoformat("minutes"), "weekdays": [WEEKDAYS[d] for d in sorted(days)]}
        case AtSun(sun, offset, days):
            said: dict[str, object] = {"sun": sun.value}
            if offset:
                said["sun_offset_minutes"] = round(offset.total_seconds() / 60)
            return said | ({"weekdays": [WEEKDAYS[d] for d in sorted(days)]} if days else {})
        case Upon(entity_id, state):
            return {"upon_entity_id": entity_id, "upon_state": state}


def _plain(seconds: float) -> float:
    return int(seconds) if float(seconds).is_integer() else seconds
