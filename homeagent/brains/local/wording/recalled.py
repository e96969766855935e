"""What is said of the past, from what ``ha_query`` returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from homeagent.brains.language.phrases import Phrases
from homeagent.brains.local.wording.valuing import attribute_words, duration, state_words, with_unit
from homeagent.domains.states import raw_states
from homeagent.ha.home import Home
from homeagent.understanding.request import Asked, Request
from indexer.entity import Entity

Line = Mapping[str, Any]
_FIGURES = frozenset({Asked.AVERAGE, Asked.LOWEST, Asked.HIGHEST})
"""What a number that changes can be asked for; how often or how long it was so tells nothing."""


def words(request: Request, lines: Sequence[Line], home: Home, phrases: Phrases) -> str:
    """How it was: per thing, in the form that was asked for."""
    return " ".join(_line(request, line, home, phrases) for line in lines[:6])


def since(entity_id: str, line: Line, home: Home, phrases: Phrases) -> str:
    """How long a thing has been as it is, by what is recorded (``line`` may hold nothing), else by its state, whose
    time is at most that since Home Assistant was started."""
    state, entity = home.state(entity_id), home.entity(entity_id)
    name = entity.name if entity is not None else entity_id
    if state is None or not state.available:
        return phrases.say("unavailable", names=name)
    entered = line.get("last") or line.get("first")
    told = str(entered["at"]) if entered else str(line["from"]) if line.get("at_start") == state.state else None
    changed = state.last_changed if told is None else min(state.last_changed, datetime.fromisoformat(told))
    longer = changed < state.last_changed and (not entered or "recorded_since" in line)
    held = (home.now() - changed).total_seconds()
    said = {"name": name, "state": state_words(entity, state.state, phrases, home), "duration": duration(held, phrases)}
    return phrases.say("since_or_longer" if longer else "since", **said)


def _line(request: Request, line: Line, home: Home, phrases: Phrases) -> str:
    name = line["name"]
    if "error" in line:
        return phrases.say("no_history_of", name=name)
    entity = home.entity(str(line["entity_id"]))
    if "value" in line:
        unit = line.get("unit") or (entity.unit if entity else None)
        if line.get("attribute"):
            said = attribute_words(str(line["attribute"]), line["value"], phrases, home)
        else:
            said = with_unit(float(line["value"]), str(unit) if unit else None, phrases)
        figure = str(line.get("aggregate", Asked.AVERAGE))
        return phrases.say(figure if figure in _FIGURES else "no_answer", name=name, value=said)
    if request.asked is Asked.WHEN or "states" not in line:
        return _last(request, line, entity, home, phrases)
    return _shares(request, line, entity, home, phrases)


def _shares(request: Request, line: Line, entity: Entity | None, home: Home, phrases: Phrases) -> str:
    """How long, or how often, a thing was in the states that were asked for; of all its states where none was."""
    states: Mapping[str, Mapping[str, Any]] = line["states"]
    wanted = _wanted(request, entity) or tuple(states)
    parts = []
    for raw in wanted:
        share = states.get(raw, {"seconds": 0, "count": 0})
        said = state_words(entity, raw, phrases, home)
        if request.asked is Asked.HOW_OFTEN:
            key = "once_state" if share["count"] == 1 else "times_state"
            parts.append(phrases.say(key, name=line["name"], state=said, count=share["count"]))
        elif share["seconds"]:
            held = duration(float(share["seconds"]), phrases)
            parts.append(phrases.say("duration_state", name=line["name"], state=said, duration=held))
        elif len(wanted) == 1:
            parts.append(phrases.say("never_state", name=line["name"], state=said))
    return " ".join(parts)


def _last(request: Request, line: Line, entity: Entity | None, home: Home, phrases: Phrases) -> str:
    """When it was last in the state that was asked for."""
    wanted = _wanted(request, entity)
    changes = [c for c in line.get("changes", ()) if not wanted or c.get("state") in wanted]
    if not changes:
        state = state_words(entity, wanted[0], phrases, home) if wanted else ""
        return phrases.say("never_state" if wanted else "no_history_of", name=line["name"], state=state)
    change = changes[-1]
    state = state_words(entity, str(change["state"]), phrases, home)
    return phrases.say("last_state", name=line["name"], state=state, time=moment_words(str(change["at"]), home))


def _wanted(request: Request, entity: Entity | None) -> tuple[str, ...]:
    return (raw_states(entity, request.states) if entity is not None else ()) or request.states


def moment_words(text: str, home: Home) -> str:
    """A moment as people say it: the time today, with the date on other days."""
    moment = datetime.fromisoformat(text).astimezone(home.config.time_zone)
    today = home.now().date()
    return f"{moment:%H:%M}" if moment.date() == today else f"{moment:%Y-%m-%d %H:%M}"
