"""Days as they were, in the database: the truth from which what can be found is derived."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import Engine, Select, delete, insert, select, update
from sqlalchemy.orm import Session

from indexer.describe import text_hash
from indexer.documents import Document, stored_id
from indexer.entity import FormerId
from indexer.tables import FormerIdRow as Former
from indexer.tables import HistoryDayRow as Row

AREA = "area:"
_AWAY = "~"
"""Begins what no entity and no area is called."""
_AT_ONCE = 300


@dataclass(frozen=True, slots=True)
class HistoryDay:
    """A local day of an entity, or of an area (``about`` begins with ``area:``).

    ``text`` says what happened, without name and day; ``gist`` the same without figures, for a day not ``over``.
    ``quiet``: kept, but not to be found by meaning. ``registry_id`` stays when the entity id changes.
    """

    about: str
    day: date
    kind: str
    name: str
    text: str
    gist: str
    quiet: bool
    over: bool
    area_id: str | None = None
    area: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    points: int = 0
    registry_id: str | None = None

    @property
    def document(self) -> Document:
        """As it is embedded. The day that runs is embedded without figures: mostly a text known from other days."""
        place = f", {self.area}" if self.area and self.area != self.name else ""
        told = f"{self.name}{place}, {self.day:%A} {self.day.isoformat()}: {self.text}"
        metadata: dict[str, str | int | float | bool] = {
            "entity_id": "" if self.about.startswith(AREA) else self.about,
            "area": self.area,
            "area_id": self.area_id or "",
            "day": self.day.isoformat(),
            "date": int(f"{self.day:%Y%m%d}"),
            "kind": self.kind,
        }
        text = told if self.over else f"{self.name}{place}: {self.gist}"
        return Document(f"{self.about}|{self.day.isoformat()}", text, metadata)


class HistoryRows:
    """The tables of days and of former ids. Blocking: call it in a thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, days: Iterable[HistoryDay]) -> None:
        """Keep these, in place of older ones, all or none of them."""
        rows = [_as_row(day) for day in {(d.about, d.day): d for d in days}.values()]
        with self._engine.begin() as connection:
            for start in range(0, len(rows), _AT_ONCE):
                part = rows[start : start + _AT_ONCE]
                for day in {row["day"] for row in part}:
                    abouts = [row["about"] for row in part if row["day"] == day]
                    connection.execute(delete(Row).where(Row.day == day, Row.about.in_(abouts)))
                connection.execute(insert(Row), part)

    def over(self, first: date, last: date) -> dict[date, set[str]]:
        """What is final already, of each day."""
        found: dict[date, set[str]] = {}
        with Session(self._engine) as session:
            rows = session.execute(select(Row.day, Row.about).where(Row.day.between(first, last), Row.over))
            for day, about in rows:
                found.setdefault(day, set()).add(about)
        return found

    def read(
        self, first: date, last: date, abouts: Collection[str] | None = None, limit: int | None = None
    ) -> list[HistoryDay]:
        """Days from ``first`` to ``last``, the newest first, of these entities and areas, or of all."""
        query = select(Row).where(Row.day.between(first, last), Row.withdrawn.is_(False))
        if abouts is not None:
            query = query.where(Row.about.in_(list(abouts)[: 2 * _AT_ONCE]))
        return self._days(query.order_by(Row.day.desc(), Row.about).limit(limit))

    def of_area(self, area_id: str | None, day: date) -> list[HistoryDay]:
        """The day of everything in an area (None: of what has no area), the area's own day not included."""
        area = Row.area_id.is_(None) if area_id is None else Row.area_id == area_id
        query = select(Row).where(Row.day == day, area, Row.withdrawn.is_(False), Row.about.not_like(f"{AREA}%"))
        return self._days(query.order_by(Row.about))

    def ids(self) -> list[str]:
        """The stored ids of everything that can be found by meaning."""
        query = select(Row.about, Row.day, Row.text_hash).where(Row.text_hash != "", Row.withdrawn.is_(False))
        with Session(self._engine) as session:
            found = session.execute(query.order_by(Row.day.desc()))
            return [stored_id(f"{about}|{day.isoformat()}", digest) for about, day, digest in found]

    def hashes(self) -> list[str]:
        """The hashes of all texts that are kept; days without a text have none."""
        with Session(self._engine) as session:
            return list(session.scalars(select(Row.text_hash).where(Row.text_hash != "")))

    def documents(self, stored: Sequence[str]) -> list[Document]:
        """The documents of stored ids; one that has changed since is left out."""
        return [d for day in self.named(stored) if (d := day.document).stored_id in set(stored)]

    def named(self, ids: Sequence[str]) -> list[HistoryDay]:
        """The days of ids (``about|day``, with or without a hash), in that order."""
        wanted: dict[date, list[str]] = {}
        places = {}
        for place, one in enumerate(ids):
            about, _, day = one.partition("#")[0].rpartition("|")
            places[(about, date.fromisoformat(day))] = place
            wanted.setdefault(date.fromisoformat(day), []).append(about)
        found = [
            day
            for on, abouts in wanted.items()
            for day in self._days(select(Row).where(Row.day == on, Row.about.in_(abouts), Row.withdrawn.is_(False)))
        ]
        return sorted(found, key=lambda d: places[(d.about, d.day)])

    def busy(self, since: date, points: int) -> set[str]:
        """What had more than so many recorded changes in a day since then."""
        query = select(Row.about).where(Row.day >= since, Row.points > points, Row.about.not_like(f"{AREA}%"))
        with Session(self._engine) as session:
            return set(session.scalars(query.distinct()))

    def forget_before(self, day: date) -> int:
        """Drop what is older; returns how many."""
        with self._engine.begin() as connection:
            return connection.execute(delete(Row).where(Row.day < day)).rowcount

    def withdraw(self, hidden: Collection[str], shown: Collection[str]) -> None:
        """Note what is exposed no longer, and what is again; what is in neither stays as it is."""
        with Session(self._engine) as session, session.begin():
            now = set(session.scalars(select(Row.about).where(Row.withdrawn).distinct()))
            there = set(session.scalars(select(Row.about).where(Row.withdrawn.is_(False)).distinct()))
            for abouts, withdrawn in ((there & set(hidden), True), (now & set(shown), False)):
                for part in _parts(sorted(abouts)):
                    session.execute(update(Row).where(Row.about.in_(part)).values(withdrawn=withdrawn))

    def rename(self, ids: Mapping[str, str], now: float) -> int:
        """Give days to the entity id that their thing has now, and note the one it had; ``ids``: registry id to entity
        id; ``now``: seconds since the epoch. Returns how many things have got another id."""
        with Session(self._engine) as session, session.begin():
            pairs = session.execute(select(Row.registry_id, Row.about).where(Row.registry_id.is_not(None)).distinct())
            moved = {r: (old, new) for r, old in pairs if (new := ids.get(r or "", old)) != old}
            former = self._former(session)
            for registry_id, (old, _) in moved.items():  # out of the way: two things may have swapped their ids
                mine = (Row.about == old, Row.registry_id == registry_id)
                session.execute(update(Row).where(*mine).values(about=f"{_AWAY}{registry_id}"))
                session.execute(delete(Former).where(Former.entity_id == old))
            for registry_id, (old, new) in moved.items():
                away = Row.about == f"{_AWAY}{registry_id}"
                session.execute(delete(Row).where(away, Row.day.in_(select(Row.day).where(Row.about == new))))
                session.execute(update(Row).where(away).values(about=new))
                for known in (*former.get(old, ()), FormerId(old, now)):
                    if known.entity_id != new:
                        session.merge(Former(entity_id=new, former=known.entity_id, until=known.until))
        return len(moved)

    def former_ids(self) -> dict[str, tuple[FormerId, ...]]:
        """The ids that things had before, by the one they have now."""
        with Session(self._engine) as session:
            return self._former(session)

    def _former(self, session: Session) -> dict[str, tuple[FormerId, ...]]:
        found: dict[str, tuple[FormerId, ...]] = {}
        for row in session.scalars(select(Former).order_by(Former.until)):
            found[row.entity_id] = (*found.get(row.entity_id, ()), FormerId(row.former, row.until))
        return found

    def _days(self, query: Select[Any]) -> list[HistoryDay]:
        with Session(self._engine) as session:
            return [_as_day(row) for row in session.scalars(query)]


def _as_row(day: HistoryDay) -> dict[str, object]:
    return {
        "about": day.about,
        "day": day.day,
        "kind": day.kind,
        "name": day.name[:255],
        "area_id": day.area_id,
        "area": day.area[:255],
        "text": day.text,
        "gist": day.gist,
        "quiet": day.quiet,
        "over": day.over,
        "withdrawn": False,
        "figures": dict(day.figures),
        "points": day.points,
        "registry_id": day.registry_id,
        "text_hash": "" if day.quiet else text_hash(day.document.text),
    }


def _as_day(row: Row) -> HistoryDay:
    return HistoryDay(
        about=row.about,
        day=row.day,
        kind=row.kind,
        name=row.name,
        text=row.text,
        gist=row.gist,
        quiet=row.quiet,
        over=row.over,
        area_id=row.area_id,
        area=row.area,
        figures=row.figures,
        points=row.points,
        registry_id=row.registry_id,
    )


def _parts(some: Sequence[str]) -> Iterable[Sequence[str]]:
    return (some[start : start + _AT_ONCE] for start in range(0, len(some), _AT_ONCE))
