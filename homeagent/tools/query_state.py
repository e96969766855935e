"""An entity as it is now, for a model or a program: state, unit, age, attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from homeagent.domains import profile_of
from homeagent.errors import InvalidParameters
from homeagent.ha.home import UNAVAILABLE, UNKNOWN, State
from homeagent.history.numbers import as_number
from homeagent.prompting.outside import from_outside
from homeagent.values.jsonable import jsonable
from homeagent.values.name_matching import listed
from homeagent.values.timespan import describe_seconds
from indexer.entity import Entity

_OLD = timedelta(hours=24)
_TITLES = frozenset({"media_title", "media_artist", "media_album_name", "media_series_title", "media_channel"})
_LONGEST = 300
"""Characters of one attribute."""
_NEVER = frozenset({"access_token", "entity_picture", "entity_picture_local"})
"""Attributes that hold keys."""
_NOISE = frozenset(
    {
        "friendly_name",
        "icon",
        "supported_features",
        "supported_color_modes",
        "device_class",
        "state_class",
        "unit_of_measurement",
        "attribution",
        "editable",
        "id",
        "context_id",
        "temperature_unit",
        "wind_speed_unit",
        "visibility_unit",
        "precipitation_unit",
        "pressure_unit",
        "restored",
        "xy_color",
        "rgb_color",
        "color_temp",
        "min_mireds",
        "max_mireds",
        "entity_id",
    }
)


def described(entity: Entity, state: State, now: datetime, zone: ZoneInfo, *, in_full: bool) -> dict[str, object]:
    """State with unit and age, ``in_full`` also since when. Unavailable is said, and so is a reading of long ago."""
    held = now - state.last_changed
    line: dict[str, object] = {"entity_id": entity.entity_id, "name": entity.name, "state": state.state}
    if unit := entity.unit or state.attributes.get("unit_of_measurement"):
        line["unit"] = unit
    if entity.area:
        line["area"] = entity.area.name
    if in_full:
        line["last_changed"] = state.last_changed.astimezone(zone).isoformat(timespec="seconds")
    line["age"] = describe_seconds(max(0.0, held.total_seconds()))
    if state.state == UNAVAILABLE:
        line["note"] = "unavailable: the device is not reachable, its state is not known"
    elif state.state == UNKNOWN and not profile_of(entity.domain).momentary:
        line["note"] = "its state is not known"
    elif unit and as_number(state.state) is not None and now - state.last_updated > _OLD:
        line["note"] = f"an old reading: nothing new for {describe_seconds((now - state.last_updated).total_seconds())}"
    return line


def with_attributes(
    lines: Sequence[dict[str, object]], states: Sequence[State], asked: Sequence[str] | None, *, in_full: bool
) -> None:
    """Add the attributes that were asked for, or (``in_full``) those that say how the thing is.

    Raises InvalidParameters where none of the entities has any that were asked for.
    """
    everything = asked is not None and any(name in ("*", "all") for name in asked)
    found_any = False
    for line, state in zip(lines, states, strict=True):
        held = _readable(state.attributes)
        if asked is None or everything:
            chosen = held if everything else {k: v for k, v in held.items() if _says_something(k, v)}
            if chosen and (in_full or everything):
                line |= _marked(chosen)
            continue
        chosen = {name: held[name] for name in asked if name in held}
        found_any = found_any or bool(chosen)
        line |= _marked(chosen)
        if absent := [name for name in asked if name not in held]:
            line["missing"] = absent
    if asked and not everything and states and not found_any:
        has = {name for state in states for name in _readable(state.attributes)}
        raise InvalidParameters(f"There is no attribute {', '.join(asked)}.", hint=f"There are: {listed(has, 30)}.")


def _readable(attributes: Mapping[str, object]) -> dict[str, object]:
    held = {name: _cut(jsonable(value)) for name, value in attributes.items() if name not in _NEVER}
    brightness = attributes.get("brightness")
    if isinstance(brightness, int | float):
        held["brightness_pct"] = round(brightness / 2.55)
    return held


def _marked(attributes: dict[str, object]) -> dict[str, object]:
    """Marked where a title is among them: stations and files say what they like."""
    told: dict[str, object] = {"attributes": attributes}
    return from_outside("media", told) if any(name in _TITLES for name in attributes) else told


def _says_something(name: str, value: object) -> bool:
    listing = name.endswith(("_list", "_modes")) or name == "options"
    return name not in _NOISE and value is not None and value != "" and not listing


def _cut(value: object) -> object:
    text = value if isinstance(value, str) else str(value)
    return value if len(text) <= _LONGEST else text[:_LONGEST] + "…"
