"""What is said to a question, from what ``ha_query`` returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from homeagent.brains.language.responses import MOST_NAMES, Phrases
from homeagent.brains.local.planning.suggesting import likenesses
from homeagent.brains.local.wording import history_answers, outdoor_answers, timer_answers, weather_answers
from homeagent.brains.local.wording.entity_names import spoken, telling_names, unique_names
from homeagent.brains.local.wording.spoken_values import (
    as_number,
    attribute_words,
    duration,
    moment_words,
    since,
    state_words,
    with_unit,
)
from homeagent.domains import profile_of
from homeagent.domains.states import AT_REST, DOES_CHORES, FINISHED, RANGE, raw_states
from homeagent.ha.home import UNAVAILABLE, UNKNOWN, Home
from homeagent.languages.concepts import Way
from homeagent.turn import ToolResult
from homeagent.understanding.request import TIME_LEFT, Asked, Request
from indexer.entity import Entity
from indexer.words import words as words_in

_OLD = timedelta(hours=24)
LIKE_ITEM = 0.5
"""From this likeness on an item of a list is what was asked about: "coffee" and "coffee beans"."""
LIKE_WORD = 0.75
"""From this likeness on two words are the same."""
LOW_BATTERY = 20
"""Percent: a battery that tells a number is low from here on down."""
_SUN = {"next_setting": "sun_set", "next_rising": "sun_rise"}
_GONE = (UNAVAILABLE, UNKNOWN)
_PLAYING = frozenset({"playing", "buffering", "paused", "on"})

Line = Mapping[str, Any]


def words(request: Request, results: Sequence[ToolResult], home: Home, phrases: Phrases) -> str:
    """The answer to one question, which may have taken several look-ups."""
    if request.past is not None:
        return history_answers.words(request.past, results, home, phrases) or _error(results[0], home, phrases)
    found = [r.result for r in results if isinstance(r.result, Mapping)]
    if request.asked is Asked.HOW_LONG and (text := _since(request, found, home, phrases)):
        return text
    lines = [line for f in found for line in f.get("entities", ()) if isinstance(line, Mapping)]
    failed = next((r for r in results if not r.success), None)
    if failed is not None and not lines:
        return _error(failed, home, phrases)
    if request.attribute == "forecast":
        return weather_answers.forecast(request, lines, home, phrases)
    if request.attribute == TIME_LEFT:
        left = [timer_answers.left_of(str(line["entity_id"]), home, phrases) for line in lines]
        return " ".join(left) if all(left) else _values(replace(request, attribute=""), lines, home, phrases)
    if request.attribute == "contrast":
        return outdoor_answers.contrasted(request, lines, home, phrases)
    if request.attribute == "events":
        return weather_answers.events(request, lines, home, phrases)
    total = sum(int(f.get("total", 0)) for f in found)
    return _answer(request, lines, max(total, len(lines)), home, phrases)


def _since(request: Request, found: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """How long each thing has been in its state; empty where no thing is known."""
    past = {str(line["entity_id"]): {**line, "from": f["from"]} for f in found for line in f.get("history", ())}
    ids = past or {str(line["entity_id"]): {} for f in found for line in f.get("entities", ())}
    named = ids or {i: {} for group in request.scope.named for i in group}
    known = [i for i in named if home.state(i) is not None]
    return " ".join(since(i, named[i], home, phrases) for i in known)


def _error(result: ToolResult, home: Home, phrases: Phrases) -> str:
    if result.error_type == "not_found":
        return phrases.say("no_history")
    if phrases.language == "en" and result.error:
        return spoken(result.error, home)
    return phrases.say("no_home_assistant" if result.error_type == "home_assistant_unavailable" else "no_answer")


def _answer(request: Request, lines: Sequence[Line], total: int, home: Home, phrases: Phrases) -> str:
    asked = request.asked
    if asked is Asked.WHICH and not request.states and not request.attribute:
        return phrases.say("names", names=_names(lines, home, phrases, total - len(lines)))
    if asked is Asked.HOW_MANY and not request.states and lines:
        return _how_many(lines, (), total - len(lines), home, phrases)
    if request.attribute or asked in (Asked.VALUE, Asked.WHERE) or not (request.states or asked in _SETS):
        return _extreme(request, lines, home, phrases) or _values(request, lines, home, phrases)
    yes = [line for line in lines if _matches(line, request, home)]
    gone = [line for line in lines if line.get("state") in _GONE]
    no = [line for line in lines if line not in yes and line not in gone]
    if gone and not yes and not no:
        return phrases.say("unavailable", names=_names(gone, home, phrases))
    form = _FORMS.get(asked) or (_all if needs_all(request) and no and yes else _yes_no)
    text = form(yes, no, total - len(lines), home, phrases)
    if gone and (asked is not Asked.ANY or not yes):
        text = f"{text} {phrases.say('unavailable', names=_names(gone, home, phrases))}"
    return text.strip()


def _matches(line: Line, request: Request, home: Home) -> bool:
    entity = home.entity(str(line["entity_id"]))
    number = as_number(line.get("state"))
    if entity is not None and entity.domain == "sensor" and entity.device_class == "battery" and number is not None:
        return (number <= LOW_BATTERY) == ("on" in request.states)
    wanted = raw_states(entity, request.states) if entity is not None else request.states
    return line.get("state") in (wanted or request.states)


def needs_all(request: Request) -> bool:
    """Whether yes needs every one of several things: those named one by one, and states that only hold if all have
    them, such as off.
    """
    return bool((request.scope.named and not request.scope.every) or _ONLY_IF_ALL & {*request.states})


def _yes_no(yes: Sequence[Line], no: Sequence[Line], more: int, home: Home, phrases: Phrases) -> str:
    if len(yes) + len(no) == 1:
        (line,) = (*yes, *no)
        return phrases.say("yes_one" if yes else "no_one", name=line["name"], state=_state(line, home, phrases))
    return _all(yes, no, more, home, phrases) if yes and not no else _any(yes, no, more, home, phrases)


def _any(yes: Sequence[Line], no: Sequence[Line], more: int, home: Home, phrases: Phrases) -> str:
    if not yes and len(no) == 1:
        return phrases.say("no_one", name=no[0]["name"], state=_state(no[0], home, phrases))
    if not yes:
        return phrases.say("no")
    return phrases.say("yes_names", names=_names(yes, home, phrases, more))


def _all(yes: Sequence[Line], no: Sequence[Line], more: int, home: Home, phrases: Phrases) -> str:
    return phrases.say("no_names", names=_names(no, home, phrases, more)) if no else phrases.say("yes")


def _which(yes: Sequence[Line], no: Sequence[Line], more: int, home: Home, phrases: Phrases) -> str:
    if not yes:
        people = no and all(str(line["entity_id"]).startswith("person.") for line in no)
        return phrases.say("nobody" if people else "none")
    if len(yes) + more > MOST_NAMES:
        return _how_many(yes, no, more, home, phrases)  # where not all are named, the number says most
    return phrases.say("names", names=_names(yes, home, phrases, more))


def _how_many(yes: Sequence[Line], no: Sequence[Line], more: int, home: Home, phrases: Phrases) -> str:
    if not yes:
        return phrases.say("zero")
    return phrases.say("count", count=len(yes) + more, names=_names(yes, home, phrases, more))


_ONLY_IF_ALL = frozenset({"off", "closed", "locked", "not_home"})
"""States that a set is only in when all of it is: one lamp makes it light."""
_FORMS = {Asked.ANY: _any, Asked.ALL: _all, Asked.WHICH: _which, Asked.HOW_MANY: _how_many}
_SETS = frozenset({Asked.HOW_MANY, Asked.HOW_LONG})


def _values(request: Request, lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    if request.attribute == "media_title" and len(lines) > 1:
        playing = [line for line in lines if line.get("state") in _PLAYING]
        if not playing:
            return phrases.say("nothing_playing")
        lines = playing
    names = unique_names([str(line["entity_id"]) for line in lines], home)
    named = [{**line, "name": name} for line, name in zip(lines, names, strict=True)]
    parts = [_value(request, line, home, phrases) for line in named[:8]]
    if len(lines) > 8:
        parts.append(phrases.say("more", count=len(lines) - 8))
    return " ".join(parts)


def _value(request: Request, line: Line, home: Home, phrases: Phrases) -> str:
    """One thing's value of the attribute asked for, with a remark where the reading is old."""
    entity = home.entity(str(line["entity_id"]))
    attributes = line.get("attributes") or {}
    if line.get("state") == UNKNOWN and entity is not None and profile_of(entity.domain).momentary:
        return phrases.say("no_value", name=line["name"])
    if line.get("state") in _GONE:
        return phrases.say("unavailable", names=line["name"])
    if request.attribute == "items":
        return _items(line, request.details.item, phrases)
    if request.attribute == "weather" or (entity is not None and entity.domain == "weather"):
        return weather_answers.weather(request, line, home, phrases)
    if request.attribute == "media_title":
        return _playing(line, home, phrases)
    if request.attribute == FINISHED and entity is not None and _tells_of_work(entity):
        verdict = "yes_one" if line.get("state") in AT_REST else "no_one"
        return phrases.say(verdict, name=line["name"], state=_state(line, home, phrases))
    if (key := _SUN.get(request.attribute)) and request.attribute in attributes:
        return phrases.say(key, time=moment_words(str(attributes[request.attribute]), home))
    if (compared := _against(request, line)) is not None:
        return phrases.say(compared, name=line["name"], state=_measured_words(request, line, home, phrases))
    if attributes.get(request.attribute) is not None:
        said = attribute_words(request.attribute, attributes[request.attribute], phrases, home)
        return phrases.say("one", name=line["name"], state=said)
    if request.attribute == "temperature" and all(attributes.get(end) is not None for end in RANGE):
        low, high = (attribute_words(end, attributes[end], phrases, home) for end in RANGE)
        return phrases.say("one", name=line["name"], state=f"{low} – {high}")
    of_attribute = request.attribute not in ("", FINISHED, "doing")
    if entity is not None and of_attribute and any(m.wished for m in profile_of(entity.domain).measures):
        return phrases.say("no_value", name=line["name"])
    said = phrases.say("one", name=line["name"], state=_state(line, home, phrases))
    return f"{said} {_old(line, home, phrases)}".strip()


