"""An entity with its live state as one line for the model, and a whole set of them as one line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache

from homeagent.domains import MeasureUnit, profile_of
from homeagent.ha.home import UNAVAILABLE, Home, State
from homeagent.history.numbers import as_number
from homeagent.prompting.firewall import clean
from indexer.entity import Entity
from indexer.selector import Selector

OLD = timedelta(minutes=10)
"""A state that holds for longer is shown with its age."""
_LONGEST_NAME = 80
_LONGEST_VALUE = 60
_MOST_ALIASES = 2
_SHOWN = {
    "brightness": "{pct} %",
    "color_temp_kelvin": "{} K",
    "current_temperature": "now {}{degree}",
    "temperature": "temperature {}{degree}",
    "current_humidity": "humidity {} %",
    "humidity": "humidity {} %",
    "hvac_action": "{}",
    "fan_mode": "fan {}",
    "preset_mode": "preset {}",
    "percentage": "{} %",
    "current_position": "position {} %",
    "volume_level": "volume {share}",
    "source": "source {}",
    "battery_level": "battery {} %",
}
"""Attributes that say how a thing is, and how they read."""
_IN = {MeasureUnit.DEGREE: "{}{degree}", MeasureUnit.PERCENT: "{} %"}


def entity_line(entity: Entity, home: Home) -> str:
    """``light.kitchen_ceiling | Ceiling (also: big light) | Kitchen | on, 60 % | for 3 h``."""
    state = home.state(entity.entity_id)
    aliases = [clean(a, _LONGEST_NAME) for a in entity.aliases[:_MOST_ALIASES]]
    name = clean(entity.name, _LONGEST_NAME) + (f" (also: {', '.join(aliases)})" if aliases else "")
    parts = [entity.entity_id, name]
    if entity.area:
        parts.append(clean(entity.area.name, _LONGEST_NAME))
    parts.append(state_words(state, entity, home.config.temperature_unit) if state else "no state")
    if state and (held := age(home.now() - state.last_changed)):
        parts.append(f"for {held}")
    return " | ".join(parts)


def state_words(state: State, entity: Entity, degree: str) -> str:
    """The state with its unit, and the attributes that say how the thing is.

    ``degree``: the home's unit of temperature, for what names none of its own.
    """
    unit = entity.unit or state.attributes.get("unit_of_measurement")
    measured = unit and as_number(state.state) is not None
    words = [clean(state.state, _LONGEST_VALUE) + (f" {clean(str(unit), 12)}" if measured else "")]
    if state.available:
        degree = clean(str(state.attributes.get("temperature_unit") or degree), 12)
        for attribute, form in {**_SHOWN, **_set(entity.domain)}.items():
            value = state.attributes.get(attribute)
            if value is not None and value != "":
                words.append(_attribute(form, value, degree))
    return ", ".join(words)


@cache
def _set(domain: str) -> Mapping[str, str]:
    """Of what is shown that which is wished for and not measured, and how it reads."""
    profile = profile_of(domain)
    wished = ((m, _IN[m.unit]) for m in profile.measures if m.wished and m.unit in _IN and m.reads in _SHOWN)
    return {m.reads: f"set to {form}" if m.reads == profile.value else f"{m.of} set to {form}" for m, form in wished}


def set_line(selector: Selector, entities: Sequence[Entity], home: Home) -> str:
    """A set too large to list: how a tool takes it as a target, and how many are in which state."""
    states = Counter(home.state_text(e.entity_id) or UNAVAILABLE for e in entities)
    counts = ", ".join(f"{number} {clean(state, _LONGEST_VALUE)}" for state, number in states.most_common(4))
    others = len(states) - 4
    if others > 0:
        counts += f", and {others} other states"
    return f"set {json.dumps(target_of(selector, home), ensure_ascii=False)} | {len(entities)} entities: {counts}"


def undecided_line(selector: Selector, home: Home) -> str:
    """What a sentence may mean any of, where only the likeliest are listed."""
    return f"the sentence does not say which of: {set_line(selector, selector.select(home.exposed()), home)}"


def also_line(selector: Selector, home: Home) -> str:
    """What the same words may mean less surely."""
    return f"may be meant as well: {set_line(selector, selector.select(home.exposed()), home)}"


def target_of(selector: Selector, home: Home) -> dict[str, list[str]]:
    """A selector as the target parameters of ha_control and ha_query: areas and floors by the names that people use."""
    areas = [clean(home.areas[a].name, _LONGEST_NAME) if a in home.areas else a for a in selector.area_ids]
    floors = [clean(home.floors[f].name, _LONGEST_NAME) if f in home.floors else f for f in selector.floor_ids]
    parts = {
        "domain": list(selector.domains),
        "device_class": list(selector.device_classes),
        "area": areas,
        "floor": floors,
        "label": list(selector.labels),
        "exclude": _excluded(selector, home),
    }
    return {key: value for key, value in parts.items() if value}


def _excluded(selector: Selector, home: Home) -> list[str]:
    """Every id that the set would hold otherwise: one that the model is not told of would be acted upon."""
    whole = replace(selector, exclude=())
    found = ((entity_id, home.entity(entity_id)) for entity_id in selector.exclude)
    return [entity_id for entity_id, entity in found if entity is not None and whole.matches(entity)]


def age(span: timedelta) -> str:
    """``25 min``, ``3 h``, ``2 d``; empty while it is fresh."""
    if span < OLD:
        return ""
    minutes = int(span.total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // 1440} d"


def _attribute(form: str, value: object, degree: str) -> str:
    text = f"{value:g}" if isinstance(value, float) else clean(str(value), _LONGEST_VALUE)
    number = value if isinstance(value, int | float) else 0
    return form.format(text, pct=round(number / 2.55), share=f"{round(number * 100)} %", degree=degree)
