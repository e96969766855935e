"""What is said of timers, alarms, reminders and planned actions, from what the tool `timer` returned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from homeagent.brains.language.responses import Phrases, deed_of
from homeagent.brains.local.wording.entity_names import unique_names
from homeagent.brains.local.wording.spoken_values import state_words
from homeagent.errors import InvalidParameters
from homeagent.ha.home import Home
from homeagent.timers.timer import TimerState
from homeagent.timers.wanted import WEEKDAYS
from homeagent.turn import ToolCall, ToolResult
from homeagent.values.timespan import parse_duration

_WORK = ("mon", "tue", "wed", "thu", "fri")
_WEEKEND = ("sat", "sun")
_NEAR = 7
"""Days ahead that are told by their names."""
_ERRORS = {
    "unknown_timer": "timer_unknown",
    "ambiguous_timer": "timer_which",
    "in_the_past": "timer_past",
    "too_far_ahead": "timer_far",
    "too_many_timers": "timer_many",
    "no_sun": "timer_no_sun",
}
_DONE = {"pause": "timer_paused", "resume": "timer_resumed", "snooze": "timer_snoozed", "change": "timer_changed"}

Told = Mapping[str, Any]


def words(call: ToolCall, result: ToolResult, home: Home, phrases: Phrases) -> tuple[str, bool]:
    """The answer, and whether it asks the person back; empty where the agent asks for a yes."""
    found = result.result if isinstance(result.result, Mapping) else {}
    if found.get("confirmation"):
        return "", False
    if not result.success:
        key = _ERRORS.get(result.error_type or "", "failed")
        if key == "timer_unknown" and call.parameters.get("action") in ("snooze", "dismiss"):
            key = "timer_silent"
        text = phrases.say(key, names=phrases.names(told_apart(found.get("timers", ()), home, phrases), "or"))
        return (f"{phrases.say('failed')} {result.error}" if key == "failed" and phrases.language == "en" else text), (
            key == "timer_which"
        )
    action = str(call.parameters.get("action"))
    timers: Sequence[Told] = found.get("timers", ())
    if action == "list":
        return _listed(call, timers, home, phrases), False
    if action == "dismiss":
        names = phrases.names(told_apart(timers, home, phrases))
        return phrases.say("timers_dismissed" if len(timers) > 1 else "timer_dismissed", names=names), False
    if not timers:
        return _none(call, phrases), False
    if action == "set":
        return _set(timers[0], home, phrases), False
    if action == "cancel" or any(timer.get("state") == TimerState.CANCELLED for timer in timers):
        return phrases.say("timers_cancelled", names=phrases.names([_label(t, home, phrases) for t in timers])), False
    timer = timers[0]
    if action == "skip":
        return _entry(timer, home, phrases), False
    said = {
        "label": _label(timer, home, phrases),
        "duration": length(float(timer.get("seconds_left") or 0), phrases),
        "time": _time(timer),
        "when": moment(timer, home, phrases),
    }
    key = "timer_left" if action == "change" and "in_seconds" in timer else _DONE[action]
    return phrases.say(key, **said), False


def left_of(entity_id: str, home: Home, phrases: Phrases) -> str:
    """What is left of a timer of Home Assistant's that runs or is paused; else empty."""
    state = home.state(entity_id)
    if state is None:
        return ""
    label = unique_names([entity_id], home)[0]
    try:
        if state.state == "active":
            ends = datetime.fromisoformat(str(state.attributes.get("finishes_at")))
            left = max(0.0, (ends - home.now()).total_seconds())
            time = f"{ends.astimezone(home.config.time_zone):%H:%M}"
            return phrases.say("timer_left", label=label, duration=length(left, phrases), time=time)
        if state.state == "paused":
            left = parse_duration(str(state.attributes.get("remaining"))).total_seconds()
            return phrases.say("timer_halted", label=label, duration=length(left, phrases))
    except (ValueError, TypeError, InvalidParameters):
        return ""  # a Home Assistant that tells it otherwise: its state is told
    return ""


