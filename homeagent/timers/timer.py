"""One thing that is to happen later, and what is to be told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from homeagent.timers.due import After, Due, Upon


class TimerAction(StrEnum):
    """What is done with timers: by the tool `timer`, and by a sentence."""

    SET = "set"
    LIST = "list"
    CANCEL = "cancel"
    CHANGE = "change"
    PAUSE = "pause"
    RESUME = "resume"
    SNOOZE = "snooze"
    DISMISS = "dismiss"
    SKIP = "skip"
    """Leave out one day of what repeats."""


class TimerKind(StrEnum):
    TIMER = "timer"
    """Counts down and rings."""
    ALARM = "alarm"
    """Rings at a time."""
    REMINDER = "reminder"
    """Tells its name at a time."""
    ACTION = "action"
    """Does something in the home."""

    @property
    def rings(self) -> bool:
        """Whether somebody is to hear of it; an action only acts."""
        return self is not TimerKind.ACTION

    @property
    def rings_on(self) -> bool:
        """Whether it rings until somebody stops it; a reminder is told once."""
        return self in (TimerKind.TIMER, TimerKind.ALARM)


class TimerState(StrEnum):
    WAITING = "waiting"
    PAUSED = "paused"
    RINGING = "ringing"
    """It rang, and nobody has put an end to it yet: it can be put off or silenced."""
    DONE = "done"
    CANCELLED = "cancelled"
    MISSED = "missed"
    """It was due while nothing could be done about it, and too long ago when that was noticed."""


LIVE = (TimerState.WAITING, TimerState.PAUSED, TimerState.RINGING)
"""States of what is still to come, or to be answered."""


class Note(StrEnum):
    """What a person has to be told of a timer that did not simply happen."""

    LATE = "late"
    """It happened, but not in time."""
    MISSED = "missed"
    """It was due while nobody could do it, too long ago to do it now."""
    UNCERTAIN = "uncertain"
    """The service ended in the middle of it: it may have happened or not."""
    FAILED = "failed"
    """It was tried, and did not work."""
    NEEDS_YES = "needs_yes"
    """It was not done: what it does is another deed now, or wants a yes that it does not have."""


@dataclass(frozen=True, slots=True)
class SetBy:
    """Who set a timer, where, in which language: there it rings, and for them it acts."""

    conversation_id: str | None = None
    user_id: str | None = None
    device_id: str | None = None
    area_id: str | None = None
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Timer:
    """A timer, an alarm, a reminder or an action to come.

    ``id`` is short, for people to say. ``next_due``: UTC; None for what waits upon a state, or is over.
    ``remaining``: seconds that were left when it was paused. ``calls``: parameters of `ha_control`, of an action.
    ``approved``: digests of the deeds that somebody said yes to when it was set. ``armed``: of one that waits upon a
    state, whether the thing was seen in another state since. ``note`` is told once; ``detail`` says more of it.
    """

    id: str
    kind: TimerKind
    name: str
    due: Due
    next_due: datetime | None
    state: TimerState
    set_by: SetBy
    created_at: datetime
    calls: tuple[Mapping[str, Any], ...] = ()
    approved: frozenset[str] = frozenset()
    only: Upon | None = None
    remaining: float | None = None
    armed: bool = False
    fired_at: datetime | None = None
    claimed_at: datetime | None = None
    note: Note | None = None
    detail: str = ""

    @property
    def counts_down(self) -> bool:
        """Whether it is so long after a moment, so that a clock which is put right must not move its end."""
        return isinstance(self.due, After)

    def seconds_left(self, now: datetime) -> float | None:
        """Until it is due, never less than nothing; None where nobody can tell."""
        if self.state is TimerState.PAUSED:
            return self.remaining
        return None if self.next_due is None else max(0.0, (self.next_due - now).total_seconds())
