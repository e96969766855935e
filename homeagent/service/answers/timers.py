"""Answers about what is to happen later."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from homeagent.timers.timer import Note, TimerAction, TimerKind, TimerState


class TimerView(BaseModel):
    """A timer. Of `in_seconds`, `at`, `sun` and `upon_…` those are there that say when; the rest where there is any."""

    id: str
    kind: TimerKind
    name: str
    state: TimerState
    due: datetime | None = Field(description="When it is next due; null while it is paused or waits upon a state.")
    seconds_left: int | None
    repeats: bool
    in_seconds: float | None = None
    at: str | None = Field(default=None, description="HH:MM by the home's clock.")
    weekdays: list[str] | None = None
    sun: str | None = None
    sun_offset_minutes: int | None = None
    upon_entity_id: str | None = None
    upon_state: str | None = None
    only_entity_id: str | None = Field(default=None, description="What has to be in `only_state` when it is due.")
    only_state: str | None = None
    calls: list[dict[str, Any]] | None = Field(default=None, description="Parameters of `ha_control`, of an action.")
    area_id: str | None = Field(default=None, description="The room that it was set in.")
    fired_at: datetime | None = None
    note: Note | None = Field(default=None, description="What has to be told of it: late, missed …")
    detail: str | None = None


class TimerNote(TimerView):
    """One that went otherwise than it should."""

    told: str = Field(description="What happened, in a sentence.")


class TimersAnswer(BaseModel):
    """What is to happen later, the next first."""

    timers: list[TimerView]
    notes: list[TimerNote] | None = Field(default=None, description="Where they were asked for.")


class LaterQuestion(BaseModel):
    """The action is not set yet: it waits for a yes."""

    id: str
    number: int | None
    description: str
    reasons: list[str]
    expires_at: datetime


class TimerChangeAnswer(BaseModel):
    """The timers that it was about, as they are now."""

    action: TimerAction
    timers: list[TimerView]
    confirmation: LaterQuestion | None = Field(default=None, description="There where a yes is needed first.")
