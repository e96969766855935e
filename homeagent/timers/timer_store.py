"""The table of timers: the truth about what is to come. One compare-and-set changes a row, so nothing happens twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Engine, delete, func, select, update
from sqlalchemy.orm import Session

from homeagent.tables import TimerRow
from homeagent.timers.due import Upon, as_json, from_json
from homeagent.timers.timer import LIVE, Note, SetBy, Timer, TimerKind, TimerState
from homeagent.timers.timer_errors import TooManyTimers

_KEPT = timedelta(days=30)
"""How long those that are over stay, so that one can see what was."""
_CAN_FIRE = (TimerState.WAITING, TimerState.RINGING)
"""What repeats may still ring from the last time."""


class TimerStore:
    """``most``: how many may be waiting at once. Every method may raise `DatabaseError`."""

    def __init__(self, engine: Engine, most: int = 1000) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)
        self._most = most

    async def add(self, timer: Timer) -> Timer:
        """Keep a new one; its ``id`` is given here. Raises TooManyTimers."""
        return await asyncio.to_thread(self._add, timer)

    async def replace(self, old: Timer, new: Timer, now: datetime) -> bool:
        """Write ``new`` where the row still is as ``old``: its state, when it is due, whether it is claimed. Returns
        whether it was: else somebody else was quicker, and nothing is written."""
        return await asyncio.to_thread(self._replace, old, new, now)

    async def finish(self, timer: Timer, note: Note | None, detail: str, now: datetime) -> None:
        """Give back a claim, with what came of it. What was done to the timer meanwhile stays."""
        await asyncio.to_thread(self._finish, timer, note, detail, now)

    async def get(self, timer_id: str) -> Timer | None:
        """The timer of an id; None where there is none, or it is no number."""
        found = await self._find(TimerRow.id == int(timer_id)) if timer_id.isascii() and timer_id.isdecimal() else []
        return found[0] if found else None

    async def live(self) -> list[Timer]:
        """Those that are to come, paused or ringing, the next first; what waits upon a state last."""
        return await self._find(TimerRow.state.in_(LIVE))

    async def due(self, now: datetime) -> list[Timer]:
        """Those that are due now or were before, and that nobody has claimed; the earliest first."""
        return await self._find(TimerRow.state.in_(_CAN_FIRE), TimerRow.next_due <= now, TimerRow.claimed_at.is_(None))

    async def earliest(self) -> datetime | None:
        """When the next one is due, in UTC."""
        return await asyncio.to_thread(self._earliest)

    async def untold(self) -> list[Timer]:
        """Those with something that nobody was told yet."""
        return await self._find(TimerRow.note.is_not(None), TimerRow.claimed_at.is_(None))

    async def ringing(self) -> list[Timer]:
        """Those that rang, and that nobody has put an end to yet."""
        return await self._find(TimerRow.state == TimerState.RINGING.value, TimerRow.claimed_at.is_(None))

    async def told(self, timers: Iterable[Timer]) -> None:
        """Take the notes of these away, as they are."""
        await asyncio.to_thread(self._told, [(int(timer.id), timer.note) for timer in timers])

    async def let_go(self) -> list[Timer]:
        """Take back claims of a process that has ended; returns these, which nobody knows the outcome of."""
        found = await self._find(TimerRow.claimed_at.is_not(None))
        await asyncio.to_thread(self._let_go)
        return [replace(timer, claimed_at=None) for timer in found]

    async def tidy(self, now: datetime) -> None:
        """Delete what was over long ago."""
        await asyncio.to_thread(self._tidy, now)

    async def _find(self, *where: ColumnElement[bool]) -> list[Timer]:
        return await asyncio.to_thread(self._read, where)

    def _read(self, where: Sequence[ColumnElement[bool]]) -> list[Timer]:
        order = (TimerRow.next_due.is_(None), TimerRow.next_due, TimerRow.id)
        with Session(self._reading) as session:
            return [_timer(row) for row in session.scalars(select(TimerRow).where(*where).order_by(*order))]

    def _add(self, timer: Timer) -> Timer:
        with Session(self._engine) as session, session.begin():
            waiting = session.scalar(select(func.count()).where(TimerRow.state.in_(LIVE))) or 0
            if waiting >= self._most:
                raise TooManyTimers(f"There are {waiting} timers already.")
            number = (session.scalar(select(func.max(TimerRow.id))) or 0) + 1
            session.add(
                TimerRow(id=number, **_columns(timer), created_at=timer.created_at, changed_at=timer.created_at)
            )
        return replace(timer, id=str(number))

    def _replace(self, old: Timer, new: Timer, now: datetime) -> bool:
        still = (
            TimerRow.id == int(old.id),
            TimerRow.state == old.state.value,
            TimerRow.next_due.is_not_distinct_from(old.next_due),
            TimerRow.claimed_at.is_not_distinct_from(old.claimed_at),
        )
        with Session(self._engine) as session, session.begin():
            done = session.execute(update(TimerRow).where(*still).values(**_columns(new), changed_at=now))
            return bool(getattr(done, "rowcount", 0))

    def _finish(self, timer: Timer, note: Note | None, detail: str, now: datetime) -> None:
        values = {"claimed_at": None, "note": note.value if note else None, "detail": detail, "changed_at": now}
        with Session(self._engine) as session, session.begin():
            session.execute(update(TimerRow).where(TimerRow.id == int(timer.id)).values(**values))

    def _earliest(self) -> datetime | None:
        waiting = (TimerRow.state.in_(_CAN_FIRE), TimerRow.claimed_at.is_(None))
        with Session(self._reading) as session:
            return session.scalar(select(func.min(TimerRow.next_due)).where(*waiting))

    def _told(self, notes: Sequence[tuple[int, Note | None]]) -> None:
        with Session(self._engine) as session, session.begin():
            for number, note in notes:
                same = (TimerRow.id == number, TimerRow.note == note)
                session.execute(update(TimerRow).where(*same).values(note=None, detail=""))

    def _let_go(self) -> None:
        with Session(self._engine) as session, session.begin():
            session.execute(update(TimerRow).where(TimerRow.claimed_at.is_not(None)).values(claimed_at=None))

    def _tidy(self, now: datetime) -> None:
        over = (TimerRow.state.not_in(LIVE), TimerRow.changed_at < now - _KEPT)
        with Session(self._engine) as session, session.begin():
            session.execute(delete(TimerRow).where(*over))


def _columns(timer: Timer) -> dict[str, object]:
    return {
        "kind": timer.kind.value,
        "name": timer.name,
        "due": as_json(timer.due) | ({"only": asdict(timer.only)} if timer.only is not None else {}),
        "next_due": timer.next_due,
        "state": timer.state.value,
        "remaining": timer.remaining,
        "armed": timer.armed,
        "calls": [dict(call) for call in timer.calls],
        "approved": sorted(timer.approved),
        "conversation_id": timer.set_by.conversation_id,
        "user_id": timer.set_by.user_id,
        "device_id": timer.set_by.device_id,
        "area_id": timer.set_by.area_id,
        "language": timer.set_by.language,
        "fired_at": timer.fired_at,
        "claimed_at": timer.claimed_at,
        "note": timer.note.value if timer.note else None,
        "detail": timer.detail,
    }


def _timer(row: TimerRow) -> Timer:
    return Timer(
        id=str(row.id),
        kind=TimerKind(row.kind),
        name=row.name,
        due=from_json(row.due),
        next_due=row.next_due,
        state=TimerState(row.state),
        set_by=SetBy(row.conversation_id, row.user_id, row.device_id, row.area_id, row.language),
        created_at=row.created_at,
        calls=tuple(row.calls),
        approved=frozenset(row.approved),
        only=Upon(**row.due["only"]) if "only" in row.due else None,
        remaining=row.remaining,
        armed=row.armed,
        fired_at=row.fired_at,
        claimed_at=row.claimed_at,
        note=Note(row.note) if row.note else None,
        detail=row.detail,
    )
