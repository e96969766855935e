"""What the past of one entity is told as: figures, times and counts of states, change points; and how it differs from
that of another span. Plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from homeagent.errors import HomeAgentError, InvalidParameters, NotFound
from homeagent.ha.home import Home
from homeagent.ha.recorder import StatisticsRow
from homeagent.history.numbers import by_day
from homeagent.history.recorded_states import Past, Recorded
from homeagent.history.sums import (
    Aggregate,
    Figure,
    StateShare,
    Stretch,
    figure,
    figure_from_statistics,
    is_numeric,
    known_seconds,
    occurrences,
    sampled,
    shares,
    stretches,
)
from homeagent.values.timespan import Span, describe_seconds
from indexer.entity import Entity

_SWITCHED = ("on", "off")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the past. ``states``: only these count; empty: all of them."""

    aggregate: Aggregate | None = None
    attribute: str | None = None
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Detail:
    """How much is told: change points, states and periods of each entity, and how many entities."""

    changes: int = 40
    states: int = 8
    entities: int = 12


class Telling:
    """One entity's past over one span."""

    def __init__(self, home: Home, recorded: Recorded, entity: Entity, span: Span, asked: Asked, past: Past) -> None:
        self._home, self._recorded = home, recorded
        self._entity, self._span, self._asked, self._past = entity, span, asked, past
        self._parts = stretches(past.rows, span)
        self._figure: Figure | None = None

    @property
    def head(self) -> dict[str, object]:
        """What every answer begins with: whose past it is, and of which attribute."""
        head: dict[str, object] = {"entity_id": self._entity.entity_id, "name": self._entity.name}
        return head | ({"attribute": self._asked.attribute} if self._asked.attribute else {})

    def prepare(self) -> None:
        """Work out what does not depend on the detail. Raises NotFound where nothing is known, InvalidParameters
        where the entity has no such state."""
        if self._past.statistics:
            if self._asked.aggregate is not None:
                self._figure = figure_from_statistics(
                    self._past.statistics, self._asked.aggregate, meter=self._meter is not None
                )
            return
        if not known_seconds(self._parts):
            raise self._nothing()
        self._check_states()
        if not self._by_states and self._asked.aggregate is not None:
            kind = self._meter
            self._figure = figure(
                self._past.rows, self._span, self._asked.aggregate, meter=kind is not None, net=kind == "total"
            )
            if self._figure is None:
                raise InvalidParameters(
                    f"{self._entity.entity_id} shows numbers: {self._asked.aggregate} is of states."
                )

    async def refine(self) -> None:
        """Where statistics tell an extreme, look when in that hour it was."""
        aggregate, found = self._asked.aggregate, self._figure
        if found is None or found.at is None or not self._past.statistics or aggregate is None:
            return
        row = next(r for r in self._past.statistics if r.start == found.at)
        if (at := await self._recorded.moment_of_extreme(row, aggregate)) is not None:
            self._figure = replace(found, at=at)

    def line(self, detail: Detail) -> dict[str, object]:
        """What is told, with the entity it is of."""
        if self._past.statistics:
            return self.head | self._from_statistics(detail)
        told = self.head | self._coverage()
        if self._by_states:
            return told | (self._of_states() if self._asked.states else self._text_states(detail))
        if self._figure is None:
            return told | self._unit() | self._changes(detail)
        return told | self._unit() | self._told_figure(self._figure)

    def error(self, error: HomeAgentError) -> dict[str, object]:
        """The answer where nothing can be told: why, and since when there are records."""
        begins = {"recorded_since": self._home.config.local(self._past.begins)} if self._past.begins else {}
        return self.head | {"error": error.message} | begins

    @property
    def begins(self) -> datetime | None:
        """When the records begin, where they hold nothing of the span."""
        return self._past.begins

    @cached_property
    def _entered(self) -> list[Stretch]:
        return [part for part in self._parts if part.entered]

    @cached_property
    def _shares(self) -> Mapping[str, StateShare]:
        return shares(self._parts)

    @cached_property
    def _by_states(self) -> bool:
        return bool(self._asked.states) or not is_numeric(self._parts)

    @property
    def _meter(self) -> str | None:
        return None if self._asked.attribute else self._recorded.meter(self._entity.entity_id)

    def _check_states(self) -> None:
        wrong = [s for s in self._asked.states if s not in _SWITCHED]
        if self._entity.domain == "binary_sensor" and wrong and not self._asked.attribute:
            raise InvalidParameters(
                f"{self._entity.entity_id} is on or off, never {wrong[0]!r}.", hint="Say state: on."
            )

    def _told_figure(self, found: Figure) -> dict[str, object]:
        aggregate = self._asked.aggregate
        line: dict[str, object] = {"aggregate": aggregate, "value": rounded(found.value), "readings": found.readings}
        if found.at is not None:
            line["at"] = self._home.config.local(found.at)
        if aggregate is Aggregate.SUM:
            line["meaning"] = "what the meter counted" if self._meter else "all recorded values added up"
        return line

    def _of_states(self) -> dict[str, object]:
        """How often, how long, first and last in the states that were asked for."""
        times = occurrences(self._parts, self._asked.states)
        entered = [t for t in times if t.entered]
        seconds = sum(t.seconds for t in times)
        line: dict[str, object] = {
            "state": list(self._asked.states),
            "count": len(entered),
            "seconds": round(seconds),
            "time": describe_seconds(seconds),
            "percent": round(100 * seconds / known_seconds(self._parts), 1),
        }
        if entered:
            line["first"] = self._time(entered[0])
        if len(entered) > 1:
            line["last"] = self._time(entered[-1])
        if not entered and not times:
            line["in_states"] = list(self._shares)[:4]
        return line | self._at_start()

    def _text_states(self, detail: Detail) -> dict[str, object]:
        total = known_seconds(self._parts)
        all_shares = self._shares
        states = {}
        for state, share in list(all_shares.items())[: detail.states]:
            states[state] = {"seconds": round(share.seconds), "time": describe_seconds(share.seconds)}
            states[state] |= {"percent": round(100 * share.seconds / total, 1), "count": share.count}
        line: dict[str, object] = {"states": states}
        if len(all_shares) > detail.states:
            line["other_states"] = len(all_shares) - detail.states
        aggregate = self._asked.aggregate
        entered = [p for p in self._entered if p.known]
        if aggregate in (Aggregate.FIRST, Aggregate.LAST) and entered:
            part = entered[0 if aggregate is Aggregate.FIRST else -1]
            line[aggregate.value] = {"state": part.state, **self._time(part)}
        return line | (self._at_start() if aggregate else self._changes(detail))

    def _changes(self, detail: Detail) -> dict[str, object]:
        entered = self._entered
        shown = [{"state": part.state, **self._time(part)} for part in sampled(entered, detail.changes)]
        line: dict[str, object] = {"changes": shown, "total_changes": len(entered)} | self._at_start()
        if len(entered) > len(shown):
            line["narrow"] = f"{len(shown)} of {len(entered)}: ask for a shorter time, a state, or with aggregate."
        return line

    def _time(self, part: Stretch) -> dict[str, object]:
        lasts = {} if part.end < self._span.end else {"until_end": True}
        held = {"for": describe_seconds(part.seconds), "seconds": round(part.seconds)}
        return {"at": self._home.config.local(part.start)} | held | lasts

    def _at_start(self) -> dict[str, object]:
        return {} if self._parts[0].entered else {"at_start": self._parts[0].state}

    def _coverage(self) -> dict[str, object]:
        """What of the span is known: gaps are told, and so is a history that begins late."""
        line: dict[str, object] = {}
        if unknown := sum(part.seconds for part in self._parts if not part.known):
            line["gaps"] = f"not available for {describe_seconds(unknown)}"
            line["gap_seconds"] = round(unknown)
        if self._parts[0].start > self._span.start + timedelta(minutes=5):
            line["recorded_since"] = self._home.config.local(self._parts[0].start)
        return line

    def _from_statistics(self, detail: Detail) -> dict[str, object]:
        rows = self._past.statistics
        line: dict[str, object] = {"source": "long-term statistics", **self._unit()}
        if rows[0].start > self._span.start + timedelta(days=1):
            line["recorded_since"] = self._home.config.local(rows[0].start)
        if self._figure is not None:
            return line | self._told_figure(self._figure)
        days = by_day(rows, self._home.config.time_zone)
        line["periods"] = [self._period(row) for row in days[-detail.changes :]]
        return line | ({"total_periods": len(days)} if len(days) > detail.changes else {})

    def _period(self, row: StatisticsRow) -> dict[str, object]:
        values = {name: getattr(row, name) for name in ("mean", "min", "max", "change")}
        day = row.start.astimezone(self._home.config.time_zone).date().isoformat()
        return {"from": day} | {k: rounded(v) for k, v in values.items() if v is not None}

    def _nothing(self) -> NotFound:
        of = f"{self._entity.entity_id}{f' {self._asked.attribute}' if self._asked.attribute else ''}"
        when = f"from {self._home.config.local(self._span.start)} to {self._home.config.local(self._span.end)}"
        if self._past.begins is not None:
            begins = self._home.config.local(self._past.begins)
            return NotFound(f"Home Assistant no longer has {of} {when}: its records begin at {begins}.")
        if self._parts and not self._asked.attribute:
            return NotFound(f"{of} was unavailable or unknown all the time {when}: there is no value to tell.")
        return NotFound(
            f"Nothing is recorded of {of} {when}.",
            hint="Home Assistant's recorder may leave it out, or keep fewer days.",
        )

    def _unit(self) -> dict[str, object]:
        counts = self._asked.aggregate is Aggregate.COUNT
        return {"unit": self._entity.unit} if self._entity.unit and not self._asked.attribute and not counts else {}


def rounded(value: float) -> float:
    """To three decimals, whole where it is."""
    near = round(value, 3)
    return int(near) if near == int(near) else near


def difference(line: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, object]:
    """The first less the second, in the fields that both have."""
    if "value" in line and "value" in other:
        return {"difference": rounded(line["value"] - other["value"])}
    if "seconds" in line and "seconds" in other:
        seconds = line["seconds"] - other["seconds"]
        more = describe_seconds(abs(seconds))
        return {
            "difference": {
                "count": line["count"] - other["count"],
                "seconds": seconds,
                "time": more if seconds >= 0 else f"-{more}",
            }
        }
    return {}
