"""timer: what is to happen later is set, listed, changed and ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import date, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from homeagent.errors import InvalidParameters, NotExposed, UnknownTarget
from homeagent.ha.home import Home
from homeagent.timers.agreed_actions import Agreed, Later
from homeagent.timers.due import At, Due, Upon
from homeagent.timers.shown import shown
from homeagent.timers.timer import SetBy, Timer, TimerAction, TimerKind, TimerState
from homeagent.timers.timer_errors import AmbiguousTimer
from homeagent.timers.timers import ALL, SNOOZE, Timers
from homeagent.timers.wanted import due_of, names_a_time
from homeagent.tools.ha_control import HaControlParams
from homeagent.tools.memory_tools import refuse_codes
from homeagent.tools.toolbox import Partial, Tool
from homeagent.turn import Turn

MOST_NAME = 80
_MOST_CALLS = 10
_CALL: JsonDict = {
    "type": "object",
    "properties": {
        "action": {"type": "string"},
        "entity_id": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["action", "entity_id"],
}
"""What a model is told of a call: the fields of `ha_control` stand in its own schema."""

_Answer = dict[str, object] | Partial
"""The action and the timers that it is about; with a confirmation where a yes is waited for."""


class TimerParams(BaseModel):
    """Flat, for models. When: one of ``in_seconds``, ``at``, ``sun``, ``upon_…``; with ``weekdays`` again and again."""

    model_config = ConfigDict(extra="forbid")

    action: TimerAction
    kind: TimerKind | None = Field(default=None, description="set: what it is; others: only those of this kind")
    id: str | None = Field(default=None, max_length=20, description="Which timer, not for set and list")
    name: str | None = Field(
        default=None,
        max_length=MOST_NAME,
        description="set: what it is for, or what to remind of; others: which timer; change with id: its new name",
    )
    in_seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False, description="So long from now")
    add_seconds: float | None = Field(
        default=None, allow_inf_nan=False, description="change: so much longer, negative: shorter"
    )
    at: str | None = Field(default=None, description="HH:MM, or local date and time in ISO form")
    weekdays: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]] | None = Field(
        default=None, description="Again on each of these days, with at or sun"
    )
    sun: Literal["sunrise", "sunset"] | None = None
    sun_offset_minutes: int = Field(default=0, ge=-720, le=720, description="Negative: before it")
    upon_entity_id: str | None = Field(default=None, description="As soon as this comes into upon_state")
    upon_state: str | None = Field(default=None, min_length=1, max_length=255)
    only_entity_id: str | None = Field(default=None, description="set: nothing happens unless this is in only_state")
    only_state: str | None = Field(default=None, min_length=1, max_length=255)
    calls: list[HaControlParams] | None = Field(
        default=None,
        max_length=_MOST_CALLS,
        description="kind action: what ha_control is to be given then",
        json_schema_extra={"items": _CALL},
    )

    @property
    def names_a_time(self) -> bool:
        """Whether any field says when."""
        return names_a_time(self)


class TimerTool(Tool):
    """Sets, lists and changes the speaker's and the household's timers."""

    name = "timer"
    description = (
        "Timers, alarms, reminders and actions at another time. set: kind and one of in_seconds, at, sun, "
        "upon_entity_id with upon_state. kind action has calls: what ha_control would be given now. cancel, change, "
        "pause, resume, snooze, dismiss: by id or name; id all cancels all. A Home Assistant timer that is named goes "
        "through ha_control. skip: leaves out one day, at: YYYY-MM-DD."
    )
    Params = TimerParams

    def __init__(self, timers: Timers, later: Later, home: Home) -> None:
        """``later`` settles what an action may do when its time comes."""
        self._timers = timers
        self._later = later
        self._home = home
        self._does: dict[TimerAction, Callable[[TimerParams, Turn], Awaitable[_Answer]]] = {
            TimerAction.SET: self._set,
            TimerAction.LIST: self._list,
            TimerAction.CANCEL: self._cancel,
            TimerAction.CHANGE: self._change,
            TimerAction.PAUSE: self._pause,
            TimerAction.RESUME: self._resume,
            TimerAction.SNOOZE: self._snooze,
            TimerAction.DISMISS: self._dismiss,
            TimerAction.SKIP: self._skip,
        }

    def judges(self, params: TimerParams) -> bool:
        """What is to be done then is judged by `ha_control`; that something rings is not."""
        return bool(params.calls)

    async def run(self, params: TimerParams, turn: Turn) -> _Answer:
        """The timers that it is about, as they are now. Raises what is wrong with the parameters, UnknownTimer,
        AmbiguousTimer, InThePast, TooFarAhead, TooManyTimers, NoSun, and what `ha_control` raises for the calls."""
        if turn.dry_run and params.action not in (TimerAction.SET, TimerAction.LIST):
            return self._answer(params, [])
        try:
            return await self._does[params.action](params, turn)
        except AmbiguousTimer as error:
            meant = [timer for timer in await self._timers.find() if timer.id in error.timer_ids]
            return Partial(self._answer(params, meant), error)

    async def _set(self, params: TimerParams, turn: Turn) -> _Answer:
        if params.id is not None or params.add_seconds is not None:
            raise InvalidParameters("id and add_seconds are for timers that are set already.")
        kind = params.kind or (TimerKind.ACTION if params.calls else TimerKind.TIMER)
        if (kind is TimerKind.ACTION) != bool(params.calls):
            raise InvalidParameters("calls belong to kind action, and an action needs them.")
        name = (params.name or "").strip()
        refuse_codes(turn, name)
        due, only = self._due(params), self._only(params)
        agreed = await self._agreed(params, due, turn) if params.calls else Agreed()
        if agreed.asks is not None:
            return self._asks(params, agreed)
        if turn.dry_run:
            return self._answer(params, [])
        timer = await self._timers.set(
            kind, due, _set_by(turn), name=name, calls=agreed.calls, approved=agreed.approved, only=only
        )
        return self._answer(params, [timer])

    async def _list(self, params: TimerParams, turn: Turn) -> _Answer:
        found = await self._timers.find(timer_id=params.id, name=params.name, kind=params.kind)
        return self._answer(params, found)

    async def _cancel(self, params: TimerParams, turn: Turn) -> _Answer:
        if params.id == ALL or (params.id is None and params.name == ALL):
            meant = await self._timers.find(kind=params.kind)
        else:
            meant = [await self._one(params, turn)]
        return self._answer(params, await self._timers.cancel(meant))

    async def _change(self, params: TimerParams, turn: Turn) -> _Answer:
        timer = await self._one(params, turn)
        if params.add_seconds is not None:
            if params.names_a_time or params.calls:
                raise InvalidParameters("add_seconds goes alone.")
            due: Due | None = None
        else:
            due = self._due(params) if params.names_a_time else None
        name = params.name.strip() if params.name is not None and params.id is not None else None
        refuse_codes(turn, name or "")
        agreed = Agreed(timer.calls, timer.approved)
        if timer.kind is TimerKind.ACTION:
            moved = due is not None or params.add_seconds is not None
            if params.calls or (moved and timer.approved):  # a yes is to a deed at its time: another time, another yes
                agreed = await self._agreed(params, due or timer.due, turn, timer)
        elif params.calls:
            raise InvalidParameters("calls belong to kind action.")
        if agreed.asks is not None:
            return self._asks(params, agreed)
        if params.add_seconds is not None:
            return self._answer(params, [await self._timers.add_time(timer, timedelta(seconds=params.add_seconds))])
        if due is None and name is None and not params.calls:
            raise InvalidParameters("Nothing is to be changed.", hint="Give a time, or id with a new name.")
        changed = await self._timers.change(timer, due=due, name=name, calls=agreed.calls, approved=agreed.approved)
        return self._answer(params, [changed])

    async def _pause(self, params: TimerParams, turn: Turn) -> _Answer:
        return await self._to(self._timers.pause, params, turn, TimerState.WAITING)

    async def _resume(self, params: TimerParams, turn: Turn) -> _Answer:
        return await self._to(self._timers.resume, params, turn, TimerState.PAUSED)

    async def _dismiss(self, params: TimerParams, turn: Turn) -> _Answer:
        if params.id is not None or params.name is not None:
            return await self._to(self._timers.dismiss, params, turn, TimerState.RINGING)
        ringing = await self._timers.find(kind=params.kind, states=(TimerState.RINGING,))
        here = [timer for timer in ringing if turn.device_id is not None and timer.set_by.device_id == turn.device_id]
        if not ringing:
            await self._one(params, turn, TimerState.RINGING)  # tells that there is none
        return self._answer(params, [await self._timers.dismiss(timer) for timer in here or ringing])

    async def _skip(self, params: TimerParams, turn: Turn) -> _Answer:
        day = _day(params.at) if params.at is not None else None
        if day is None or params.id is not None:
            return self._answer(params, [await self._timers.skip(await self._one(params, turn), day)])
        found = await self._timers.find(name=params.name, kind=params.kind)
        then = [timer.id for timer in found if self._timers.is_due_on(timer, day)]
        if len(then) > 1:
            raise AmbiguousTimer("Several are due on that day.", then)
        timer = next((t for t in found if t.id in then), None) or await self._one(params, turn)
        return self._answer(params, [await self._timers.skip(timer, day)])

    async def _snooze(self, params: TimerParams, turn: Turn) -> _Answer:
        timer = await self._one(params, turn, TimerState.RINGING)
        by = SNOOZE if params.in_seconds is None else timedelta(seconds=params.in_seconds)
        return self._answer(params, [await self._timers.snooze(timer, by)])

    async def _to(
        self, do: Callable[[Timer], Awaitable[Timer]], params: TimerParams, turn: Turn, *states: TimerState
    ) -> _Answer:
        return self._answer(params, [await do(await self._one(params, turn, *states))])

    async def _one(self, params: TimerParams, turn: Turn, *states: TimerState) -> Timer:
        name = params.name if params.id is None else None
        return await self._timers.one(
            timer_id=params.id, name=name, kind=params.kind, states=states, device_id=turn.device_id
        )

    def _due(self, params: TimerParams) -> Due:
        zone = self._home.config.time_zone
        due = due_of(params, self._timers.now().astimezone(zone))
        moment = self._timers.next_time(due)  # what cannot be set is not asked about
        if isinstance(due, At) and moment is not None:
            due = At(due.time, moment.astimezone(zone).date())
        if isinstance(due, Upon):
            self._look_up(due.entity_id)
        return due

    def _only(self, params: TimerParams) -> Upon | None:
        if params.only_entity_id is None or params.only_state is None:
            if params.only_entity_id != params.only_state:
                raise InvalidParameters("only_entity_id and only_state go together.")
            return None
        self._look_up(params.only_entity_id)
        return Upon(params.only_entity_id, params.only_state)

    def _look_up(self, entity_id: str) -> None:
        """Raises UnknownTarget or NotExposed where it cannot be looked at."""
        entity = self._home.entity(entity_id)
        if entity is None:
            raise UnknownTarget(f"There is no entity {entity_id}.")
        if not entity.exposed:
            raise NotExposed(f"{entity_id} is not exposed to me.")

    async def _agreed(self, params: TimerParams, due: Due, turn: Turn, timer: Timer | None = None) -> Agreed:
        """The calls that may be made then, with the yes to them where they need one; else what waits for it."""
        given = params.calls or [HaControlParams.model_validate(dict(call)) for call in (timer.calls if timer else ())]
        asked = params.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        return await self._later.agreed(given, due, turn, asked, timer.id if timer else None)

    def _asks(self, params: TimerParams, agreed: Agreed) -> Partial:
        assert agreed.asks is not None
        return Partial({**self._answer(params, []), "confirmation": agreed.confirmation}, agreed.asks)

    def _answer(self, params: TimerParams, timers: Sequence[Timer]) -> dict[str, object]:
        now, config = self._timers.now(), self._home.config
        return {"action": params.action.value, "timers": [shown(timer, now, config) for timer in timers]}


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        raise InvalidParameters(f"{text[:40]!r} is no day.", hint="Write it like 2026-05-31.") from None


def _set_by(turn: Turn) -> SetBy:
    return SetBy(turn.conversation_id, turn.user_id, turn.device_id, turn.area_id, turn.language)
