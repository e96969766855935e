"""Since when a thing is as it is, from what ``ha_query`` returned; moments as people say them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording.spoken_values import duration, state_words
from homeagent.ha.home import Home

Line = Mapping[str, Any]


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


def moment_words(text: str, home: Home) -> str:
    """A moment as people say it: the time today, with the date on other days."""
    moment = datetime.fromisoformat(text).astimezone(home.config.time_zone)
    today = home.now().date()
    return f"{moment:%H:%M}" if moment.date() == today else f"{moment:%Y-%m-%d %H:%M}"