def _against(request: Request, line: Line) -> str | None:
    """A yes or no to whether the measured number is above or below the one said; None where either is no number."""
    known = (line.get("attributes") or {}).get(request.attribute, line.get("state"))
    number, than = as_number(known), request.details.than
    if number is None or than is None:
        return None
    return "yes_one" if (number > than if request.details.way is Way.UP else number < than) else "no_one"


def _measured_words(request: Request, line: Line, home: Home, phrases: Phrases) -> str:
    attributes = line.get("attributes") or {}
    if request.attribute in attributes:
        return attribute_words(request.attribute, attributes[request.attribute], phrases, home)
    return _state(line, home, phrases)


def _tells_of_work(entity: Entity) -> bool:
    """Whether the state itself says that the device works, as a vacuum's does and a plug's does not."""
    if entity.domain == "sensor":
        return entity.unit is None
    return entity.domain in DOES_CHORES or entity.device_class in ("running", "moving")


def _extreme(request: Request, lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """The thing with the highest or lowest number, as asked; empty where no extreme was asked for."""
    if request.asked not in (Asked.HIGHEST, Asked.LOWEST):
        return ""
    numbers = [(n, line) for line in lines if (n := _number(request, line)) is not None]
    if not numbers:
        return ""
    if len(numbers) == 2 and len(lines) == 2:
        return _of_two(request, numbers, home, phrases)
    pick = max if request.asked is Asked.HIGHEST else min
    best = pick(numbers, key=lambda pair: pair[0])[1]
    names = unique_names([str(line["entity_id"]) for line in lines], home)
    name = next(n for n, line in zip(names, lines, strict=True) if line is best)
    return _value(request, {**best, "name": name}, home, phrases)


def _of_two(request: Request, numbers: Sequence[tuple[float, Line]], home: Home, phrases: Phrases) -> str:
    """Two things compared: which is higher or lower, with both values."""
    names = unique_names([str(line["entity_id"]) for _, line in numbers], home)
    told = [(n, name, _worded(n, line, request, home, phrases)) for (n, line), name in zip(numbers, names, strict=True)]
    (n, name, value), (m, other, less) = sorted(told, key=lambda t: t[0], reverse=request.asked is Asked.HIGHEST)
    key = "same" if n == m else "higher" if request.asked is Asked.HIGHEST else "lower"
    return phrases.say(key, name=name, value=value, other=other, less=less)


def _worded(number: float, line: Line, request: Request, home: Home, phrases: Phrases) -> str:
    if request.attribute in (line.get("attributes") or {}):
        return attribute_words(request.attribute, number, phrases, home)
    return with_unit(number, line.get("unit"), phrases)


def _number(request: Request, line: Line) -> float | None:
    """The number that is compared: of the attribute asked for, else of the state."""
    attributes = line.get("attributes") or {}
    return as_number(attributes[request.attribute] if request.attribute in attributes else line.get("state"))


def _old(line: Line, home: Home, phrases: Phrases) -> str:
    """A remark on a reading that is more than a day old; else empty."""
    state = home.state(str(line["entity_id"]))
    if state is None or as_number(state.state) is None or not line.get("unit"):
        return ""
    age = home.now() - state.last_updated
    return phrases.say("old", duration=duration(age.total_seconds(), phrases)) if age > _OLD else ""


def _items(line: Line, wanted: str, phrases: Phrases) -> str:
    """The items of a list; where one was asked for, yes or no and those that are like it."""
    items = [str(i.get("summary")) if isinstance(i, Mapping) else str(i) for i in line.get("items", ())]
    if wanted:
        near = likenesses(wanted, items)
        there = [i for i in items if _is_meant(wanted, i, near[i])]
        return " ".join(filter(None, (phrases.say("yes" if there else "no"), _listed(line, there or items, phrases))))
    return _listed(line, items, phrases)


def _is_meant(wanted: str, item: str, near: float) -> bool:
    """Whether an item holds every word that was asked for, as it may be spelt, or one of them and is like the rest:
    letters alone make "leche" like "lavar el coche".
    """
    held = [max(likenesses(w, words_in(item)).values(), default=0.0) >= LIKE_WORD for w in words_in(wanted)]
    return bool(held) and (all(held) or (any(held) and near >= LIKE_ITEM))


def _listed(line: Line, items: Sequence[str], phrases: Phrases) -> str:
    if not items:
        return phrases.say("list_empty", name=line["name"])
    return phrases.say("list", name=line["name"], items=", ".join(items))


def _playing(line: Line, home: Home, phrases: Phrases) -> str:
    attributes = line.get("attributes") or {}
    title = " – ".join(str(v) for k in ("media_artist", "media_title") if (v := attributes.get(k)))
    source = str(attributes.get("source") or "")
    title = (
        f"{title} ({source})" if title and source and source not in title else title
    )  # the station, where there is one
    if title and line.get("state") in ("playing", "paused", "buffering", "on"):
        return phrases.say(
            "playing" if line["state"] != "paused" else "one", name=line["name"], title=title, state=title
        )
    return phrases.say("one", name=line["name"], state=_state(line, home, phrases))


def _state(line: Line, home: Home, phrases: Phrases) -> str:
    entity = home.entity(str(line["entity_id"]))
    raw, unit = str(line.get("state")), line.get("unit")
    number = as_number(raw)
    if number is not None and unit:
        return with_unit(number, str(unit), phrases)
    return state_words(entity, raw, phrases)


def _names(lines: Sequence[Line], home: Home, phrases: Phrases, more: int = 0) -> str:
    return phrases.names([*telling_names([str(line["entity_id"]) for line in lines], home), *[""] * more])
