"""Summaries as days of the history index: of a thing, and of an area from those of its things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from homeagent.history.recording.reader import Recorded
from homeagent.history.summaries.kinds import Kind
from homeagent.history.summaries.summary import Summary, summarise_area
from indexer.history_index import AREA, HistoryDay


def area_day(things: Sequence[HistoryDay], day: date, home: str, *, over: bool) -> HistoryDay:
    """The day of an area from those of its things (at least one); ``home``: the name for what has no area."""
    area_id, area = things[0].area_id, things[0].area or home
    told = summarise_area(
        (t.name, Summary(Kind(t.kind), t.text, t.gist, t.quiet, points=t.points))
        for t in things
        if t.kind != Kind.NOTHING
    )
    return HistoryDay(
        about=f"{AREA}{area_id or ''}",
        day=day,
        kind=told.kind,
        name=area,
        text=told.text,
        gist=told.gist,
        quiet=told.quiet,
        over=over,
        area_id=area_id,
        area=area,
        figures=told.figures,
        points=told.points,
    )


def nothing_of(about: str, day: date) -> HistoryDay:
    """The day of an area in which nothing was."""
    return HistoryDay(
        about, day, Kind.NOTHING, "", "", "", quiet=True, over=True, area_id=about.removeprefix(AREA) or None
    )


def thing_day(what: Recorded, summary: Summary, day: date, *, over: bool) -> HistoryDay:
    """The day of a thing, as it is called and where it is now."""
    entity = what.entity
    return HistoryDay(
        about=entity.entity_id,
        day=day,
        kind=summary.kind,
        name=entity.name,
        text=summary.text,
        gist=summary.gist,
        quiet=summary.quiet,
        over=over,
        area_id=entity.area.area_id if entity.area else None,
        area=entity.area.name if entity.area else "",
        figures=summary.figures,
        points=summary.points,
        registry_id=entity.registry_id,
    )


def known_of(some: Mapping[str, Summary]) -> int:
    """Of how many of them something is recorded."""
    return sum(s.kind is not Kind.NOTHING for s in some.values())


def area_about(what: Recorded) -> str:
    """What the day of its area is kept under."""
    return f"{AREA}{what.entity.area.area_id if what.entity.area else ''}"
