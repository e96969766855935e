"""What Home Assistant's recorder keeps: state history and long-term statistics."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from homeagent.ha.registries import Commands
from homeagent.ha.shapes import each, items, mapping, moment, number, state_text
from homeagent.ha.websocket import CommandFailed
from indexer.entity import FormerId

Period = Literal["5minute", "hour", "day"]

_SAME_RUN = timedelta(seconds=1)
_GONE = "unavailable"
_TIMEOUT = 60.0
"""Seconds. A week of a busy sensor takes a small machine a while."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A state and since when it held (aware, UTC). The first of a list is the state at the start that was asked for."""

    entity_id: str
    state: str
    at: datetime
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StatisticsRow:
    """One period (aware, UTC), in the unit of the state. Measurements have mean, min, max; meters sum, change."""

    entity_id: str
    start: datetime
    end: datetime
    mean: float | None = None
    min: float | None = None
    max: float | None = None
    sum: float | None = None
    state: float | None = None
    change: float | None = None


async def read_history(
    commands: Commands, entity_ids: Sequence[str], start: datetime, end: datetime, *, attributes: bool
) -> dict[str, list[HistoryRow]]:
    """Every entity asked for is a key; without history its list is empty.

    Without ``attributes`` a row is a change of state; with them also what changed only those.
    """
    answer = await commands.command(
        "history/history_during_period",
        start_time=_iso(start),
        end_time=_iso(end),
        entity_ids=list(entity_ids),
        minimal_response=False,
        no_attributes=not attributes,
        significant_changes_only=False,
        timeout=_TIMEOUT,
    )
    found = answer if isinstance(answer, dict) else {}
    return await asyncio.to_thread(_history, found, entity_ids, attributes)


def its_rows(
    entity_id: str,
    rows: Mapping[str, Sequence[HistoryRow]],
    former: Sequence[FormerId],
    ends: Sequence[tuple[str, float]],
) -> list[HistoryRow]:
    """The rows of a thing in the order of time, those from before it was given its id among them.

    ``ends``: when a thing gave up an id (seconds since the epoch), of all things: what is older is that one's.
    """
    spans = [*((f.entity_id, f.until) for f in former), (entity_id, math.inf)]
    found = []
    for known, until in spans:
        since = max((end for other, end in ends if other == known and end < until), default=0.0)
        found += [replace(r, entity_id=entity_id) for r in rows[known] if since <= r.at.timestamp() < until]
    return sorted(found, key=lambda row: row.at)


async def read_statistics(
    commands: Commands, entity_ids: Sequence[str], start: datetime, end: datetime, period: Period
) -> dict[str, list[StatisticsRow]]:
    """Every entity asked for is a key; one without statistics has an empty list."""
    answer = await commands.command(
        "recorder/statistics_during_period",
        start_time=_iso(start),
        end_time=_iso(end),
        statistic_ids=list(entity_ids),
        period=period,
        types=["mean", "min", "max", "sum", "state", "change"],
        timeout=_TIMEOUT,
    )
    return await asyncio.to_thread(_statistics, mapping(answer), entity_ids)


async def read_logbook(
    commands: Commands, start: datetime, end: datetime, about: Mapping[str, Any]
) -> list[Mapping[str, Any]] | None:
    """Logbook entries, oldest first: ``when`` (epoch seconds), ``entity_id``, ``state`` or ``message``, and of what
    caused them ``context_user_id``, ``context_event_type``, ``context_entity_id``, ``context_source`` … as far as it is
    known. None where Home Assistant has no logbook."""
    try:
        answer = await commands.command(
            "logbook/get_events", start_time=_iso(start), end_time=_iso(end), timeout=_TIMEOUT, **about
        )
    except CommandFailed:
        return None
    return list(each("a line of the logbook", items(answer), _logbook_row))


async def read_trace(commands: Commands, domain: str, key: str, at: datetime) -> Mapping[str, Any] | None:
    """The trace of the run that began within a second of ``at``: ``context``, ``trace``, ``config`` …; else None."""
    try:
        runs = await commands.command("trace/list", domain=domain, item_id=key)
        began = each("a trace", items(runs), lambda run: (_began(run), run["run_id"]))
        run_id = next((found for when, found in began if abs(when - at) < _SAME_RUN), None)
        if run_id is None:
            return None
        answer = await commands.command("trace/get", domain=domain, item_id=key, run_id=run_id)
    except CommandFailed:
        return None
    return answer if isinstance(answer, Mapping) else None


def _began(run: Mapping[str, Any]) -> datetime:
    began = datetime.fromisoformat(run["timestamp"]["start"])
    return began if began.tzinfo else began.replace(tzinfo=UTC)


def _logbook_row(row: Mapping[str, object]) -> Mapping[str, object]:
    """The line with its time and its texts; what else is in it nobody asks for."""
    moment(row["when"])
    return {name: value for name, value in row.items() if isinstance(value, str | int | float) or value is None}


def _history(answer: dict[str, object], entity_ids: Sequence[str], attributes: bool) -> dict[str, list[HistoryRow]]:
    """Takes the answer apart: freeing a hundred thousand rows takes long, and here it is a thread that waits."""
    return {i: list(_rows(i, answer.pop(i, ()), attributes)) for i in dict.fromkeys(entity_ids)}


def _rows(entity_id: str, rows: object, attributes: bool) -> Iterable[HistoryRow]:
    last = None
    for row in each("a row of the history", items(rows), lambda row: _history_row(entity_id, row, attributes)):
        if not attributes and row.state == last:
            continue
        last = row.state
        yield row


def _history_row(entity_id: str, row: Mapping[str, Any], attributes: bool) -> HistoryRow:
    state = _GONE if row["s"] is None else state_text(row["s"])  # null: the entity was removed
    updated = row.get("lu", row.get("lc", 0.0))
    at = updated if attributes else row.get("lc", updated)
    return HistoryRow(entity_id, state, moment(at), mapping(row.get("a")))


def _statistics(answer: Mapping[str, object], entity_ids: Sequence[str]) -> dict[str, list[StatisticsRow]]:
    return {i: list(_statistics_rows(i, answer.get(i))) for i in entity_ids}


def _statistics_rows(entity_id: str, rows: object) -> Iterable[StatisticsRow]:
    return each("a row of the statistics", items(rows), lambda row: _statistics_row(entity_id, row))


def _statistics_row(entity_id: str, row: Mapping[str, Any]) -> StatisticsRow:
    values = {name: number(row.get(name)) for name in ("mean", "min", "max", "sum", "state", "change")}
    return StatisticsRow(entity_id, moment(row["start"] / 1000), moment(row["end"] / 1000), **values)


def _iso(at: datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("a time without a time zone")
    return at.astimezone(UTC).isoformat()
