"""Homes of any size for benches: plausible, and the same for the same size and seed."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from homeagent.demo.inventory import Inventory, parse_inventory, slug

_FLOORS = ["Ground floor", "First floor", "Second floor", "Basement", "Outside", "Third floor", "Attic", "Annex"]
_ROOMS = [
    "Kitchen",
    "Living room",
    "Bedroom",
    "Bathroom",
    "Hall",
    "Study",
    "Garage",
    "Garden",
    "Dining room",
    "Guest room",
    "Laundry room",
    "Workshop",
    "Nursery",
    "Library",
    "Terrace",
    "Pantry",
    "Gym",
    "Sauna",
    "Winter garden",
    "Cellar",
]
_DIM = {"supported_color_modes": ["brightness"], "brightness": 160}
_WHITE = {"supported_color_modes": ["color_temp"], "color_temp_kelvin": 2900, "brightness": 200}
_COLOR = {"supported_color_modes": ["color_temp", "hs"], "brightness": 200}


def _measured(device_class: str, unit: str) -> dict[str, object]:
    return {"device_class": device_class, "state_class": "measurement", "unit_of_measurement": unit}


_THINGS: list[tuple[str, str, list[str], dict[str, object]]] = [
    ("light", "ceiling light", ["on", "off"], _DIM),
    ("sensor", "temperature", ["19.4", "20.8", "22.1"], _measured("temperature", "°C")),
    ("binary_sensor", "motion", ["on", "off"], {"device_class": "motion"}),
    ("light", "lamp", ["on", "off"], _WHITE),
    ("cover", "blinds", ["open", "closed"], {"device_class": "blind", "supported_features": 15, "current_position": 0}),
    ("climate", "thermostat", ["heat", "off"], {"temperature": 20.0, "current_temperature": 19.5}),
    ("switch", "plug", ["on", "off"], {"device_class": "outlet"}),
    ("binary_sensor", "window", ["on", "off"], {"device_class": "window"}),
    ("sensor", "humidity", ["42", "55", "61"], _measured("humidity", "%")),
    ("media_player", "speaker", ["playing", "paused", "off"], {"volume_level": 0.3, "source_list": ["Radio", "TV"]}),
    ("light", "floor lamp", ["on", "off"], _COLOR),
    ("sensor", "power", ["12", "340", "0"], _measured("power", "W")),
    ("fan", "fan", ["on", "off"], {"percentage": 50, "percentage_step": 25.0}),
    ("binary_sensor", "door", ["on", "off"], {"device_class": "door"}),
    ("light", "spots", ["on", "off"], _DIM),
    ("sensor", "illuminance", ["120", "8", "900"], _measured("illuminance", "lx")),
    ("lock", "door lock", ["locked", "unlocked"], {}),
    ("sensor", "CO2", ["610", "980"], _measured("carbon_dioxide", "ppm")),
    ("binary_sensor", "smoke detector", ["off"], {"device_class": "smoke"}),
    ("number", "brightness limit", ["80.0"], {"min": 0.0, "max": 100.0, "step": 1.0}),
    ("select", "lighting mode", ["calm"], {"options": ["calm", "bright", "party"]}),
    ("vacuum", "vacuum", ["docked", "cleaning"], {}),
    ("valve", "radiator valve", ["open", "closed"], {}),
    ("button", "restart", ["unknown"], {}),
]


def generate(size: int, *, seed: int = 0) -> Inventory:
    """A home of ``size`` entities (at least 1), spread over rooms of about a dozen each."""
    return parse_inventory(raw_home(size, seed=seed))


def raw_home(size: int, *, seed: int = 0) -> dict[str, object]:
    """The same as the mapping that an inventory file holds."""
    chance = random.Random(f"{seed}-{size}")
    rooms = max(2, min(size, round(size / 12)))
    floors = [{"id": slug(name), "name": name, "level": level} for level, name in enumerate(_floors(rooms))]
    areas = [
        {"id": slug(name), "name": name, "floor": floors[i * len(floors) // rooms]["id"]}
        for i, name in enumerate(itertools.islice(_rooms(), rooms))
    ]
    entities = list(itertools.islice(_entities(areas, chance), size))
    return {"x-name": f"Home of {size}", "x-floors": floors, "areas": areas, "entities": entities}


def _floors(rooms: int) -> list[str]:
    return _FLOORS[: max(1, min(len(_FLOORS), rooms // 4))]


def _rooms() -> Iterator[str]:
    """Room names without end: the plain ones first, then numbered."""
    yield from _ROOMS
    for number in itertools.count(2):
        for name in _ROOMS:
            yield f"{name} {number}"


def _entities(areas: list[dict[str, object]], chance: random.Random) -> Iterator[dict[str, object]]:
    """One thing of a kind for each room, then of the next kind; numbered once all kinds are there."""
    for number in itertools.count(1):
        for domain, thing, states, attributes in _THINGS:
            for area in areas:
                name = f"{area['name']} {thing}" + (f" {number}" if number > 1 else "")
                yield {
                    "name": name,
                    "id": f"{domain}.{slug(name)}",
                    "area": area["id"],
                    "state": chance.choice(states),
                    "attributes": dict(attributes),
                }
