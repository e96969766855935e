"""When something is to happen, from the flat fields in which models, programs and people's commands give it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Protocol

from homeagent.errors import InvalidParameters
from homeagent.timers.due import After, At, AtSun, Due, Every, Sun, Upon, Weekday
from homeagent.timers.next_time import FARTHEST

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""As `Weekday` counts them."""
_WHEN = "Give one of in_seconds, at, sun, or upon_entity_id with upon_state."


class WhenFields(Protocol):
    """The fields that say when."""

    @property
    def in_seconds(self) -> float | None:
        """So long from now; more than 0."""

    @property
    def at(self) -> str | None:
        """HH:MM, or a local date and time in ISO format."""

    @property
    def weekdays(self) -> Sequence[str] | None:
        """Of `WEEKDAYS`: on which days again and again."""

    @property
    def sun(self) -> str | None:
        """sunrise or sunset."""

    @property
    def sun_offset_minutes(self) -> int:
        """So long after the sun; negative: before it."""

    @property
    def upon_entity_id(self) -> str | None:
        """Whose state it waits for."""

    @property
    def upon_state(self) -> str | None:
        """The state that it waits for."""


def names_a_time(fields: WhenFields) -> bool:
    """Whether any of the fields says when."""
    return any(v is not None for v in (fields.in_seconds, fields.at, fields.sun, fields.upon_entity_id)) or bool(
        fields.weekdays
    )


def due_of(fields: WhenFields, now: datetime) -> Due:
    """What the fields say. ``now``: by the home's clock, in its zone. Raises InvalidParameters."""
    given = [v for v in (fields.in_seconds, fields.at, fields.sun, fields.upon_entity_id) if v is not None]
    if len(given) != 1:
        raise InvalidParameters("It is said twice when, or not at all.", hint=_WHEN)
    days = frozenset(Weekday(WEEKDAYS.index(day)) for day in fields.weekdays or ())
    if days and fields.at is None and fields.sun is None:
        raise InvalidParameters("weekdays go with at or sun.")
    if (fields.upon_state is None) != (fields.upon_entity_id is None):
        raise InvalidParameters("upon_entity_id and upon_state go together.")
    if fields.in_seconds is not None:
        return After(timedelta(seconds=min(fields.in_seconds, FARTHEST.total_seconds() * 2)))
    if fields.sun is not None:
        return AtSun(Sun(fields.sun), timedelta(minutes=fields.sun_offset_minutes), days)
    if fields.upon_entity_id is not None and fields.upon_state is not None:
        return Upon(fields.upon_entity_id, fields.upon_state)
    assert fields.at is not None
    clock, day = _moment(fields.at, now)
    if not days:
        return At(clock, day)
    if day is not None:
        raise InvalidParameters("With weekdays, at is a time of day.")
    return Every(clock, days)


def _moment(text: str, now: datetime) -> tuple[time, date | None]:
    """Time and day by the home's clock; no day where only a time is given."""
    said = text.strip()
    try:
        return time.fromisoformat(said).replace(tzinfo=None, fold=0), None
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(said)
        if ":" not in said and "T" not in said.upper():
            raise ValueError
        local = moment.astimezone(now.tzinfo) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        raise InvalidParameters(
            f"{text[:40]!r} is not a time.", hint="Write it like 07:30, or 2026-05-31T08:30."
        ) from None
    return local.time(), local.date()
