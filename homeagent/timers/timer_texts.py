"""What is said when a timer rings, and what became of one: in the language in which it was set."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from homeagent.ha.home import Home
from homeagent.languages.answers import load_answers
from homeagent.timers.timer import Timer, TimerKind
from homeagent.timers.timers import Timers
from homeagent.timers.wanted import WEEKDAYS
from homeagent.turn import Turn
from homeagent.turns.agent_phrases import answers, worded
from homeagent.values.timespan import describe_seconds

_MOST_NAMES = 3


def ring(timer: Timer, due: datetime | None, home: Home) -> str:
    """Its name, or what it is; ``due``: when it should have rung, where that has to be told."""
    key = f"ring_{timer.kind.value}" + ("_named" if timer.name else "")
    now = timer.fired_at or home.now()
    said = _phrase(key, timer.set_by.language, name=timer.name, time=_clock(now, now, home))
    if due is None:
        return said
    return f"{said} {_phrase('was_due', timer.set_by.language, time=_clock(due, now, home))}"


def note(timer: Timer, home: Home, language: str | None = None) -> str:
    """What became of one that did not simply happen; empty where there is nothing to tell."""
    if timer.note is None:
        return ""
    language = language or timer.set_by.language
    what = _phrase(timer.kind.value, language)
    name = timer.name or (_things(timer, home) if timer.kind is TimerKind.ACTION else "")
    told = _phrase(timer.note.value, language)
    return _phrase("note_named" if name else "note", language, what=what, name=name, told=told)


def later(parameters: Mapping[str, Any], home: Home, language: str) -> str:
    """That something is not done now but then, said before the question for a yes to it."""
    return _phrase("later", language, when=_when(parameters, home, language))


def is_set(parameters: Mapping[str, Any], home: Home, language: str) -> str:
    """That it was set, for when; ``parameters``: those of the tool, or a timer as it is shown."""
    return _phrase("set", language, when=_when(parameters, home, language))


def _when(parameters: Mapping[str, Any], home: Home, language: str) -> str:
    """When it is, in few words: the time with the days, the length, the sun, or the thing with its state."""
    if seconds := parameters.get("in_seconds"):
        return describe_seconds(seconds)
    if entity_id := parameters.get("upon_entity_id"):
        entity = home.entity(entity_id)
        return f"{entity.name if entity else entity_id}: {parameters.get('upon_state')}"
    said = load_answers(language)
    days = [said.weekday(WEEKDAYS.index(day)) if said else day for day in parameters.get("weekdays") or ()]
    if sun := parameters.get("sun"):
        offset = parameters.get("sun_offset_minutes") or 0
        parts = [_phrase(sun, language), f"{offset:+d} min" if offset else "", *days]
    else:
        parts = [_told_time(str(parameters.get("at", "")), home), *days]
    return ", ".join(part for part in parts if part)


def _told_time(at: str, home: Home) -> str:
    """A time of day as it stands; with a day as it is told from today."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at
    local = moment if moment.tzinfo else moment.replace(tzinfo=home.config.time_zone)
    return _clock(local, home.now(), home)


def _things(timer: Timer, home: Home) -> str:
    """What an action is about, by name."""
    ids = [i for call in timer.calls for i in call.get("entity_id", ())]
    entities = [home.entity(i) for i in dict.fromkeys(ids)]
    return ", ".join(entity.name for entity in entities[:_MOST_NAMES] if entity)


def _clock(moment: datetime, now: datetime, home: Home) -> str:
    local, today = moment.astimezone(home.config.time_zone), now.astimezone(home.config.time_zone).date()
    return f"{local:%H:%M}" if local.date() == today else f"{local:%Y-%m-%d %H:%M}"


def _phrase(key: str, language: str, **filled: object) -> str:
    return worded(answers("timers"), key, language, **filled)


_MOST = 3
"""Told in one answer; what is more comes with the next."""


class TimerNews:
    """Each note is told once, to whom it concerns; it stays in the table until the answer is kept."""

    def __init__(self, timers: Timers, home: Home) -> None:
        self._timers = timers
        self._home = home

    async def untold(self, turn: Turn) -> list[Timer]:
        """What this speaker has not heard yet. Raises DatabaseError."""
        return (await self._timers.untold(turn.user_id))[:_MOST]

    def words(self, timers: list[Timer], language: str) -> str:
        """A sentence for each. Blocks at the first time in a language."""
        return " ".join(note(timer, self._home, language) for timer in timers)

    async def told(self, timers: list[Timer]) -> None:
        """They are not told again. Raises DatabaseError."""
        await self._timers.store.told(timers)
