"""What Home Assistant only tells on request: items of lists, forecasts, calendar events."""

from __future__ import annotations

from typing import Any

from homeagent.errors import UnsupportedAction
from homeagent.ha.connection import HomeAssistant
from homeagent.prompting.outside import from_outside
from homeagent.tools.todo_items import items_of
from homeagent.values.timespan import Span
from indexer.entity import Entity

_MOST_ITEMS = 60
_MOST_EVENTS = 40
_MOST_FORECASTS = {"daily": 8, "hourly": 24, "twice_daily": 14}
_FORECAST_BITS = {"daily": 1, "hourly": 2, "twice_daily": 4}


async def list_items(ha: HomeAssistant, entity: Entity) -> dict[str, object]:
    """The items of a to-do list that are to do, and how many are done. Raises HomeAssistantError."""
    items = await items_of(ha, entity.entity_id)
    to_do = [item for item in items if item.get("status") != "completed"]
    shown = [_item(item) for item in to_do[:_MOST_ITEMS]]
    more = {"more_items": len(to_do) - _MOST_ITEMS} if len(to_do) > _MOST_ITEMS else {}
    completed = [i.get("summary") for i in items if i not in to_do][:20]
    return {**from_outside("to-do list", {"items": shown, "completed_items": completed}), **more}


async def weather_forecast(ha: HomeAssistant, entity: Entity, kind: str) -> dict[str, Any]:
    """The forecast, ``daily``, ``hourly`` or ``twice_daily``. Raises UnsupportedAction, naming the kinds there are."""
    state = ha.home.state(entity.entity_id)
    able = [name for name, bit in _FORECAST_BITS.items() if state is not None and state.supports(bit)]
    if kind not in able:
        it_has = ", ".join(able) or "none"
        raise UnsupportedAction(f"{entity.entity_id} has no {kind} forecast.", hint=f"It has: {it_has}.")
    answer = await ha.call_service(
        "weather", "get_forecasts", entity_ids=[entity.entity_id], data={"type": kind}, return_response=True
    )
    entries = ((answer or {}).get(entity.entity_id) or {}).get("forecast") or []
    units = {
        name.removesuffix("_unit"): value
        for name, value in (state.attributes if state else {}).items()
        if name.endswith("_unit")
    }
    return {
        "entity_id": entity.entity_id,
        "name": entity.name,
        "kind": kind,
        "units": units,
        "forecast": entries[: _MOST_FORECASTS[kind]],
    }


async def calendar_events(ha: HomeAssistant, entity: Entity, span: Span) -> dict[str, Any]:
    """The events of a calendar within a span, in order."""
    zone = ha.home.config.time_zone
    answer = await ha.call_service(
        "calendar",
        "get_events",
        entity_ids=[entity.entity_id],
        data={
            "start_date_time": span.start.astimezone(zone).isoformat(timespec="seconds"),
            "end_date_time": span.end.astimezone(zone).isoformat(timespec="seconds"),
        },
        return_response=True,
    )
    events = ((answer or {}).get(entity.entity_id) or {}).get("events") or []
    more = {"more_events": len(events) - _MOST_EVENTS} if len(events) > _MOST_EVENTS else {}
    return {
        "entity_id": entity.entity_id,
        "name": entity.name,
        "from": span.start.astimezone(zone).isoformat(timespec="minutes"),
        "to": span.end.astimezone(zone).isoformat(timespec="minutes"),
        **from_outside("calendar", {"events": events[:_MOST_EVENTS]}),
        **more,
    }


def _item(item: Any) -> Any:
    """A plain item as its text, one with more to it as it is."""
    more = {key: item[key] for key in ("due", "description") if item.get(key)}
    return {"summary": item.get("summary"), **more} if more else item.get("summary")