def _none(call: ToolCall, phrases: Phrases) -> str:
    kind = call.parameters.get("kind")
    return phrases.say(f"none_{kind}" if kind else "none_at_all")


def _listed(call: ToolCall, timers: Sequence[Told], home: Home, phrases: Phrases) -> str:
    if not timers:
        known = call.parameters.get("name")
        return phrases.say("timer_unknown") if known else _none(call, phrases)
    return " ".join(_entry(t, home, phrases) for t in timers)


def _entry(timer: Told, home: Home, phrases: Phrases) -> str:
    label, left = _label(timer, home, phrases), timer.get("seconds_left")
    state = timer.get("state")
    said = {
        "label": label[:1].upper() + label[1:],
        "duration": length(float(left or 0), phrases),
        "time": _time(timer),
        "when": moment(timer, home, phrases),
    }
    if state == TimerState.RINGING:
        return phrases.say("timer_rings", **said)
    if state == TimerState.PAUSED:
        return phrases.say("timer_halted", **said)
    entry = phrases.say("timer_left" if "in_seconds" in timer else "timer_entry", **said)
    without = [_day_left_out(str(day), timer, home, phrases) for day in timer.get("without") or ()]
    return f"{entry} {phrases.say('timer_without', days=phrases.names(without))}" if without else entry


def _day_left_out(day: str, timer: Told, home: Home, phrases: Phrases) -> str:
    if "at" in timer:
        return moment({"due": f"{day}T{timer['at']}"}, home, phrases)
    return phrases.weekday(date.fromisoformat(day).weekday())


def _set(timer: Told, home: Home, phrases: Phrases) -> str:
    kind, name = timer["kind"], str(timer.get("name") or "")
    when = moment(timer, home, phrases)
    said = {"name": name, "when": when, "time": _time(timer)}
    if kind == "timer" and "in_seconds" in timer:
        said["duration"] = length(float(timer["in_seconds"]), phrases)
        return phrases.say("timer_set_named" if name else "timer_set", **said)
    if kind in ("alarm", "timer"):
        return phrases.say("alarm_set_named" if name else "alarm_set", **said)
    if kind == "reminder":
        key = "reminder_upon" if "upon_entity_id" in timer else "reminder_set" if name else "reminder_set_plain"
        return phrases.say(key, **said)
    text = phrases.say("action_set", when=when, deeds=_deeds(timer, home, phrases))
    return text[:1].upper() + text[1:]


def _label(timer: Told, home: Home, phrases: Phrases) -> str:
    """What it is called: an action by what it does."""
    noun, name = phrases.say(f"noun_{timer['kind']}"), str(timer.get("name") or "")
    if name:
        return phrases.say("noun_named", noun=noun, name=name)
    return _deeds(timer, home, phrases) if timer.get("calls") else noun


def told_apart(timers: Sequence[Told], home: Home, phrases: Phrases) -> list[str]:
    """What each of several is called; those that are called alike by their time, too."""
    labels = [_label(timer, home, phrases) for timer in timers]
    return [
        label if labels.count(label) == 1 else f"{label} ({moment(timer, home, phrases)})"
        for label, timer in zip(labels, timers, strict=True)
    ]


def _deeds(timer: Told, home: Home, phrases: Phrases) -> str:
    told = []
    for call in timer.get("calls", ()):
        ids = call.get("entity_id") or ()
        names = unique_names([ids] if isinstance(ids, str) else ids, home)
        named = phrases.names(names) if names else _of_set(call, home, phrases)
        action = phrases.action(deed_of(str(call.get("action")), call.get("parameters") or {}))
        told.append(phrases.say("timed_deed", action=action, names=named))
    return phrases.names(list(dict.fromkeys(told)))


