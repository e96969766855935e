"""What is said of the weather, now and to come, and of what is planned, from what ``ha_query`` returned."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording import outdoor_answers
from homeagent.brains.local.wording.spoken_values import attribute_words
from homeagent.ha.home import Home
from homeagent.understanding.request import Asked, Period, Request
from indexer.words import words

Line = Mapping[str, Any]
_LIKELY = 50
"""Percent from which on a day counts as rainy, whatever its main weather is."""
_PEAKS: Mapping[Asked, Callable[..., date]] = {Asked.HIGHEST: max, Asked.LOWEST: min}
_MOST_EVENTS = 12
_MOST_DAYS = 7
_HALF_A_DAY = 12
_SHORTEST = 3
"""Letters by which the beginning of a word is known as the same: "dentist's"."""


def weather(request: Request, line: Line, home: Home, phrases: Phrases) -> str:
    """The weather now; where rain or the like was asked for, whether it is so."""
    if (measure := request.details.measure) is not None:
        return outdoor_answers.measured(request, measure, line, home, phrases)
    attributes = line.get("attributes") or {}
    raw = str(line.get("state"))
    state = phrases.state("weather", raw)
    temperature = attributes.get("temperature")
    if temperature is None:
        told = phrases.say("one", name=line["name"], state=state)
    else:
        said = attribute_words("temperature", temperature, phrases, home)
        told = phrases.say("weather", state=state, temperature=said)
    return f"{_verdict(request, raw in request.states, phrases)} {told}".strip()


def forecast(request: Request, lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """The weather of the days that were asked for; of the first that is so, where it was asked when."""
    by_day = _by_day(request, lines, home)
    wanted = list(by_day)
    if not wanted:
        return phrases.say("no_forecast")
    fitting = _fitting(request, by_day)
    so, wanted = bool(fitting), fitting[:1] or wanted if request.asked is Asked.WHEN else wanted
    if request.asked in _PEAKS:
        wanted = [_PEAKS[request.asked](wanted, key=lambda day: _ends(by_day[day])[request.asked is Asked.HIGHEST])]
    said = "" if request.asked in _PEAKS else request.details.when
    days = [
        _day(by_day[d], _day_name(d, said if len(wanted) == 1 else "", phrases), request, home, phrases) for d in wanted
    ]
    return " ".join([*filter(None, (_verdict(request, so, phrases),)), *days])


def is_foretold(request: Request, lines: Sequence[Line], home: Home) -> bool | None:
    """Whether the weather that was asked for is foretold for the days that were; None where that is not known."""
    by_day = _by_day(request, lines, home)
    return bool(_fitting(request, by_day)) if by_day else None


def _by_day(request: Request, lines: Sequence[Line], home: Home) -> dict[date, list[Line]]:
    """What is foretold for each of the days that were asked for, as far as it is known."""
    period = request.period or Period(days_ago=0)
    first = _today(home) - timedelta(days=period.days_ago)
    by_day: dict[date, list[Line]] = {first + timedelta(days=n): [] for n in range(period.days)}
    for entry in (entry for line in lines[:1] for entry in line.get("forecast", ())):
        if (moment := _moment(entry.get("datetime"), home)) is not None and moment.date() in by_day:
            by_day[moment.date()].append(entry)
    return dict([(day, entries) for day, entries in by_day.items() if entries][:_MOST_DAYS])


def _fitting(request: Request, by_day: Mapping[date, Sequence[Line]]) -> list[date]:
    return [d for d, entries in by_day.items() if any(_is_so(request, entry) for entry in entries)]


def _day(entries: Sequence[Line], name: str, request: Request, home: Home, phrases: Phrases) -> str:
    """One day: its commonest weather, its lowest and highest temperature, and how likely rain is where that counts."""
    raw = Counter(str(e.get("condition", "")) for e in entries).most_common(1)[0][0]
    ends = sorted({end for end in _ends(entries) if math.isfinite(end)})
    said = " – ".join(attribute_words("temperature", v, phrases, home) for v in ends)
    chances = [float(c) for e in entries if (c := e.get("precipitation_probability")) is not None]
    if chances and request.details.rain:
        said = f"{said}, {phrases.say('chance', value=f'{round(max(chances))}%')}"
    return phrases.say("forecast", when=name, state=phrases.state("weather", raw), temperature=said)


def _ends(entries: Sequence[Line]) -> tuple[float, float]:
    """The lowest and the highest temperature of a day, in the unit of the weather; infinite where none is known."""
    numbers = [float(e[k]) for e in entries for k in ("templow", "temperature") if e.get(k) is not None]
    return min(numbers, default=math.inf), max(numbers, default=-math.inf)


def _is_so(request: Request, entry: Line) -> bool:
    if str(entry.get("condition")) in request.states:
        return True
    return request.details.rain and float(entry.get("precipitation_probability") or 0) >= _LIKELY


def _verdict(request: Request, so: bool, phrases: Phrases) -> str:
    told = request.asked is Asked.YESNO or (request.asked is Asked.WHEN and not so)
    return phrases.say("yes" if so else "no") if told and request.states else ""


def events(request: Request, lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """What is planned, in order; only what comes first where that was asked for."""
    found, title, when = events_told(request, lines, home), request.details.title, request.details.when
    if not when and request.period is not None and request.period.days == 1:
        when = phrases.weekday((_today(home) - timedelta(days=request.period.days_ago)).weekday())
    if title and not found:
        return phrases.say("no_event_called", title=title)
    if request.asked is Asked.WHERE and found:
        return " ".join(_place(e, phrases) for _, e in found[:_MOST_EVENTS])
    one_day = request.period is not None and request.period.days == 1
    items = [_event(moment, e, one_day, phrases, home, where=bool(title)) for moment, e in found[:_MOST_EVENTS]]
    if len(found) > len(items):
        items.append(phrases.say("more", count=len(found) - len(items)))
    key = "events" if items else "no_events"
    return phrases.say(f"{key}_on" if when else key, when=_begun(when), items=", ".join(items))


def events_told(request: Request, lines: Sequence[Line], home: Home) -> list[tuple[datetime, Line]]:
    """The events that the question is about, of all that the calendars hold, with their beginnings, in order."""
    found = [(moment, e) for line in lines for e in line.get("events", ()) if (moment := _moment(e.get("start"), home))]
    found.sort(key=lambda pair: pair[0])
    if title := request.details.title:
        found = _called(title, found)
    if request.asked is Asked.WHEN:
        now = datetime.now(home.config.time_zone)
        found = [pair for pair in found if pair[0] >= now][:1]
    if (hours := request.details.hours) is not None:
        found = [pair for pair in found if _is_within(*pair, hours, home)]
    return found


def added(event: Line, name: str, home: Home, phrases: Phrases) -> str:
    """That an event stands in a calendar now, with its day and its time, by what the call was made with."""
    start = _moment(event.get("start_date_time") or event.get("start_date"), home)
    if start is None:
        return ""
    day = _day_name(start.date(), "", phrases, near=_today(home))
    when = f"{day} {start:%H:%M}" if "start_date_time" in event else day
    return phrases.say("event_added", summary=event.get("summary", ""), name=name, when=when)


def _called(title: str, found: Sequence[tuple[datetime, Line]]) -> list[tuple[datetime, Line]]:
    """The events whose title shares the most words with ``title``; none where none shares any."""
    asked = words(title)
    shared = [sum(any(_is_same(a, w) for w in words(str(e.get("summary", "")))) for a in asked) for _, e in found]
    most = max(shared, default=0)
    return [pair for pair, count in zip(found, shared, strict=True) if count == most and most]


def _is_same(one: str, other: str) -> bool:
    """Whether two words are the same but for an ending, or a part that is written to one of them."""
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _SHORTEST and longer.startswith(shorter))


def _is_within(start: datetime, event: Line, hours: tuple[float, float], home: Home) -> bool:
    """Whether an event takes place between the hours that were said; of twelve hours either may be meant."""
    end = _moment(event.get("end"), home) or start
    first, last = hours
    day = start.replace(hour=0, minute=0, second=0)
    for later in (0, _HALF_A_DAY) if last <= _HALF_A_DAY else (0,):
        opens, closes = (day + timedelta(hours=h + later) for h in (first, last))
        if start <= closes and end > opens:
            return True
    return False


def _place(event: Line, phrases: Phrases) -> str:
    """Where an event takes place, as far as the calendar tells."""
    place = str(event.get("location") or "") or phrases.say("no_place")
    return phrases.say("event_at", summary=event.get("summary", ""), place=place)


def _event(moment: datetime, event: Line, one_day: bool, phrases: Phrases, home: Home, *, where: bool) -> str:
    """An event and when it is; of one that was asked for by its title ``where`` and until when, too."""
    summary = str(event.get("summary", ""))
    day = "" if one_day else _day_name(moment.date(), "", phrases, near=_today(home))
    place = f"({location})" if where and (location := event.get("location")) else ""
    if "T" not in str(event.get("start")):
        return " ".join(filter(None, (phrases.say("all_day", summary=summary), day, place)))
    end = _moment(event.get("end"), home) if where else None
    until = f"–{end:%H:%M}" if end is not None and end.date() == moment.date() else ""
    return " ".join(filter(None, (summary, day, f"{moment:%H:%M}{until}", place)))


def _day_name(day: date, said: str, phrases: Phrases, near: date | None = None) -> str:
    """A day as the person said it, else its weekday where it is near, else its date."""
    if said:
        return _begun(said)
    if near is not None and not 0 <= (day - near).days < _MOST_DAYS:
        return day.isoformat()
    return phrases.weekday(day.weekday()) or day.isoformat()


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _moment(value: object, home: Home) -> datetime | None:
    """A moment in the home's time; a mere date is its midnight."""
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    zone = home.config.time_zone
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)


def _today(home: Home) -> date:
    return datetime.now(home.config.time_zone).date()
