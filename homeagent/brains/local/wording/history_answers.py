"""What is said of the past: the figure that was asked for, over the time as it was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording import cause_answers, overview_answers
from homeagent.brains.local.wording.spoken_values import attribute_words, duration, moment_words, state_words, with_unit
from homeagent.domains import profile_of
from homeagent.ha.home import Home
from homeagent.languages.concepts import PastWord
from homeagent.turn import ToolResult
from homeagent.understanding.request import Away, Past, Tell

_MOST_STATES = 3
_GAP = 300
"""Seconds of which nothing is known that are worth a word."""

_WHOLE = 99.9
"""Percent of the time that is known."""
_YES_NO = frozenset({Tell.WHETHER, Tell.THROUGHOUT})

Line = Mapping[str, Any]


def words(past: Past, results: Sequence[ToolResult], home: Home, phrases: Phrases) -> str:
    """The answer to a question about the past, one part for each period; empty where no tool returned anything."""
    told = [r.result for r in results if isinstance(r.result, Mapping)]
    if past.tell in (Tell.WHY, Tell.WHO):
        return " ".join(cause_answers.words(past, t, home, phrases) for t in told)
    if past.tell is Tell.ACTS:
        return " ".join(cause_answers.acting(past, t, home, phrases) for t in told)
    if past.tell is Tell.DOES:
        return cause_answers.described(past, told, phrases)
    if any("away" in t for t in told):
        unknown = "away_who" if past.away is Away.SPEAKER else "away_unknown"
        return phrases.say("away_never" if str(told[0]["away"]).startswith("never") else unknown)
    if past.tell is Tell.HAPPENED:
        return " ".join(
            overview_answers.words(t, _label_of(past, 0, t, home, always=True), home, phrases) for t in told
        )
    beside = [t["compared_with"] for t in told if "compared_with" in t]
    parts = [_stretch(past, 0, told, home, phrases), _stretch(past, 1, beside, home, phrases)]
    return " ".join(filter(None, parts))


def times(past: Past, results: Sequence[ToolResult], lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """When things were in the states asked for, without a yes or no; empty where there are no lines."""
    told = next((r.result for r in results if isinstance(r.result, Mapping)), None)
    if told is None or not lines:
        return ""
    when = replace(past, tell=Tell.TIMES)
    said = [_line(when, line, home, phrases) for line in lines]
    return " ".join(filter(None, (_label_of(when, 0, told, home), *said)))


def _stretch(past: Past, which: int, told: Sequence[Line], home: Home, phrases: Phrases) -> str:
    lines = [line for t in told for line in t.get("history", ())]
    if not lines:
        return ""
    label = _label_of(past, which, told[0], home)
    if past.tell is Tell.THROUGHOUT:
        return f"{label} {_throughout(past, lines, home, phrases)}".strip()
    if past.tell is Tell.WHETHER:
        return f"{label} {_whether(past, lines, home, phrases)}".strip()
    said = " ".join(_line(past, line, home, phrases) for line in lines)
    return f"{label} {said}".strip()


def _label_of(past: Past, which: int, told: Line, home: Home, *, always: bool = False) -> str:
    """The period as the person said it; where it is the time of somebody's absence, its beginning and end."""
    if past.away is not None:
        return f"{moment_words(str(told['from']), home)} – {moment_words(str(told['to']), home)}:"
    if which < len(past.said) and (always or past.tell not in _YES_NO or len(past.said) > 1):
        return _label(past.said[which], told, whole=past.periods[which].instant, home=home)
    return ""


def _label(said: str, told: Line, *, whole: bool, home: Home) -> str:
    """The person's words for the period, with its beginning and end where these are not midnights or now."""
    start, end = (datetime.fromisoformat(str(told[k])) for k in ("from", "to"))
    named = said[:1].upper() + said[1:]
    if whole or (_is_midnight(start) and (_is_midnight(end) or home.now() - end < timedelta(minutes=1))):
        return f"{named}:"
    return f"{named} ({moment_words(str(told['from']), home)} – {moment_words(str(told['to']), home)}):"


def _is_midnight(moment: datetime) -> bool:
    return (moment.hour, moment.minute) == (0, 0)


def _line(past: Past, line: Line, home: Home, phrases: Phrases) -> str:
    if "error" in line:
        return _gone(line, phrases)
    parts = [_told(past, line, home, phrases), *_unknown(line, phrases)]
    if since := line.get("recorded_since"):
        parts.append(phrases.say("past_since", date=str(since)[:10]))
    return " ".join(parts)


def _unknown(line: Line, phrases: Phrases) -> list[str]:
    """How long a thing was unavailable, where that is long enough to change the answer."""
    missing = float(line.get("gap_seconds", 0))
    return [phrases.say("past_gap", duration=duration(missing, phrases))] if missing >= _GAP else []


def _gone(line: Line, phrases: Phrases) -> str:
    if since := line.get("recorded_since"):
        return phrases.say("past_gone", name=line["name"], date=str(since)[:10])
    return phrases.say("no_history_of", name=line["name"])