def _of_set(call: Told, home: Home, phrases: Phrases) -> str:
    """A set that is told by its properties: its kind, and where it is."""
    target = call.get("target") or call
    kinds = [str(k) for k in _texts(target.get("device_class")) or _texts(target.get("domain"))]
    areas = [home.areas[a].name for a in _texts(target.get("area")) if a in home.areas]
    kind = phrases.kind(" ".join(kinds)) if kinds else ""
    return " ".join(x for x in (kind, f"({', '.join(areas)})" if areas else "") if x)


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def moment(timer: Told, home: Home, phrases: Phrases) -> str:
    """When it is due, as people say it, and what has to be so then."""
    when = _moment(timer, home, phrases)
    if "only_entity_id" not in timer:
        return when
    entity = home.entity(str(timer["only_entity_id"]))
    state = state_words(entity, str(timer["only_state"]), phrases)
    return phrases.say("time_only", when=when, name=entity.name if entity else timer["only_entity_id"], state=state)


def _moment(timer: Told, home: Home, phrases: Phrases) -> str:
    time, days = _time(timer), tuple(timer.get("weekdays") or ())
    if "upon_entity_id" in timer:
        entity = home.entity(str(timer["upon_entity_id"]))
        state = state_words(entity, str(timer["upon_state"]), phrases)
        return phrases.say("time_upon", name=entity.name if entity else timer["upon_entity_id"], state=state)
    if "sun" in timer:
        return _by_sun(timer, days, phrases)
    if days:
        return _on_days(days, str(timer.get("at")), phrases)
    if "in_seconds" in timer:
        return phrases.say("time_in", duration=length(float(timer["in_seconds"]), phrases), time=time)
    due = _due(timer)
    ahead = (due.date() - home.now().date()).days if due is not None else 0
    if due is None or ahead == 0:
        return phrases.say("time_at", time=time)
    if ahead == 1:
        return phrases.say("time_tomorrow", time=time)
    if ahead < _NEAR:
        return phrases.say("time_weekday", day=phrases.weekday(due.weekday()), time=time)
    return phrases.say("time_date", date=due.date().isoformat(), time=time)


def _on_days(days: Sequence[str], time: str, phrases: Phrases) -> str:
    if len(days) == len(WEEKDAYS):
        return phrases.say("time_daily", time=time)
    for known, key in ((_WORK, "time_weekdays"), (_WEEKEND, "time_weekend")):
        if tuple(days) == known:
            return phrases.say(key, time=time)
    return phrases.say("time_days", days=_names(days, phrases), time=time)


def _names(days: Sequence[str], phrases: Phrases) -> str:
    return phrases.names([phrases.weekday(WEEKDAYS.index(d)) for d in days])


def _by_sun(timer: Told, days: Sequence[str], phrases: Phrases) -> str:
    sun = phrases.say(f"time_{timer['sun']}")
    offset = timedelta(minutes=float(timer.get("sun_offset_minutes") or 0))
    if offset:
        key = "time_before" if offset < timedelta() else "time_after"
        noun = phrases.say(f"noun_{timer['sun']}")
        sun = phrases.say(key, duration=length(abs(offset.total_seconds()), phrases), sun=noun)
    return phrases.say("time_each", days=_names(days, phrases), when=sun) if days else sun


def _due(timer: Told) -> datetime | None:
    due = timer.get("due")
    return datetime.fromisoformat(str(due)) if due else None


def _time(timer: Told) -> str:
    due = _due(timer)
    return f"{due:%H:%M}" if due is not None else ""


def length(seconds: float, phrases: Phrases) -> str:
    """A length of time to the second, without what is none."""
    rest, parts = round(seconds), []
    for one, many, size in (
        ("day", "days", 86_400),
        ("hour", "hours", 3600),
        ("minute", "minutes", 60),
        ("second", "seconds", 1),
    ):
        count, rest = divmod(rest, size)
        if count:
            parts.append(phrases.say(one if count == 1 else many, n=count))
    return " ".join(parts[:3]) or phrases.say("seconds", n=0)
