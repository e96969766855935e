"""What is said when a timer rings, and what became of one: in the language in which it was set."""

from __future__ import annotations

from datetime import datetime

from homeagent.ha.home import Home
from homeagent.timers.timer import Timer, TimerKind
from homeagent.turns.agent_phrases import answers, worded

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