def _told(past: Past, line: Line, home: Home, phrases: Phrases) -> str:
    tell = past.tell
    if tell is Tell.STATES:
        return _states(line, home, phrases)
    if tell is Tell.CHANGES:
        return phrases.say("past_changes", name=line["name"], count=line.get("total_changes", 0))
    if "value" in line:
        return _figure(past, line, home, phrases)
    name, state = line["name"], _state(line, home, phrases)
    if tell is Tell.TIME:
        held = duration(float(line["seconds"]), phrases)
        key = "duration_state" if line["seconds"] else "never_state"
        return phrases.say(key, name=name, state=state, duration=held)
    if tell is Tell.COUNT:
        return phrases.say("times_state", name=name, state=state, count=line["count"])
    if not line["count"]:  # it may have begun before
        return phrases.say("past_state" if line.get("seconds") else "never_state", name=name, state=state)
    said = _when(tell, line, state, home, phrases)
    if tell is Tell.LAST and past.wants(PastWord.HOW_LONG):
        held = duration(float((line.get("last") or line["first"])["seconds"]), phrases)
        said = f"{said} {phrases.say('past_lasted', duration=held)}"
    return said


def _states(line: Line, home: Home, phrases: Phrases) -> str:
    """The states it was in, with the time of each, longest first."""
    entity, name = home.entity(str(line["entity_id"])), line["name"]
    shares: Mapping[str, Line] = line.get("states", {})
    if len(shares) == 1:
        return phrases.say("past_state", name=name, state=state_words(entity, next(iter(shares)), phrases))
    said = [
        phrases.say(
            "duration_state",
            name=name,
            state=state_words(entity, raw, phrases),
            duration=duration(float(share["seconds"]), phrases),
        )
        for raw, share in list(shares.items())[:_MOST_STATES]
    ]
    if others := len(shares) - len(said) + int(line.get("other_states", 0)):
        said.append(phrases.say("past_others", count=others))
    return " ".join(said)


def _when(tell: Tell, line: Line, state: str, home: Home, phrases: Phrases) -> str:
    first = moment_words(line["first"]["at"], home)
    last = moment_words((line.get("last") or line["first"])["at"], home)
    known = {"name": line["name"], "state": state, "first": first, "last": last, "count": line["count"]}
    if tell is Tell.FIRST:
        return phrases.say("past_first", time=first, **known)
    if tell is Tell.LAST:
        return phrases.say("last_state", time=last, **known)
    return phrases.say("past_once" if line["count"] == 1 else "past_times", time=first, **known)


def _throughout(past: Past, lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """A yes where all of them were in that state all the known time, else a no; and how long each was."""
    known = [line for line in lines if "error" not in line]
    yes = known and all(line["percent"] >= _WHOLE for line in known)
    said = [_told(replace(past, tell=Tell.TIME), line, home, phrases) for line in known]
    gone = [_gone(line, phrases) for line in lines if "error" in line]
    return " ".join([*([phrases.say("yes" if yes else "no")] if known else []), *said, *gone])


def _whether(past: Past, lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """A yes where any of them was in that state; else a no, or what is not known."""
    yes = [line for line in lines if line.get("seconds")]
    if yes:
        times = [_when(Tell.TIMES, y, _state(y, home, phrases), home, phrases) for y in yes if y["count"]]
        if times:
            return " ".join([phrases.say("who_unknown" if past.asks_who else "yes"), *times])
        return phrases.say("past_yes", name=yes[0]["name"], state=_state(yes[0], home, phrases))
    known = [line for line in lines if "error" not in line]
    if past.asks_who and known:
        return " ".join(_line(replace(past, tell=Tell.TIMES), line, home, phrases) for line in known[:2])
    said = [
        text
        for line in known[:2]
        for text in (
            phrases.say("past_no", name=line["name"], state=_state(line, home, phrases)),
            *_unknown(line, phrases),
        )
    ]
    gone = [_gone(line, phrases) for line in lines if "error" in line]
    return " ".join([*said, *gone[:2]])


def _figure(past: Past, line: Line, home: Home, phrases: Phrases) -> str:
    tell, entity = past.tell, home.entity(str(line["entity_id"]))
    if line.get("attribute"):
        value = attribute_words(str(line["attribute"]), line["value"], phrases, home)
    else:
        unit = line.get("unit") or (entity.unit if entity else None)
        value = with_unit(float(line["value"]), str(unit) if unit else None, phrases)
    if tell is Tell.SUM:
        return phrases.say("past_sum", name=line["name"], value=value)
    if tell is Tell.AVERAGE and past.periods and past.periods[0].instant:
        return phrases.say("past_state", name=line["name"], state=value)
    text = phrases.say(tell.value, name=line["name"], value=value)
    if at := line.get("at"):
        moment, time = datetime.fromisoformat(str(at)), moment_words(str(at), home)
        said = (
            {"day": phrases.weekday(moment.weekday()), "time": time}
            if past.wants(PastWord.WHICH_DAY)
            else {"time": time}
        )
        text = f"{text} {phrases.say('past_when_day' if 'day' in said else 'past_when', **said)}"
    return text


def _state(line: Line, home: Home, phrases: Phrases) -> str:
    raw = str((line.get("state") or [""])[0])
    entity = home.entity(str(line["entity_id"]))
    doing = profile_of(entity.domain).doing if entity is not None else None
    return state_words(entity, doing.states.get(raw, raw) if doing else raw, phrases)
