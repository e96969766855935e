"""The table of the owner's own tests."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, delete, func, select
from sqlalchemy.orm import Session

from homeagent.errors import NotFound, TooManyOwnTests
from homeagent.tables import OwnTestRow


@dataclass(frozen=True, slots=True)
class Right:
    """What would have been right: the states that things are in behind it, by entity id, and a text of the answer.

    Without either it is not known: then anything is, but what was done.
    """

    states: Mapping[str, str] = field(default_factory=dict)
    says: str = ""

    @property
    def known(self) -> bool:
        """Whether it was said at all."""
        return bool(self.states or self.says)


@dataclass(frozen=True, slots=True)
class OwnTest:
    """A sentence that went wrong. ``id`` is 0 until it is kept; ``at`` is aware, UTC.

    ``led_up``: the sentences before it, oldest first. ``answer`` and ``calls`` (``name``, ``parameters``): what came of
    it. ``home``: the things that it may have meant, as an inventory of the simulated home, as they were before it.
    ``area``: where it was said.
    """

    id: int
    at: datetime
    turn_id: str
    language: str
    text: str
    answer: str
    calls: tuple[Mapping[str, Any], ...]
    home: Mapping[str, Any]
    led_up: tuple[str, ...] = ()
    area: str | None = None
    user_id: str | None = None
    right: Right = Right()


MOST = 500
"""Each has some ten thousand characters."""


class OwnTests:
    """Every method may raise `DatabaseError`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(read_only=True)

    async def keep(self, test: OwnTest) -> OwnTest:
        """Keep one; its ``id`` is given here. One of the same turn is replaced. Raises TooManyOwnTests."""
        return await asyncio.to_thread(self._keep, test)

    async def all(self) -> list[OwnTest]:
        """The newest first."""
        return await asyncio.to_thread(self._all)

    async def get(self, test_id: int) -> OwnTest:
        """Raises NotFound."""
        return await asyncio.to_thread(self._get, test_id)

    async def say_right(self, test_id: int, right: Right) -> OwnTest:
        """Say what would have been right, in place of what was said before. Raises NotFound."""
        return await asyncio.to_thread(self._say_right, test_id, right)

    async def delete(self, test_id: int) -> None:
        """Raises NotFound."""
        await asyncio.to_thread(self._delete, test_id)

    def _keep(self, test: OwnTest) -> OwnTest:
        with Session(self._engine) as session, session.begin():
            session.execute(delete(OwnTestRow).where(OwnTestRow.turn_id == test.turn_id))
            if (session.scalar(select(func.count()).select_from(OwnTestRow)) or 0) >= MOST:
                raise TooManyOwnTests(f"There are {MOST} tests of your own already.")
            row = OwnTestRow(**_columns(test))
            session.add(row)
            session.flush()
            return replace(test, id=row.id)

    def _all(self) -> list[OwnTest]:
        with Session(self._reading) as session:
            return [_of(row) for row in session.scalars(select(OwnTestRow).order_by(OwnTestRow.id.desc()))]

    def _get(self, test_id: int) -> OwnTest:
        with Session(self._reading) as session:
            return _of(_found(session, test_id))

    def _say_right(self, test_id: int, right: Right) -> OwnTest:
        with Session(self._engine) as session, session.begin():
            row = _found(session, test_id)
            row.right = asdict(right)
            return _of(row)

    def _delete(self, test_id: int) -> None:
        with Session(self._engine) as session, session.begin():
            session.delete(_found(session, test_id))


def _found(session: Session, test_id: int) -> OwnTestRow:
    row = session.get(OwnTestRow, test_id)
    if row is None:
        raise NotFound(f"There is no test {test_id}.", hint="`homeagent wrong list` shows what there is.")
    return row


def _columns(test: OwnTest) -> dict[str, Any]:
    columns: dict[str, Any] = asdict(replace(test, calls=(), home={}))
    del columns["id"]
    return columns | {"calls": [dict(call) for call in test.calls], "home": test.home, "led_up": list(test.led_up)}


def _of(row: OwnTestRow) -> OwnTest:
    told: Sequence[str] = row.led_up
    return OwnTest(
        row.id, row.at, row.turn_id, row.language, row.text, row.answer, tuple(row.calls), row.home, tuple(told),
        row.area, row.user_id, Right(**row.right),
    )  # fmt: skip
