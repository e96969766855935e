"""A home written down: the public synthetic-home inventory format, and what we add to it under ``x-`` keys.

The public format has ``areas``, ``devices`` and ``entities``. Added, all optional:

- top level: ``x-name``, ``x-language``, ``x-time-zone``, ``x-temperature-unit``, ``x-floors`` (id, name, level,
  aliases)
- area: ``x-aliases``, ``x-labels``; device: ``x-labels``
- entity: ``x-aliases``, ``x-labels``, ``x-exposed`` (default true), ``x-hidden``, ``x-category`` (config | diagnostic),
  ``x-registered`` (default true; false: known by its state alone), ``x-members`` (of a group), ``x-code``,
  ``x-behavior`` (see `Behavior`), ``x-history`` (see `history`), ``x-scene`` (entity id to what it applies),
  ``x-script`` and ``x-automation`` (Home Assistant's own configuration), ``x-items`` (to-do), ``x-events`` (calendar),
  ``x-forecast`` (weather)

The public format writes a device's own values (``native_value``, ``target_temperature``, enum names, true for
"on"); Home Assistant's words are made of them here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from homeagent.demo.supported_features import parse_features
from homeagent.domains import profile_of
from indexer.normalise import unaccented


@dataclass(frozen=True, slots=True)
class Behavior:
    """How a device differs from one that does at once what it is told. Times in seconds.

    ``lag``: its state follows that much later. ``travel``: time from one end to the other, for what moves (None: the
    server's own). ``ignores``: accepts commands and does nothing. ``fails``: refuses each command with these words.
    """

    lag: float = 0.0
    travel: float | None = None
    ignores: bool = False
    fails: str | None = None


@dataclass(frozen=True, slots=True)
class FloorSpec:
    """One floor. ``level``: 0 for the ground floor, negative below it."""

    id: str
    name: str
    level: int | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AreaSpec:
    """One area. ``floor`` is a floor's id."""

    id: str
    name: str
    floor: str | None = None
    aliases: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """One device. ``area`` is an area's id; ``info``: manufacturer, model and versions."""

    id: str
    name: str
    area: str | None = None
    info: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntitySpec:
    """One entity. ``name`` None: it goes by its device's name. ``extra`` holds the ``x-`` keys that a domain reads."""

    id: str
    name: str | None
    state: str
    attributes: Mapping[str, Any]
    area: str | None = None
    device: str | None = None
    aliases: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    exposed: bool = True
    hidden: bool = False
    category: str | None = None
    registered: bool = True
    behavior: Behavior = Behavior()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def domain(self) -> str:
        """Home Assistant's domain, from the id."""
        return self.id.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Inventory:
    """A whole home. ``language`` is an ISO 639-1 code, ``time_zone`` an IANA name."""

    floors: tuple[FloorSpec, ...] = ()
    areas: tuple[AreaSpec, ...] = ()
    devices: tuple[DeviceSpec, ...] = ()
    entities: tuple[EntitySpec, ...] = ()
    name: str = "Home"
    language: str = "en"
    time_zone: str = "UTC"
    temperature_unit: str = "°C"


class InventoryError(ValueError):
    """The inventory says something that cannot be. The message names the place."""


def demo_home() -> Path:
    """The home that `homeagent demo` shows."""
    return Path(__file__).with_name("homes") / "demo.yaml"


def load_inventory(path: str | Path) -> Inventory:
    """Read an inventory from a YAML file. Raises InventoryError, OSError."""
    return parse_inventory(read_home(path))


def read_home(path: str | Path) -> Any:
    """What a YAML file of a home says, dates as texts. Raises InventoryError, OSError."""
    import yaml

    from homeagent.values.yaml_text import read_yaml

    try:
        raw = read_yaml(Path(path).read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise InventoryError(f"{path}: {error}") from error
    return _as_told(raw or {})


def _as_told(value: object) -> Any:
    """Dates as texts: YAML makes dates of what is written like one, which no state or attribute can be."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {k: _as_told(v) for k, v in value.items()}
    return [_as_told(v) for v in value] if isinstance(value, list) else value


def parse_inventory(raw: Raw) -> Inventory:
    """Make an inventory of what the YAML file holds. Raises InventoryError."""
    if not isinstance(raw, Mapping):
        raise InventoryError("an inventory is a mapping with areas, devices and entities")
    floors = _floors(raw)
    floor_ids = {name: floor.id for floor in floors for name in (floor.id, floor.name)}
    areas = tuple(_area(item, floor_ids) for item in raw.get("areas") or ())
    devices = tuple(_device(item) for item in raw.get("devices") or ())
    entities = tuple(_entity(item) for item in raw.get("entities") or ())
    _check(areas, devices, entities)
    return Inventory(
        floors=floors,
        areas=areas,
        devices=devices,
        entities=entities,
        name=str(raw.get("x-name", "Home")),
        language=str(raw.get("language") or raw.get("x-language") or "en"),
        time_zone=str(raw.get("x-time-zone", "UTC")),
        temperature_unit=str(raw.get("x-temperature-unit", "°C")),
    )


@lru_cache(maxsize=16384)
def slug(name: str) -> str:
    """An id made of a name, much as Home Assistant makes them: lower case, ASCII, underscores.

    Letters without an ASCII one beneath (Home Assistant transliterates them) become their numbers: still distinct.
    """
    ascii_name = "".join(c if c.isascii() else f"{ord(c):x}" if c.isalnum() else "_" for c in unaccented(name))
    return re.sub(r"[^a-z0-9]+", "_", ascii_name).strip("_") or "unknown"


def _floors(raw: Raw) -> tuple[FloorSpec, ...]:
    listed = [
        FloorSpec(
            id=str(item.get("id") or slug(item["name"])),
            name=str(item["name"]),
            level=item.get("level"),
            aliases=_texts(item.get("aliases")),
        )
        for item in raw.get("x-floors") or raw.get("floors") or ()
    ]
    known = {name for floor in listed for name in (floor.id, floor.name)}
    for item in raw.get("areas") or ():
        name = item.get("floor")
        if name and name not in known:
            listed.append(FloorSpec(id=slug(str(name)), name=str(name)))
            known.add(name)
    return tuple(listed)


def _area(item: Raw, floor_ids: Mapping[str, str]) -> AreaSpec:
    floor = item.get("floor")
    return AreaSpec(
        id=str(item.get("id") or slug(item["name"])),
        name=str(item["name"]),
        floor=floor_ids[floor] if floor else None,
        aliases=_texts(item.get("x-aliases")),
        labels=_texts(item.get("x-labels")),
    )


def _device(item: Raw) -> DeviceSpec:
    return DeviceSpec(
        id=str(item.get("id") or slug(item["name"])),
        name=str(item["name"]),
        area=item.get("area"),
        info={key: str(value) for key, value in (item.get("info") or {}).items()},
        labels=_texts(item.get("x-labels")),
    )


def _entity(item: Raw) -> EntitySpec:
    entity_id = str(item.get("id"))
    domain, _, rest = entity_id.partition(".")
    if not domain or not rest:
        raise InventoryError(f"{entity_id!r} is no entity id (entity {item.get('name')!r})")
    try:
        state, attributes = initial_state(domain, item)
        behavior = Behavior(**(item.get("x-behavior") or {}))
    except (TypeError, ValueError) as error:
        raise InventoryError(f"{entity_id}: {error}") from error
    if members := item.get("x-members"):
        attributes["entity_id"] = list(members)
    return EntitySpec(
        id=entity_id,
        name=None if item.get("name") is None else str(item["name"]),
        state=state,
        attributes=attributes,
        area=item.get("area"),
        device=item.get("device"),
        aliases=_texts(item.get("x-aliases")),
        labels=_texts(item.get("x-labels")),
        exposed=bool(item.get("x-exposed", True)),
        hidden=bool(item.get("x-hidden", False)),
        category=item.get("x-category"),
        registered=bool(item.get("x-registered", True)),
        behavior=behavior,
        extra={key: value for key, value in item.items() if key.startswith("x-")},
    )


def _texts(given: Iterable[object] | None) -> tuple[str, ...]:
    return tuple(str(one) for one in given or ())


def _check(areas: Iterable[AreaSpec], devices: Iterable[DeviceSpec], entities: Iterable[EntitySpec]) -> None:
    area_ids = {area.id for area in areas}
    device_ids = {device.id for device in devices}
    seen: set[str] = set()
    for thing_id, area in [*((d.id, d.area) for d in devices), *((e.id, e.area) for e in entities)]:
        if area is not None and area not in area_ids:
            raise InventoryError(f"{thing_id} is in the area {area!r}, which is not listed")
    for entity in entities:
        if entity.device is not None and entity.device not in device_ids:
            raise InventoryError(f"{entity.id} belongs to the device {entity.device!r}, which is not listed")
        if entity.id in seen:
            raise InventoryError(f"{entity.id} is listed twice")
        seen.add(entity.id)


Raw = Mapping[str, Any]

_RENAMED = {
    "native_unit_of_measurement": "unit_of_measurement",
    "native_min_value": "min",
    "native_max_value": "max",
    "native_step": "step",
    "target_temperature": "temperature",
    "target_temperature_high": "target_temp_high",
    "target_temperature_low": "target_temp_low",
    "current_cover_position": "current_position",
    "current_cover_tilt_position": "current_tilt_position",
    "current_valve_position": "current_position",
    "target_humidity": "humidity",
    "native_temperature": "temperature",
    "native_temperature_unit": "temperature_unit",
    "native_wind_speed": "wind_speed",
    "native_wind_speed_unit": "wind_speed_unit",
    "native_pressure": "pressure",
    "native_pressure_unit": "pressure_unit",
}

_STATE_IN = ("native_value", "hvac_mode", "alarm_state", "activity", "condition", "current_option", "state", "is_on")
"""Attributes of the public format that stand for the state itself."""


def initial_state(domain: str, item: Raw) -> tuple[str, dict[str, object]]:
    """The state and the attributes of an entity of the inventory. Raises ValueError for an unknown feature."""
    given = {_RENAMED.get(key, key): _plain(value) for key, value in (item.get("attributes") or {}).items()}
    attributes = {**profile_of(domain).simulated.attributes, **{k: v for k, v in given.items() if k not in _STATE_IN}}
    told = item.get("state")
    if told is None:
        told = next((given[key] for key in _STATE_IN if given.get(key) is not None), None)
    state = _state(domain, told, attributes)
    features = parse_features(domain, attributes.pop("supported_features", None), attributes)
    if features is not None:
        attributes["supported_features"] = features
    return state, attributes


def _plain(value: object) -> Any:
    """Enum names such as ``sensor.SensorDeviceClass.BATTERY`` become Home Assistant's values."""
    if isinstance(value, str) and value.count(".") in (1, 2) and value.rpartition(".")[2].isupper():
        holder = value.split(".")[-2]
        if holder[:1].isupper() and not holder.endswith("Feature"):
            return value.rpartition(".")[2].lower()
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value


def _state(domain: str, told: Any, attributes: Mapping[str, Any]) -> str:
    profile = profile_of(domain)
    simulated = profile.simulated
    if isinstance(told, bool):
        yes, no = simulated.yes_no
        return yes if told else no
    if told is not None:
        return str(told)
    if any(attributes.get(name) for name in simulated.active_by):
        return profile.active
    if offered := attributes.get(simulated.first_of):
        return str(offered[0])
    return simulated.start
