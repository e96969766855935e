"""ha_query: look things up in the home, now and in its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.config import JsonDict

from homeagent.errors import InvalidParameters
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import State
from homeagent.history.entity_history import Asked as AskedOfPast
from homeagent.history.sums import Aggregate
from homeagent.history.when.find_times import find_times
from homeagent.targets.resolve import TargetParams, exposed_targets
from homeagent.tools.query_history import HistoryReader
from homeagent.tools.query_more import calendar_events, list_items, weather_forecast
from homeagent.tools.query_overview import Overview
from homeagent.tools.query_state import described, with_attributes
from homeagent.tools.toolbox import Partial, Tool
from homeagent.turn import Turn
from homeagent.values.name_matching import plain
from homeagent.values.timespan import Span, parse_duration, parse_moment, parse_span
from indexer.entity import Entity

_ENDS = (Aggregate.FIRST, Aggregate.LAST)
_MOST_LISTED = 40
_MOST_WITH_HISTORY = 12
_MOST_IN_FULL = 5
"""Up to so many entities come with their attributes unasked."""
_AGGREGATES = {"average": "avg", "mean": "avg", "total": "sum", "duration": "time", "how_long": "time"}
_LOOKED_BACK = "10d"
"""How far "when was it last" reaches where no period is given: what the recorder keeps in full."""
_NARROW = "Narrow by area, floor, domain, device_class, label or state."

_DESCRIPTION = """Look up entities (state, unit, since when, attributes) by entity_id, or a set (area, floor, …); \
state keeps those in that state. history: what was, for a duration or from - to; \
aggregate sums it up, state counts only these (first and last time, how often, how long), \
compare adds a second period, overview tells of many things what happened to which. To-do lists come with items."""


_PERIOD = "24h, 7d, today, last night, in October …"


_UNDESCRIBED: JsonDict = {name: {"type": "string"} for name in ("duration", "from", "to")}


class _PeriodParams(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    duration: str | None = Field(default=None, description=_PERIOD)
    from_: str | None = Field(default=None, alias="from", description="ISO, local")
    to: str | None = None


class _HistoryParams(_PeriodParams):
    aggregate: Aggregate | None = None
    attribute: str | None = Field(default=None, description="Instead of the state")
    state: str | list[str] | None = Field(default=None, description="Such as open, on, home")
    compare: _PeriodParams | None = Field(default=None, json_schema_extra={"properties": _UNDESCRIBED})
    overview: bool = Field(default=False)
    away: Literal["everybody", "speaker"] | None = Field(
        default=None, description="Since everybody, or the speaker, was last away"
    )

    @field_validator("aggregate", mode="before")
    @classmethod
    def _other_words(cls, value: object) -> object:
        return _AGGREGATES.get(value, value) if isinstance(value, str) else value

    @field_validator("compare", mode="before")
    @classmethod
    def _bare_duration(cls, value: object) -> object:
        return {"duration": value} if isinstance(value, str) else value


class _EventsParams(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    duration: str | None = Field(default=None, description="Ahead: 24h, 7d")
    from_: str | None = Field(default=None, alias="from")
    to: str | None = None


class _HaQueryParams(TargetParams):
    state: str | None = Field(default=None)
    attributes: str | list[str] | None = Field(default=None, description="* for all")
    history: _HistoryParams | None = None
    forecast: Literal["daily", "hourly", "twice_daily"] | None = None
    events: _EventsParams | None = None

    @field_validator("history", "events", mode="before")
    @classmethod
    def _bare_duration(cls, value: object) -> object:
        """``"24h"`` for ``{"duration": "24h"}``: models shorten it so."""
        return {"duration": value} if isinstance(value, str) else value


class HaQuery(Tool):
    """Reads states, attributes, history, forecasts, calendars and to-do lists of exposed entities. Changes nothing."""

    name = "ha_query"
    description = _DESCRIPTION
    Params = _HaQueryParams

    def __init__(self, ha: HomeAssistant) -> None:
        self._ha = ha
        self._history = HistoryReader(ha)
        self._overview = Overview(ha)

    async def run(self, params: _HaQueryParams, turn: Turn) -> Any:
        """Raises UnknownTarget, NotExposed, InvalidParameters, NotFound (no data); a Partial where only some failed."""
        now = self._ha.home.now().astimezone(UTC)
        entities = await exposed_targets(self._ha, params, technical=True)
        if params.history is not None:
            return await self._in_history(entities, params.history, now, turn)
        if params.forecast is not None:
            return await self._extra(
                entities, "weather", lambda e: weather_forecast(self._ha, e, params.forecast or "")
            )
        if params.events is not None:
            span = self._ahead(params.events, now)
            return await self._extra(entities, "calendar", lambda e: calendar_events(self._ha, e, span))
        return await self._as_they_are(entities, params, now)

    async def _as_they_are(
        self, entities: Sequence[Entity], params: _HaQueryParams, now: datetime
    ) -> dict[str, object]:
        states = [(e, s) for e in entities if (s := self._ha.home.state(e.entity_id))]
        counts = Counter(state.state for _, state in states)
        wanted = [(e, s) for e, s in states if params.state is None or plain(s.state) == plain(params.state)]
        asked = [params.attributes] if isinstance(params.attributes, str) else params.attributes
        in_full = len(wanted) <= _MOST_IN_FULL
        zone = self._ha.home.config.time_zone
        shown = [described(e, s, now, zone, in_full=in_full) for e, s in wanted[:_MOST_LISTED]]
        with_attributes(shown, [s for _, s in wanted[:_MOST_LISTED]], asked, in_full=in_full)
        if in_full:
            await self._with_items(shown, wanted)
        result: dict[str, Any] = {"entities": shown, "total": len(wanted)}
        if len(states) > _MOST_IN_FULL or params.state is not None:
            result["by_state"] = dict(counts.most_common(12))
        if len(wanted) > _MOST_LISTED:
            result |= {"shown": _MOST_LISTED, "narrow": _NARROW}
        return result

    async def _with_items(self, shown: Sequence[dict[str, object]], states: Sequence[tuple[Entity, State]]) -> None:
        for line, (entity, state) in zip(shown, states, strict=False):
            if entity.domain == "todo" and state.available:
                line |= await list_items(self._ha, entity)

    async def _in_history(self, entities: Sequence[Entity], asked: _HistoryParams, now: datetime, turn: Turn) -> object:
        if len(entities) > _MOST_WITH_HISTORY and not asked.overview:
            raise InvalidParameters(
                f"That is the history of {len(entities)} entities: at most {_MOST_WITH_HISTORY} at once.", hint=_NARROW
            )
        back = asked.aggregate in _ENDS or asked.state is not None or asked.away is not None
        span = self._span(asked, now, turn.language, look_back=back)
        if asked.away is not None:
            gone, known = await self._overview.away(turn.user_id, asked.away, span)
            if gone is None:
                return {"away": "never in that time" if known else "not known: no such person is exposed"}
            span = gone
        if asked.overview:
            return await self._overview.read(entities, span)
        compare = self._span(asked.compare, now, turn.language) if asked.compare is not None else None
        states = [asked.state] if isinstance(asked.state, str) else asked.state or ()
        what = AskedOfPast(asked.aggregate, asked.attribute, tuple(states))
        result, error = await self._history.read(entities, span, what, compare)
        return Partial(result, error) if error is not None else result

    def _span(self, asked: _PeriodParams, now: datetime, language: str, *, look_back: bool = False) -> Span:
        """The period; one in words where ``duration`` is no length. Raises InvalidParameters."""
        zone = self._ha.home.config.time_zone
        duration = asked.duration
        if asked.from_ is None and asked.to is None:
            if duration is None and look_back:
                duration = _LOOKED_BACK
            if duration is not None and (spoken := spoken_span(duration, language, now, zone)) is not None:
                return spoken
        return parse_span(duration=duration, start=asked.from_, end=asked.to, now=now, zone=zone)

    async def _extra(self, entities: Sequence[Entity], domain: str, read: Any) -> dict[str, object]:
        fitting = [entity for entity in entities if entity.domain == domain]
        if not fitting:
            raise InvalidParameters(f"None of these is a {domain}.", hint=f"Name a {domain} entity.")
        return {"entities": [await read(entity) for entity in fitting[:_MOST_IN_FULL]], "total": len(fitting)}

    def _ahead(self, asked: _EventsParams, now: datetime) -> Span:
        """The time that events are wanted for: from now, a week where nothing is said."""
        zone = self._ha.home.config.time_zone
        start = parse_moment(asked.from_, now, zone) if asked.from_ else now
        if asked.to:
            end = parse_moment(asked.to, now, zone, end_of_day=True)
        elif asked.duration == "today":
            end = parse_moment("today", now, zone, end_of_day=True)
        else:
            end = start + parse_duration(asked.duration or "7d")
        if start >= end:
            raise InvalidParameters("The time for events is empty.", hint="from must be before to.")
        return Span(start, end)


_ENGLISH = "en"
_FRAME = 8
"""Letters that may stand around the words: "in", "the", "during"."""


def spoken_span(text: str, language: str, now: datetime, zone: ZoneInfo) -> Span | None:
    """The one stretch of the past that a text is all about, in the given language or in English; else None."""
    for code in dict.fromkeys((language, _ENGLISH)):
        found = find_times(text, code, now, zone)
        if len(found) == 1 and len(text.strip()) - (found[0].last - found[0].first) <= _FRAME:
            return Span(found[0].start, found[0].end)
    return None
