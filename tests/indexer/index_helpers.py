"""Makes indexes for tests: a real database, a real worker process and Chroma, and an embedder without a model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from indexer.entity import Area, Entity, Floor
from indexer.index import Index
from tests.databases import database

GROUND = Floor("ground", "Ground Floor", level=0)
UPSTAIRS = Floor("upstairs", "Upstairs", ("first floor",), level=1)
KITCHEN = Area("kitchen", "Kitchen", floor_id="ground")
LIVING = Area("living_room", "Living Room", ("lounge",), floor_id="ground")
BEDROOM = Area("bedroom", "Bedroom", floor_id="upstairs")
FLOORS = {f.floor_id: f for f in (GROUND, UPSTAIRS)}


def make_index(folder: Path, model: str = "quick", **options: Any) -> Index:
    """An index in ``folder``. Made again on the same folder it is the same index after a restart."""
    engine = database(folder)
    return Index(folder, engine, model=model, embedder="tests.indexer.hash_embedder:HashEmbedder", **options)


async def until_ready(index: Index) -> None:
    async with asyncio.timeout(90):
        await index.wait_ready()


async def until(condition: Callable[[], bool], seconds: float = 90.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  what is waited for happens in another process
            await asyncio.sleep(0.01)


def entity(entity_id: str, name: str, area: Area | None = None, **more: Any) -> Entity:
    """An entity whose floor is its area's."""
    floor = FLOORS[area.floor_id] if area and area.floor_id else None
    return Entity(entity_id, name, area=area, floor=floor, **more)


def home() -> tuple[Entity, ...]:
    """A small home with something of everything that finding must tell apart."""
    return (
        entity("light.kitchen_ceiling", "Kitchen Ceiling Light", KITCHEN),
        entity("light.kitchen_counter", "Counter Light", KITCHEN),
        entity("light.living_lamp_2", "Lamp 2", LIVING),
        entity("light.living_lamp_3", "Lamp 3", LIVING),
        entity("light.bedroom", "Bedroom Light", BEDROOM, aliases=("reading light",), labels=("night",)),
        entity("switch.bedside_lamp", "Bedside Lamp", BEDROOM, labels=("night",)),
        entity("switch.kettle", "Kettle", KITCHEN),
        entity("light.status_led", "Status LED", KITCHEN, hidden=True),
        entity("media_player.tv", "TV", LIVING, device_class="tv"),
        entity("media_player.kitchen_radio", "Kitchen Radio", KITCHEN, device_class="speaker"),
        entity("climate.bedroom", "Bedroom Thermostat", BEDROOM),
        entity("sensor.bedroom_temperature", "Bedroom Temperature", BEDROOM, device_class="temperature"),
        entity("cover.bedroom_left", "Left Blind", BEDROOM, device_class="blind"),
        entity("cover.bedroom_right", "Right Blind", BEDROOM, device_class="blind"),
        entity("lock.front_door", "Front Door Lock"),
        entity("binary_sensor.front_door", "Front Door", device_class="door"),
        entity("update.kitchen_light", "Luce Cucina", KITCHEN),
        entity("light.cucina", "Luce Cucina", KITCHEN),
        entity("person.ada", "Ada"),
        entity("light.strahler", "Küchenstrahler", KITCHEN),
    )
