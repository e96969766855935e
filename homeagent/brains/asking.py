"""What a question asks: of whom, about which state or attribute, now or in the past. A question never acts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from homeagent.brains.grounding import Accepts, Ground, Unknown, ground
from homeagent.brains.reading import Reading
from homeagent.brains.request import Act, Asked, Period, Request, Scope
from indexer.entity import Entity
from indexer.mentions import MentionKind
from indexer.selector import Selector

STATE = "state."
"""Sections of the lexicon that hold the words for the states of one device class."""

_STATES: Mapping[str, tuple[str, ...]] = {
    "cover": ("open", "closed", "opening", "closing"),
    "valve": ("open", "closed", "opening", "closing"),
    "lock": ("locked", "unlocked", "locking", "unlocking", "jammed", "open"),
    "person": ("home", "not_home"),
    "device_tracker": ("home", "not_home"),
    "media_player": ("on", "off", "playing", "paused", "idle", "standby", "buffering"),
    "vacuum": ("cleaning", "docked", "returning", "paused", "idle", "error", "on"),
    "lawn_mower": ("mowing", "docked", "returning", "paused", "error", "on"),
    "climate": ("off", "on", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"),
    "alarm_control_panel": (
        "armed_away", "armed_home", "armed_night", "arming", "disarmed", "triggered", "pending",
    ),
    "sun": ("above_horizon", "below_horizon"),
}  # fmt: skip
_ON_OFF = ("on", "off")
_SWITCHED = frozenset(
    {"light", "switch", "fan", "input_boolean", "humidifier", "siren", "automation", "script", "remote", "group",
     "binary_sensor", "update", "water_heater"}
)  # fmt: skip

_ATTRIBUTES: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "brightness": (("sensor", "illuminance", ""), ("light", "", "brightness")),
    "color": (("light", "", "color"),),
    "color_temp": (("light", "", "color_temp_kelvin"),),
    "temperature": (
        ("sensor", "temperature", ""), ("climate", "", "current_temperature"), ("water_heater", "", "current_temperature"),
    ),
    "target_temperature": (("climate", "", "temperature"), ("water_heater", "", "temperature")),
    "humidity": (("sensor", "humidity", ""), ("sensor", "moisture", ""), ("humidifier", "", "current_humidity"), ("climate", "", "current_humidity")),
    "volume": (("media_player", "", "volume_level"),),
    "position": (("cover", "", "current_position"), ("valve", "", "current_position")),
    "fan_speed": (("fan", "", "percentage"),),
    "battery": (("sensor", "battery", ""), ("binary_sensor", "battery", ""), ("vacuum", "", "battery_level")),
    "power": (("sensor", "power", ""),),
    "energy": (("sensor", "energy", ""),),
    "media": (("media_player", "", "media_title"),),
    "source": (("media_player", "", "source"),),
    "mode": (("climate", "", ""),),
    "fan_mode": (("climate", "", "fan_mode"),),
    "preset": (("climate", "", "preset_mode"), ("fan", "", "preset_mode")),
}  # fmt: skip
"""Where an attribute is to be read, the likelier first: domain, device class, attribute (empty: the state itself)."""

_ACTION_STATE = {
    "turn_on": "on", "turn_off": "off", "open": "open", "close": "closed", "lock": "locked", "unlock": "unlocked",
    "pause": "paused", "play": "playing", "start": "cleaning",
}  # fmt: skip
_PAST = {
    Asked.HOW_LONG, Asked.HOW_OFTEN, Asked.WHEN, Asked.AVERAGE, Asked.LOWEST, Asked.HIGHEST,
}  # fmt: skip
_PERIODS: Mapping[str, Period] = {
    "today": Period(days_ago=0),
    "yesterday": Period(days_ago=1),
    "last_night": Period(hours=12),
    "hour": Period(hours=1),
    "day": Period(hours=24),
    "week": Period(hours=24 * 7),
    "month": Period(hours=24 * 30),
}
_UNIT_HOURS = {"second": 1 / 3600, "minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0}
_DEFAULT_PERIOD = Period(hours=24)


def question_of(reading: Reading, around: Ground) -> Request | None:
    """The request of a question; None where it asks for what the home cannot tell."""
    if reading.has("questions", "other"):
        return None
    if (clock := reading.first("clock")) and not reading.target:
        return Request(Act.TIME if clock == "time" else Act.DATE)
    if (chat := reading.first("chat")) and not reading.target:
        return Request(Act.SAY, say=chat)
    if reading.has("weather") and not reading.of_kind(MentionKind.NAME, MentionKind.DEVICE_CLASS):
        return Request(Act.QUERY, Scope(selector=Selector(domains=("weather",))), attribute="weather")
    asked = _asked(reading)
    period = _period(reading)
    if attribute := _attribute(reading):
        return _about_attribute(reading, around, attribute, asked, period)
    return _about_state(reading, around, asked, period)


def _about_attribute(
    reading: Reading, around: Ground, attribute: str, asked: Asked, period: Period | None
) -> Request | None:
    """The first way to read the attribute that the target has."""
    missing: Request | None = None
    for domain, device_class, name in _ATTRIBUTES[attribute]:
        scope = ground(reading, around, (domain,), _of_class(device_class))
        if isinstance(scope, Scope):
            if not scope.named:
                classes = (device_class,) if device_class else ()
                scope = replace(scope, selector=replace(scope.selector, domains=(domain,), device_classes=classes))
            act = Act.HISTORY if period or asked in _PAST else Act.QUERY
            return Request(act, scope, asked=_value(asked, act), attribute=name or attribute, period=period)
        if isinstance(scope, Unknown) and missing is None:
            missing = _missing(scope)
    return missing


def _of_class(device_class: str) -> Accepts:
    return lambda entity: not device_class or entity.device_class == device_class


def _value(asked: Asked, act: Act) -> Asked:
    if act is Act.HISTORY:
        return asked if asked in _PAST else Asked.AVERAGE
    return asked if asked in (Asked.WHICH, Asked.LOWEST, Asked.HIGHEST) else Asked.VALUE


def _about_state(reading: Reading, around: Ground, asked: Asked, period: Period | None) -> Request | None:
    states = _states(reading)
    accepts = (lambda e: bool(_raw(e, states))) if states else None
    scope = ground(reading, around, _domains(states), accepts)
    if isinstance(scope, Unknown):
        return _missing(scope)
    if scope is None:
        if reading.has("pronouns") and around.last_entities:
            scope = Scope(tuple((i,) for i in around.last_entities))
        elif states and asked in (Asked.ANY, Asked.ALL, Asked.WHICH, Asked.HOW_MANY):
            scope = Scope(selector=_class_selector(states))
        else:
            return None
    if not scope.named and not scope.selector.domains and not scope.selector.device_classes:
        scope = replace(scope, selector=replace(scope.selector, **_kinds(states)))
    raw = tuple(dict.fromkeys(r for raws in states.values() for r in raws))
    act = Act.HISTORY if asked in _PAST and (period or asked is not Asked.HOW_LONG) else Act.QUERY
    if not states and scope.named and asked is Asked.YESNO:
        asked = Asked.VALUE  # "is the washer running" of a thing that is called so: its state tells
    if not states and asked in (Asked.YESNO, Asked.ANY, Asked.ALL, Asked.HOW_LONG, Asked.HOW_OFTEN):
        return None
    return Request(act, scope, asked=asked, states=raw, period=period)


def _missing(unknown: Unknown) -> Request:
    from homeagent.brains.understanding import unknown as say_unknown

    return say_unknown(unknown)


def _asked(reading: Reading) -> Asked:
    """The form of the question: the rarest form that was said."""
    said = {s.concept for s in reading.of("questions", "asking")}
    order = (
        Asked.HOW_LONG, Asked.HOW_OFTEN, Asked.HOW_MANY, Asked.AVERAGE, Asked.HIGHEST, Asked.LOWEST, Asked.WHERE,
        Asked.WHEN, Asked.WHICH, Asked.ANY, Asked.ALL, Asked.YESNO, Asked.VALUE,
    )  # fmt: skip
    if Asked.YESNO.value in said and reading.has("every"):
        return Asked.ALL
    return next((a for a in order if a.value in said), Asked.YESNO)


def _period(reading: Reading) -> Period | None:
    if reading.has("spans", "last"):
        for number in reading.numbers:
            if number.unit in _UNIT_HOURS:
                return Period(hours=number.value * _UNIT_HOURS[number.unit])
    concept = reading.first("periods")
    return _PERIODS.get(concept) if concept else None


def _attribute(reading: Reading) -> str | None:
    if _states(reading) and not reading.has("questions", "value"):
        return None
    spots = [s for s in reading.of("attributes") if s.concept in _ATTRIBUTES]
    if reading.has("attributes", "target_temperature"):
        return "target_temperature"
    return max(spots, key=lambda s: len(s.positions)).concept if spots else None


def _states(reading: Reading) -> dict[str, tuple[str, ...]]:
    """For each device class (and "default") the raw states that were said of it."""
    found: dict[str, tuple[str, ...]] = {}
    for spot in reading.spots:
        if spot.section.startswith(STATE):
            kind = spot.section.removeprefix(STATE)
            found[kind] = (*found.get(kind, ()), spot.concept)
    if not found:
        meant = [_ACTION_STATE[s.concept] for s in reading.of("actions") if s.concept in _ACTION_STATE]
        if meant:
            found["default"] = tuple(meant)
    return found


def raw_states(entity: Entity, states: Iterable[str]) -> tuple[str, ...]:
    """Of these raw states the ones that this entity can be in."""
    known = _STATES.get(entity.domain, _ON_OFF if entity.domain in _SWITCHED else ())
    return tuple(s for s in states if s in known)


def _raw(entity: Entity, states: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if entity.domain == "binary_sensor" and entity.device_class:
        return states.get(entity.device_class, ())
    if entity.domain == "sensor":
        return ()
    return raw_states(entity, states.get("default", ()))


def _domains(states: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if not states:
        return ()
    said = set(states.get("default", ()))
    if said & {"home", "not_home"}:
        return ("person", "device_tracker")
    domains = [d for d, known in _STATES.items() if said & set(known)]
    if said & set(_ON_OFF):
        domains = ["light", "switch", "fan", *domains, *sorted(_SWITCHED - {"light", "switch", "fan"})]
    if set(states) - {"default"}:
        domains.append("binary_sensor")
    return tuple(dict.fromkeys(domains))


def _kinds(states: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    classes = tuple(k for k in states if k != "default")
    if classes and not states.get("default"):
        return {"domains": ("binary_sensor",), "device_classes": classes}
    return {"domains": _domains(states)[:1]}


def _class_selector(states: Mapping[str, tuple[str, ...]]) -> Selector:
    return Selector(**_kinds(states))
