"""What the services of timers take."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from homeagent.service.request_fields import Fields, Id, Language, ShortId
from homeagent.timers.timer import TimerKind


class ListTimers(Fields):
    """``notes``: also tell what happened late, was missed or is uncertain; told so, it is not told again."""

    kind: TimerKind | None = None
    notes: bool = False
    user_id: Id | None = None
    language: Language | None = None


class _AboutTimers(Fields):
    """Who speaks, where, in which language and conversation."""

    conversation_id: ShortId | None = None
    user_id: Id | None = None
    device_id: Id | None = None
    language: Language | None = None

    def parameters(self) -> dict[str, Any]:
        """What the tool `timer` is given, besides the action."""
        return self.model_dump(
            exclude=set(_AboutTimers.model_fields), exclude_none=True, exclude_defaults=True, mode="json"
        )


class SetTimer(_AboutTimers):
    """When: one of ``in_seconds``, ``at`` (HH:MM, or local date and time; with ``weekdays`` again and again), ``sun``,
    ``upon_entity_id`` with ``upon_state``. ``only_entity_id`` with ``only_state``: what has to be so then, else nothing
    happens. ``calls``: parameters of `ha_control`, of kind action."""

    kind: TimerKind | None = None
    name: Annotated[str, Field(max_length=80)] | None = None
    in_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    at: Annotated[str, Field(max_length=40)] | None = None
    weekdays: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]] | None = None
    sun: Literal["sunrise", "sunset"] | None = None
    sun_offset_minutes: Annotated[int, Field(ge=-720, le=720)] = 0
    upon_entity_id: Id | None = None
    upon_state: Id | None = None
    only_entity_id: Id | None = None
    only_state: Id | None = None
    calls: Annotated[list[dict[str, Any]], Field(max_length=10)] | None = None


class ChangeTimer(SetTimer):
    """Another time, or deed; with ``id`` another name. ``add_seconds``: so much longer, negative: shorter."""

    id: ShortId | None = None
    add_seconds: Annotated[float, Field(allow_inf_nan=False)] | None = None


class CancelTimer(_AboutTimers):
    """Which one, by id or name; ``id`` all: all of them, or of the kind."""

    id: ShortId | None = None
    name: Annotated[str, Field(max_length=80)] | None = None
    kind: TimerKind | None = None


class SnoozeTimer(CancelTimer):
    """``in_seconds``: for so long; absent: ten minutes."""

    in_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class SteerTimer(CancelTimer):
    """``action``: what to do with it."""

    action: Literal["pause", "resume", "dismiss"]
